import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { useAllGroups_query$key } from '../../../generated/console/useAllGroups_query.graphql.ts'
import type { useAllGroupsPageQuery } from '../../../generated/console/useAllGroupsPageQuery.graphql.ts'
import { useAllPages } from '../../relay/use-all-pages.ts'

/** Loads the first 2,000 groups that the person can see. Returns them, and whether there are more. */
export function useAllGroups(query: useAllGroups_query$key) {
  const { data, ...pages } = usePaginationFragment<useAllGroupsPageQuery, useAllGroups_query$key>(
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
  // The node is null after the person has left a private group.
  const groups = data.groups?.edges.flatMap(({ node }) => node ?? []) ?? []
  const hasOthers = useAllPages(pages, groups.length)
  return { groups, hasOthers }
}
