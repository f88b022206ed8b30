const periodMs = 1000

/** Returns the value of the generated column `threads.activity_period` for a time. */
export function activityPeriodOf(time: Date): number {
  return Math.floor(time.getTime() / periodMs)
}
