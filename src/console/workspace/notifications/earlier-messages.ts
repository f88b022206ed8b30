import { fetchQuery, graphql } from 'react-relay/hooks'
import type { IEnvironment } from 'relay-runtime'
import type {
  earlierMessagesQuery,
  earlierMessagesQuery$data,
} from '../../../generated/console/earlierMessagesQuery.graphql.ts'
import type { InboxThread } from '../live/use-live-inbox.ts'

type EarlierMessage = NonNullable<
  NonNullable<earlierMessagesQuery$data['thread']>['messages']
>['nodes'][number]

/** Messages count as arriving together if they were sent at most this long before the last message. */
const togetherMs = 5000

/**
 * Returns the unread messages between a position and the last message, at most nine of them. Without a position, returns
 * only unread messages that were sent just before the last message, and after the page was opened.
 */
export async function earlierMessages(
  environment: IEnvironment,
  { id, lastMessage }: InboxThread,
  after: number | undefined,
): Promise<readonly EarlierMessage[]> {
  const query = graphql`
    query earlierMessagesQuery($threadID: ID!) {
      thread(id: $threadID) {
        messages(last: 10) {
          nodes {
            id position html createdAt editedAt callsViewer
            user { name }
          }
        }
      }
    }
  `
  // A failure needs no message, because the thread is also shown as unread.
  const answer = await fetchQuery<earlierMessagesQuery>(environment, query, { threadID: id })
    .toPromise()
    .catch(() => undefined)
  if (!lastMessage) return []
  const since = Math.max(performance.timeOrigin, new Date(lastMessage.createdAt).getTime() - togetherMs)
  return (answer?.thread?.messages?.nodes ?? []).filter(
    ({ position, createdAt }) =>
      position < lastMessage.position &&
      (after === undefined ? new Date(createdAt).getTime() >= since : position > after),
  )
}
