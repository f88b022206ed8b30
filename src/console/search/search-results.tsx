import { Button, Text } from '@mantine/core'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay/hooks'
import type { searchResults_query$key } from '../../generated/console/searchResults_query.graphql.ts'
import type { searchResultsPageQuery } from '../../generated/console/searchResultsPageQuery.graphql.ts'
import type { searchResultsQuery } from '../../generated/console/searchResultsQuery.graphql.ts'
import { searchOf } from './search-filter.ts'
import { SearchResult } from './search-result.tsx'

const pageSize = 20

export function SearchResults({ params }: { params: URLSearchParams }) {
  const query = useLazyLoadQuery<searchResultsQuery>(
    graphql`
      query searchResultsQuery($query: String!, $filter: MessageSearchFilter, $order: MessageSearchOrder) {
        ...searchResults_query @arguments(query: $query, filter: $filter, order: $order)
      }
    `,
    searchOf(params),
    { fetchPolicy: 'store-and-network' },
  )
  return <Results query={query} />
}

function Results({ query }: { query: searchResults_query$key }) {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<
    searchResultsPageQuery,
    searchResults_query$key
  >(
    graphql`
      fragment searchResults_query on Query
      @refetchable(queryName: "searchResultsPageQuery")
      @argumentDefinitions(
        query: { type: "String!" }
        filter: { type: "MessageSearchFilter" }
        order: { type: "MessageSearchOrder" }
        first: { type: "Int", defaultValue: 20 }
        after: { type: "String" }
      ) {
        searchMessages(query: $query, filter: $filter, order: $order, first: $first, after: $after)
          @connection(key: "searchResults_searchMessages") {
          edges { node { id } ...searchResult_edge }
        }
      }
    `,
    query,
  )
  const edges = data.searchMessages?.edges ?? []
  if (edges.length === 0)
    return (
      <Text pt="md" role="status">
        No message was found. Use fewer words, or remove a filter.
      </Text>
    )
  return (
    <>
      {edges.map((edge) => (
        <SearchResult key={edge.node.id} edge={edge} />
      ))}
      {hasNext && (
        <Button variant="subtle" mt="sm" loading={isLoadingNext} onClick={() => loadNext(pageSize)}>
          Show more results
        </Button>
      )}
    </>
  )
}
