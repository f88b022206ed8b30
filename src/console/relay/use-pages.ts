import { usePaginationFragment } from 'react-relay/hooks'
import type { FragmentType, GraphQLTaggedNode, OperationType } from 'relay-runtime'

/** Reads a fragment with a connection. `more` is for the button that loads the next page, and `pageSize` its size. */
export function usePages<Data>(
  fragment: GraphQLTaggedNode,
  of: Readonly<{ ' $data'?: Data; ' $fragmentSpreads': FragmentType }>,
  pageSize = 50,
) {
  const pages = usePaginationFragment<OperationType, typeof of>(fragment, of)
  const { data, hasNext, isLoadingNext, loadNext } = pages
  return { data, more: { hasMore: hasNext, isLoading: isLoadingNext, onMore: () => loadNext(pageSize) } }
}
