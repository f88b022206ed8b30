type Call = { at: number; run: () => void }

const calls = new Set<Call>()
let timer: NodeJS.Timeout | undefined
let firesAt = Number.POSITIVE_INFINITY

/**
 * Calls a function at a time of `performance.now()`. Returns a function that cancels the call. All calls share one
 * timer, and a cancelled call leaves it as it is, because nearly all work ends long before its deadline.
 */
export function callAt(at: number, run: () => void): () => void {
  const call = { at, run }
  calls.add(call)
  if (at < firesAt) setTimer(at)
  return () => void calls.delete(call)
}

function setTimer(at: number): void {
  clearTimeout(timer)
  firesAt = at
  timer = setTimeout(runDue, Math.max(0, Math.ceil(at - performance.now()))).unref()
}

function runDue(): void {
  firesAt = Number.POSITIVE_INFINITY
  const now = performance.now()
  const due = [...calls].filter(({ at }) => at <= now)
  for (const call of due) {
    calls.delete(call)
    call.run()
  }
  let next = Number.POSITIVE_INFINITY
  for (const { at } of calls) next = Math.min(next, at)
  if (next < firesAt) setTimer(next)
}
