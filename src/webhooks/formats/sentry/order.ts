import { cleanText } from '../alerts/alert-text.ts'

/** The order of calls with the same time. */
const ranks = { event: 0, begins: 1, changes: 2 }
const places = 4
const maxTime = Date.UTC(9999)

/** Returns the version of a message: the time, and then the rank. Undefined if the time is not known. */
export function versionOf(time: number | undefined, rank: keyof typeof ranks): { version?: number } {
  return time === undefined ? {} : { version: Math.floor(time) * places + ranks[rank] }
}

/** Returns a time in milliseconds, from ISO 8601 or a number of seconds. A time without a zone is in UTC. */
export function millisecondsOf(value: unknown): number | undefined {
  const text = cleanText(value).slice(0, 40)
  const isNumber = /^\d+(\.\d+)?$/.test(text)
  if (!isNumber && !/^\d{4}-\d\d-\d\dT/.test(text)) return undefined
  const hasZone = /Z$|[+-]\d\d:?\d\d$/i.test(text)
  const time = isNumber ? Number(text) * 1000 : Date.parse(hasZone ? text : `${text}Z`)
  return time >= 0 && time < maxTime ? time : undefined
}
