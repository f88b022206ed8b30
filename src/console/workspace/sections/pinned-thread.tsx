import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type {
  pinnedThread_thread$data,
  pinnedThread_thread$key,
} from '../../../generated/console/pinnedThread_thread.graphql.ts'
import { Slot, unreadOf } from '../../inbox/list/thread-row-parts.tsx'
import { Avatar } from '../../page/avatar.tsx'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { StateMark } from '../../page/state-mark.tsx'
import { useViewer } from '../../session/viewer.ts'
import { useThreadTitle } from '../../thread/thread-title.ts'
import { type Moves, onMoveKey } from './pin-moves.ts'
import { SideRow } from './side-row.tsx'
import { useCurrentPage } from './use-current-page.ts'

const PinMenu = lazyPart(() => import('./pin-menu.tsx'))

/** A pinned thread, group chat or DM. As everywhere, a thread that does not concern the person is not unread. */
export function PinnedThread({ moves, ...props }: { thread: pinnedThread_thread$key; moves: Moves }) {
  const { workspaceID } = useParams()
  const { page, id: openID } = useCurrentPage()
  const thread = useFragment(
    graphql`
      fragment pinnedThread_thread on Thread {
        id kind state unreadCount unreadMentionCount isMine isMuted
        recipients(first: 5) { nodes { __typename ... on User { id name kind avatarURL } ... on Group { isPrivate } } }
        ...threadTitle_thread
      }
    `,
    props.thread,
  )
  const { id, kind, isMuted, isMine } = thread
  const title = useThreadTitle(thread)
  const list = kind === 'dm' ? 'dms' : 'pins'
  const unread = unreadOf({ ...thread, unreadCount: isMine ? thread.unreadCount : 0 })
  return (
    <SideRow
      to={`/${workspaceID}/threads/${id}`}
      state={{ list }}
      isCurrent={page === list && id === openID}
      icon={<PinIcon {...thread} />}
      label={title}
      isUnread={unread.unreadCount > 0 && (!isMuted || unread.mentionsViewer)}
      isMuted={isMuted}
      mark={<Slot {...unread} isDM={kind === 'dm'} isMuted={isMuted} />}
      menu={
        <SmallPart>
          <PinMenu id={id} label={title} moves={moves} />
        </SmallPart>
      }
      onKeyDown={onMoveKey(moves)}
    />
  )
}

/** The other user of a DM, the state of a thread, or what kind of conversation it is. */
function PinIcon({ kind, state, recipients }: pinnedThread_thread$data) {
  const viewer = useViewer()
  const nodes = recipients?.nodes ?? []
  const other = nodes.find((node) => node.__typename === 'User' && node.id !== viewer.id)
  if (kind === 'dm' && other?.__typename === 'User') return <Avatar user={other} size="sm" />
  if (state) return <StateMark state={state} />
  return <Icon name="dms" size={16} />
}
