import { expect, test } from 'vitest'
import { dayOf, shortTime } from '../../src/console/text/time.ts'

/** Returns noon of a day of March 2026. */
const noon = (day: number) => new Date(2026, 2, day, 12).toISOString()
const today = new Date(2026, 2, 30).toDateString()

test('days have names: today and yesterday, also where a day has 23 hours', () => {
  expect([noon(30), noon(29)].map((time) => dayOf(time, today))).toEqual(['Today', 'Yesterday'])
  for (const day of [31, 28, 1]) expect(dayOf(noon(day), today)).toMatch(/2026/)
})

test('a short time is the time of day, a weekday for the six days before, or a date', () => {
  const short = (day: number) => shortTime(noon(day), today)
  const weekday = (day: number) => new Date(2026, 2, day).toLocaleDateString(undefined, { weekday: 'short' })
  expect(short(30)).toMatch(/^12:00/)
  expect([29, 24].map(short)).toEqual([29, 24].map(weekday))
  for (const day of [31, 23]) expect(short(day)).toMatch(/Mar/)
})
