const [second, minute, hour] = [1000, 60_000, 3_600_000]
const firstGaps = [10 * second, minute, 10 * minute]
const maxGap = 12 * hour
const maxRetryAfter = 12 * hour

/** A delivery is attempted for this long, and an endpoint that has failed for this long is paused. */
export const givingUpMs = 72 * hour

/**
 * Returns the time until the next attempt: 10 s, 1 min, 10 min, and then gaps that double from 30 min to 12 h, each up to
 * 20 % shorter or longer. The last attempt is 3 days after the start. Returns undefined after that.
 */
export function nextGapMs({
  attempts,
  ageMs,
  retryAfter,
}: {
  attempts: number
  /** The time since the start of the delivery. */
  ageMs: number
  retryAfter?: string | undefined
}): number | undefined {
  if (ageMs >= givingUpMs) return undefined
  const gap = Math.max(gapAfter(attempts), retryAfterMs(retryAfter))
  return Math.min(gap, givingUpMs - ageMs)
}

function gapAfter(attempts: number): number {
  const first = firstGaps[attempts - 1]
  if (first !== undefined) return first
  const gap = Math.min(30 * minute * 2 ** (attempts - firstGaps.length - 1), maxGap)
  return gap * (0.8 + 0.4 * Math.random())
}

/** Reads Retry-After: seconds or a date (RFC 9110 10.2.3). */
function retryAfterMs(value: string | undefined): number {
  if (value === undefined) return 0
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * second : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxRetryAfter)
}
