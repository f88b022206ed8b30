/** Of `threads.activity_period`. */
const periodMs = 1000

/** The value of `threads.activity_period` for a time of last activity. */
export function activityPeriodOf(time: Date): number {
  return Math.floor(time.getTime() / periodMs)
}
