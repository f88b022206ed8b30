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

type Options = { onComplete: (error: Error | null) => void }

const droppedMs = 200

/**
 * Returns a function that calls `load` now, or when Relay accepts it: when the page that is loading has arrived, or the
 * query of the list. A list announces its end only once.
 */
export function useQueuedLoad(isLoading: boolean, load: (options: Options) => void): () => void {
  const isWanted = useRef(false)
  const [attempts, setAttempts] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const run = (start: typeof load) => {
    // Relay completes at once what it does not load.
    let isDropped = true
    const onComplete = () => {
      if (!isDropped) return
      isWanted.current = true
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setAttempts((count) => count + 1), droppedMs)
    }
    isWanted.current = false
    start({ onComplete })
    isDropped = false
  }
  const runLatest = useEffectEvent(() => run(load))
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each attempt loads again.
  useEffect(() => {
    if (!isLoading && isWanted.current) runLatest()
  }, [isLoading, attempts])
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    if (isLoading) isWanted.current = true
    else run(load)
  }
}

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
