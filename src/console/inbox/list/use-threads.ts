import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { useThreads_query$key } from '../../../generated/console/useThreads_query.graphql.ts'
import type { useThreadsPageQuery } from '../../../generated/console/useThreadsPageQuery.graphql.ts'

/** Returns the threads that match a filter, with the latest activity first. `useLiveInbox` keeps them current. */
export function useThreads(query: useThreads_query$key) {
  const { data, ...pages } = usePaginationFragment<useThreadsPageQuery, useThreads_query$key>(
    graphql`
      fragment useThreads_query on Query
      @refetchable(queryName: "useThreadsPageQuery")
      @argumentDefinitions(
        first: { type: "Int", defaultValue: 50 }
        after: { type: "String" }
        filter: { type: "ThreadFilter" }
      ) {
        threads(first: $first, after: $after, order: lastMessage, filter: $filter)
          @connection(key: "useThreads_threads", filters: ["filter"]) {
          edges {
            node {
              id kind isPeristentChat messageCount state isMine isFollowed unreadMentionCount
              recipients(first: 5) { nodes { id } pageInfo { hasNextPage } }
              ...threadRow_thread
            }
          }
        }
      }
    `,
    query,
  )
  return { ...pages, threads: data.threads?.edges.map(({ node }) => node) ?? [] }
}
