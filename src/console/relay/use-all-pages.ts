import { useEffect, useState } from 'react'

type Options = { onComplete: (error: Error | null) => void }
type Pages = {
  hasNext: boolean
  isLoadingNext: boolean
  loadNext: (count: number, options: Options) => unknown
}

const [pageSize, most] = [100, 2000]
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
    const timer = setTimeout(() => loadNext(pageSize, { onComplete }), hasFailed ? retryMs : 0)
    return () => clearTimeout(timer)
  }, [isComplete, isLoadingNext, hasFailed, loadNext])
  return hasNext && isFull
}
