import { useEffect } from 'react'
import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { useAllUsers_query$key } from '../../generated/console/useAllUsers_query.graphql.ts'
import type { useAllUsersPageQuery } from '../../generated/console/useAllUsersPageQuery.graphql.ts'

const [pageSize, most] = [100, 2000]

/** Loads the first 2,000 users, page after page. The API cannot search users by name. */
export function useAllUsers(query: useAllUsers_query$key) {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<
    useAllUsersPageQuery,
    useAllUsers_query$key
  >(
    graphql`
      fragment useAllUsers_query on Query
      @refetchable(queryName: "useAllUsersPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 100 }, after: { type: "String" }) {
        users(first: $first, after: $after) @connection(key: "useAllUsers_users") {
          edges { node { id name kind } }
        }
      }
    `,
    query,
  )
  const users = data.users?.edges.map(({ node }) => node) ?? []
  const isComplete = !hasNext || users.length >= most
  useEffect(() => {
    if (!isComplete && !isLoadingNext) loadNext(pageSize)
  }, [isComplete, isLoadingNext, loadNext])
  return users
}
