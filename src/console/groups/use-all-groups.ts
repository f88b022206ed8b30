import { useEffect } from 'react'
import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { useAllGroups_query$key } from '../../generated/console/useAllGroups_query.graphql.ts'
import type { useAllGroupsPageQuery } from '../../generated/console/useAllGroupsPageQuery.graphql.ts'

const [pageSize, most] = [100, 2000]

/** Loads the first 2,000 groups that the person can see, page after page. */
export function useAllGroups(query: useAllGroups_query$key) {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<
    useAllGroupsPageQuery,
    useAllGroups_query$key
  >(
    graphql`
      fragment useAllGroups_query on Query
      @refetchable(queryName: "useAllGroupsPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 100 }, after: { type: "String" }) {
        groups(first: $first, after: $after) @connection(key: "useAllGroups_groups") {
          edges { node { id name description viewerRole ...groupRow_group } }
        }
      }
    `,
    query,
  )
  const groups = data.groups?.edges.map(({ node }) => node) ?? []
  const isComplete = !hasNext || groups.length >= most
  useEffect(() => {
    if (!isComplete && !isLoadingNext) loadNext(pageSize)
  }, [isComplete, isLoadingNext, loadNext])
  return groups
}
