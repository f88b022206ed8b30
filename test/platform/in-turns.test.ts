import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { databaseForCaller, databaseForRequest } from '../../src/platform/request-database.ts'
import { inTurns, recordConnection } from '../../src/platform/scheduling/in-turns.ts'

const much = 20_000
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

test('small work runs immediately', async () => {
  // The tests of another file may have used the time of this turn.
  await expect.poll(() => inTurns({}, 100, () => 'done') === 'done').toBe(true)
})

test('large work runs in order, one piece in each turn of the event loop', async () => {
  const seen: string[] = []
  const pieces = [1, 2, 3].map(async (piece) => {
    await inTurns({}, much, () => seen.push(`piece ${piece}`))
  })
  const others = (async () => {
    while (!seen.includes('piece 3')) {
      await setImmediate()
      seen.push('another')
    }
  })()
  await Promise.all([...pieces, others])
  const places = [1, 2, 3].map((piece) => seen.indexOf(`piece ${piece}`))
  expect(places).toEqual([...places].sort((one, other) => one - other))
  expect(seen.slice(places[0], places[1])).toContain('another')
  expect(seen.slice(places[1], places[2])).toContain('another')
})

test('small work waits for work that was added before', async () => {
  const seen: string[] = []
  const first = inTurns({}, 2 * much, () => seen.push('much'))
  const second = inTurns({}, 1, () => seen.push('little'))
  await Promise.all([first, second])
  expect(seen).toEqual(['much', 'little'])
})

test('small work of one caller does not wait for all the work of another caller', async () => {
  const seen: string[] = []
  const dbOf = (caller: string) => databaseForCaller({}, caller)
  const noisy = times(20, (n) => inTurns(dbOf('noisy'), much, () => seen.push(`noisy ${n}`)))
  const quiet = times(20, (n) => inTurns(dbOf('quiet'), 100, () => seen.push(`quiet ${n}`)))
  await Promise.all([...noisy, ...quiet])
  expect(seen.filter((name) => name.startsWith('quiet'))).toEqual(times(20, (n) => `quiet ${n}`))
  expect(seen.indexOf('quiet 19')).toBeLessThan(seen.indexOf('noisy 4'))
})

test('work that fails does not affect other work, and aborted work does not run', async () => {
  const controller = new AbortController()
  const db = databaseForRequest({}, controller.signal)
  const failing = inTurns({}, 2 * much, () => {
    throw new Error('broken')
  })
  const unwanted = inTurns(db, much, () => 'done')
  const wanted = inTurns({}, much, () => 'done')
  controller.abort(new Error('too late'))
  await expect(failing).rejects.toThrow('broken')
  await expect(unwanted).rejects.toThrow('too late')
  expect(await wanted).toBe('done')
})

test('work pauses while new connections arrive, but not forever', async () => {
  const seen: string[] = []
  const work = Promise.all([1, 2].map((piece) => inTurns({}, much, () => seen.push(`piece ${piece}`))))
  for (let turn = 0; turn < 20; turn++) {
    recordConnection()
    await setImmediate()
  }
  expect(seen).not.toContain('piece 2')
  const withoutEnd = setInterval(recordConnection)
  await work
  clearInterval(withoutEnd)
  expect(seen).toEqual(['piece 1', 'piece 2'])
})
