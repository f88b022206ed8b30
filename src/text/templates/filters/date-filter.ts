import type { Budget } from '../budget.ts'
import { numberOf, textOf } from '../values.ts'

const maxTimeCharacters = 100
/** A number below it is in seconds since 1970. Others are in milliseconds. */
const firstMilliseconds = 1e11
const defaultFormat = '%Y-%m-%d %H:%M UTC'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const parts = new Map<string, (time: Date) => string | number | undefined>([
  ['%', () => '%'],
  ['Y', (time) => time.getUTCFullYear()],
  ['m', (time) => twoDigits(time.getUTCMonth() + 1)],
  ['B', (time) => months[time.getUTCMonth()]],
  ['b', (time) => months[time.getUTCMonth()]?.slice(0, 3)],
  ['d', (time) => twoDigits(time.getUTCDate())],
  ['e', (time) => time.getUTCDate()],
  ['A', (time) => days[time.getUTCDay()]],
  ['a', (time) => days[time.getUTCDay()]?.slice(0, 3)],
  ['H', (time) => twoDigits(time.getUTCHours())],
  ['M', (time) => twoDigits(time.getUTCMinutes())],
  ['S', (time) => twoDigits(time.getUTCSeconds())],
])

/** Formats a time in UTC. The time is ISO 8601, or a number since 1970. What is no time stays as it is. */
export function date(budget: Budget, value: unknown, format: unknown): unknown {
  const time = new Date(millisecondsOf(value))
  if (Number.isNaN(time.getTime())) return value
  return textOf(format ?? defaultFormat, budget).replace(/%([a-zA-Z%])/g, (code, letter: string) =>
    String(parts.get(letter)?.(time) ?? code),
  )
}

function millisecondsOf(value: unknown): number {
  const number = numberOf(value)
  if (!Number.isNaN(number)) return number < firstMilliseconds ? number * 1000 : number
  return typeof value === 'string' && value.length <= maxTimeCharacters ? Date.parse(value) : Number.NaN
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
