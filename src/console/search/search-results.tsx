import { Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { searchResults_query$key } from '../../generated/console/searchResults_query.graphql.ts'
import type { searchResultsQuery } from '../../generated/console/searchResultsQuery.graphql.ts'
import { ShowMore } from '../page/show-more.tsx'
import { usePages } from '../relay/use-pages.ts'
import { useQuery } from '../relay/use-query.ts'
import { hintFor } from './no-results-hint.ts'
import { searchOf } from './search-filter.ts'
import { SearchResult } from './search-result.tsx'

const pageSize = 20

export function SearchResults({ params }: { params: URLSearchParams }) {
  const query = useQuery<searchResultsQuery>(
    graphql`
      query searchResultsQuery($query: String!, $filter: MessageSearchFilter, $order: MessageSearchOrder) {
        ...searchResults_query @arguments(query: $query, filter: $filter, order: $order)
      }
    `,
    searchOf(params),
    { fetchPolicy: 'store-and-network' },
  )
  return <Results query={query} params={params} />
}

function Results({ query, params }: { query: searchResults_query$key; params: URLSearchParams }) {
  const { data, more } = usePages(
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
    pageSize,
  )
  const edges = data.searchMessages?.edges ?? []
  if (edges.length === 0) return <NoResults params={params} />
  return (
    <>
      {edges.map((edge) => (
        <SearchResult key={edge.node.id} edge={edge} />
      ))}
      <ShowMore {...more} />
    </>
  )
}

function NoResults({ params }: { params: URLSearchParams }) {
  return (
    <Text pt="md" role="status">
      No messages found. {hintFor(params)}
    </Text>
  )
}
