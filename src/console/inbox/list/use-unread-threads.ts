import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { useUnreadThreads_query$key } from '../../../generated/console/useUnreadThreads_query.graphql.ts'
import type { useUnreadThreadsPageQuery } from '../../../generated/console/useUnreadThreadsPageQuery.graphql.ts'

/** Returns the threads that were unread when they were loaded or changed, with the latest activity first. */
export function useUnreadThreads(query: useUnreadThreads_query$key) {
  const { data, ...pages } = usePaginationFragment<useUnreadThreadsPageQuery, useUnreadThreads_query$key>(
    graphql`
      fragment useUnreadThreads_query on Query
      @refetchable(queryName: "useUnreadThreadsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" }) {
        unread: threads(first: $first, after: $after, order: lastMessage, filter: { unread: true })
          @connection(key: "useUnreadThreads_unread", filters: []) {
          edges { node { id unreadCount isPeristentChat messageCount ...threadRow_thread } }
        }
      }
    `,
    query,
  )
  return { ...pages, threads: data.unread?.edges.map(({ node }) => node) ?? [] }
}
