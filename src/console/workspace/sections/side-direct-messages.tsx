import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { sideDirectMessagesQuery } from '../../../generated/console/sideDirectMessagesQuery.graphql.ts'
import { unreadOf } from '../../inbox/list/thread-row-parts.tsx'
import { Avatar } from '../../page/avatar.tsx'
import { Count } from '../../page/unread-mark.tsx'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { SideRow, SideSection } from './side-row.tsx'
import { useCurrentPage } from './use-current-page.ts'

/** The DMs of the person, with the latest activity first, without those that are pinned. `useLiveInbox` keeps them current. */
export function SideDirectMessages() {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const { page, id: openID } = useCurrentPage()
  const { threads } = useQuery<sideDirectMessagesQuery>(
    graphql`
      query sideDirectMessagesQuery {
        threads(first: 20, order: lastMessage, filter: { kind: dm })
          @connection(key: "sideDirectMessages_threads", filters: []) {
          edges {
            node {
              id kind unreadCount unreadMentionCount messageCount isMine isMuted isPinned
              recipients(first: 5) { nodes { __typename ... on User { id name kind avatarURL } } }
            }
          }
        }
      }
    `,
    {},
    { fetchKey: viewer.listVersion, fetchPolicy: 'store-and-network' },
  )
  const path = `/${workspaceID}/dms`
  return (
    <SideSection
      name="dms"
      title="Direct messages"
      add={{ to: path, state: { isWriting: true }, label: 'New direct message' }}
    >
      {threads?.edges.map(({ node: { id, messageCount, isMuted, isPinned, recipients, ...thread } }) => {
        const users = recipients?.nodes.filter((recipient) => recipient.__typename === 'User') ?? []
        const other = users.find((user) => user.id !== viewer.id)
        // The service creates a DM when somebody first opens it.
        if (!other || messageCount === 0 || isPinned) return null
        const unread = unreadOf({ ...thread, unreadCount: isMuted ? 0 : thread.unreadCount }).unreadCount
        return (
          <SideRow
            key={id}
            to={`/${workspaceID}/threads/${id}`}
            state={{ list: 'dms' }}
            isCurrent={page === 'dms' && id === openID}
            icon={<Avatar user={other} size="sm" />}
            label={other.name}
            isUnread={unread > 0}
            isMuted={isMuted}
            mark={unread > 0 && <Count value={unread} label={`${unread} unread`} />}
          />
        )
      })}
    </SideSection>
  )
}
