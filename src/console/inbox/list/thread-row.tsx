import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { threadRow_thread$key } from '../../../generated/console/threadRow_thread.graphql.ts'
import { storageKeyOf, useHasUnsent } from '../../composer/outbox/outbox.ts'
import { useStoredDraft } from '../../composer/use-draft.ts'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { longPress } from '../../page/long-press.ts'
import { detailsOf, useKeptSearch } from '../../page/side-column.ts'
import { StateMark } from '../../page/state-mark.tsx'
import { useThreadPath } from '../../page/use-thread-path.ts'
import { useViewer } from '../../session/viewer.ts'
import { plainPreview } from '../../text/plain-preview.ts'
import { shortTime } from '../../text/time.ts'
import { useToday } from '../../text/use-today.ts'
import { useThreadTitle } from '../../thread/thread-title.ts'
import { useLastMessage } from './last-message.ts'
import type { ThreadListName } from './thread-lists.ts'
import styles from './thread-row.module.css'
import { GroupChip, groupsOf, RowAvatar, Slot, unreadOf } from './thread-row-parts.tsx'

const ThreadRowMenu = lazyPart(() => import('./thread-row-menu.tsx'))

type Props = {
  thread: threadRow_thread$key
  list: ThreadListName
  /** Whether the thread is open. By default, the URL tells. */
  isOpen?: boolean
}

/** A thread in a list. In the list of a group, the row does not name the group. */
export function ThreadRow({ list, ...props }: Props) {
  const { groupID, threadID: openID } = useParams()
  const threadPath = useThreadPath()
  const viewer = useViewer()
  const thread = useFragment(
    graphql`
      fragment threadRow_thread on Thread {
        id kind unreadCount unreadMentionCount isMuted lastActivityAt closedAt state
        startedBy { id name kind avatarURL }
        recipients(first: 5) {
          nodes { __typename ... on User { id name kind avatarURL } ... on Group { id name isPrivate } }
        }
        ...threadTitle_thread
        ...lastMessage_thread
        ...threadRowMenu_thread
      }
    `,
    props.thread,
  )
  const fullTitle = useThreadTitle(thread)
  const title = groupID !== undefined && thread.kind === 'groupChat' ? 'Chat' : fullTitle
  const isOpen = props.isOpen ?? thread.id === openID
  const today = useToday()
  const text = useLastMessage(thread)
  const recipients = thread.recipients?.nodes ?? []
  const keptSearch = useKeptSearch(detailsOf(thread, groupsOf(recipients)[0]?.id))
  const unread = unreadOf(thread)
  return (
    <div {...longPress} className={styles.frame}>
      <Link
        className={styles.row ?? ''}
        to={threadPath(thread.id) + keptSearch}
        state={{ list }}
        aria-current={isOpen ? 'page' : undefined}
        data-thread-row={thread.id}
        data-unread={(unread.unreadCount > 0 && (!thread.isMuted || unread.mentionsViewer)) || undefined}
        data-muted={thread.isMuted || undefined}
      >
        <RowAvatar startedBy={thread.startedBy} recipients={recipients} viewerID={viewer.id} />
        <div>
          <div className={styles.top}>
            <span className={styles.subject} dir="auto">
              <StateMark state={thread.state} />
              {title}
            </span>
            <time dateTime={thread.lastActivityAt}>{shortTime(thread.lastActivityAt, today)}</time>
          </div>
          <div className={styles.bottom}>
            {thread.kind === 'thread' && <GroupChip recipients={recipients} listGroupID={groupID} />}
            {thread.closedAt && <span>Closed</span>}
            <Preview threadID={thread.id} isOpen={isOpen} text={text} />
            <Slot {...unread} isDM={thread.kind === 'dm'} isMuted={thread.isMuted} />
          </div>
        </div>
      </Link>
      <div className={styles.menu}>
        <SmallPart>
          <ThreadRowMenu thread={thread} title={title} />
        </SmallPart>
      </div>
    </div>
  )
}

type PreviewProps = { threadID: string; isOpen: boolean; text: string }

/** The last message, or the draft of the person. In an open thread, the composer already shows the draft. */
function Preview({ threadID, isOpen, text }: PreviewProps) {
  const { workspaceID = '' } = useParams()
  const storageKey = storageKeyOf(workspaceID, { threadID })
  const hasUnsent = useHasUnsent(storageKey)
  const draft = plainPreview(useStoredDraft(storageKey), () => undefined)
  const showsDraft = draft !== '' && !isOpen && !hasUnsent
  return (
    <>
      {hasUnsent && <span className={styles.unsent}>Not sent</span>}
      {showsDraft && <span className={styles.draft}>Draft</span>}
      <span className={styles.preview} dir="auto">
        {showsDraft ? draft : text}
      </span>
    </>
  )
}
