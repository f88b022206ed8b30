const periodMs = 1000

/** Computes the generated column `threads.activity_period`. */
export function activityPeriodOf(time: Date): number {
  return Math.floor(time.getTime() / periodMs)
}
