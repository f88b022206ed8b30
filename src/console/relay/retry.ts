const [firstPauseMs, longestPauseMs] = [500, 10_000]
const pauses = new Set<() => void>()

/** Waits before the next attempt, and longer after each one. Stops waiting when the browser is online again. */
export function untilRetry(attempt: number): Promise<void> {
  const pauseMs = Math.min(firstPauseMs * 2 ** attempt, longestPauseMs) * (0.75 + Math.random() / 2)
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      pauses.delete(end)
      resolve()
    }
    const timer = setTimeout(end, pauseMs)
    addEventListener('online', end)
    pauses.add(end)
  })
}

/** Ends all pauses. */
export function retryNow(): void {
  for (const end of pauses) end()
}
