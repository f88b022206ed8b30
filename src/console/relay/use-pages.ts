import { useEffect, useEffectEvent, useRef, useState } from 'react'
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

/**
 * Returns a function that calls `load` now, or when the page that is loading has arrived. A list announces its end only
 * once, which can be before Relay accepts the next call.
 */
export function useQueuedLoad(isLoading: boolean, load: () => void): () => void {
  const isWanted = useRef(false)
  const start = useEffectEvent(load)
  useEffect(() => {
    if (isLoading || !isWanted.current) return
    isWanted.current = false
    start()
  }, [isLoading])
  return () => {
    if (isLoading) isWanted.current = true
    else load()
  }
}

type Options = { onComplete: (error: Error | null) => void }
type Pages = {
  hasNext: boolean
  isLoadingNext: boolean
  loadNext: (count: number, options: Options) => unknown
}

const [largestPage, most] = [100, 2000]
const retryMs = 5000

/**
 * Loads a connection page after page, until it is complete or has 2,000 nodes. After a failure, tries again five seconds
 * later. Returns true if the connection has more than 2,000 nodes.
 */
export function useAllPages({ hasNext, isLoadingNext, loadNext }: Pages, loadedCount: number): boolean {
  const [hasFailed, setFailed] = useState(false)
  const isFull = loadedCount >= most
  const isComplete = !hasNext || isFull
  useEffect(() => {
    if (isComplete || isLoadingNext) return
    const onComplete = (error: Error | null) => setFailed(error !== null)
    const timer = setTimeout(() => loadNext(largestPage, { onComplete }), hasFailed ? retryMs : 0)
    return () => clearTimeout(timer)
  }, [isComplete, isLoadingNext, hasFailed, loadNext])
  return hasNext && isFull
}
