const isTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)? ?(?:(Z|UTC)|([+-]\d\d):?(\d\d))?$/

/**
 * Returns the `version` of an operation: microseconds since 1970. GitHub's times have only seconds. Therefore `rank`, from 0
 * to 999, orders what happens at the same time. GitLab also writes `2026-01-31 12:00:00 UTC`.
 */
export function versionOf(time: unknown, rank = 0): { version?: number } {
  const milliseconds = millisecondsOf(time)
  const version = milliseconds === undefined ? Number.NaN : milliseconds * 1000 + rank
  return Number.isSafeInteger(version) && version >= 0 ? { version } : {}
}

/** Returns the latest of some times. Values that are not times do not count. */
export function latestOf(times: readonly unknown[]): string | undefined {
  let latest: number | undefined
  for (const time of times) {
    const milliseconds = millisecondsOf(time)
    if (milliseconds !== undefined && !(latest !== undefined && latest >= milliseconds)) latest = milliseconds
  }
  return latest === undefined ? undefined : new Date(latest).toISOString()
}

function millisecondsOf(time: unknown): number | undefined {
  const [, date, clock, fraction = '', , hours = '+00', minutes = '00'] =
    isTime.exec(typeof time === 'string' ? time : '') ?? []
  const parsed = Date.parse(`${date}T${clock}.${fraction.padEnd(3, '0')}${hours}:${minutes}`)
  return Number.isNaN(parsed) ? undefined : parsed
}
