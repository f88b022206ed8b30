import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ConnectionShares, type Use } from '../../src/database/connection-shares.ts'
import { databaseFailure } from '../../src/database/database-errors.ts'

// What still waits when a test ends must not fail later.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs work that uses one of the shared connections until the test ends the work. */
function workOn(connections: number) {
  const shares = new ConnectionShares(connections, 15_000)
  const running = new Map<string, () => void>()
  const run = (caller: string, use: Use, name: string, signal?: AbortSignal) =>
    shares.run({ caller, use, signal }, () => new Promise<void>((end) => running.set(name, end)))
  const end = async (name: string) => {
    running.get(name)?.()
    running.delete(name)
    await setImmediate()
  }
  return { run, end, running: () => [...running.keys()].join(' '), waiting: () => shares.waiting }
}

describe('with eight connections', () => {
  test('long statements get two slots, and one caller gets only one of them', () => {
    const work = workOn(8)
    for (const name of ['a1', 'a2', 'a3']) void work.run('a', 'long', name)
    for (const name of ['b1', 'b2']) void work.run('b', 'long', name)
    expect(work.running()).toBe('a1 b1')
  })

  test('transactions get four slots, and short statements get eight', () => {
    const work = workOn(8)
    for (const name of ['t1', 't2', 't3', 't4', 't5']) void work.run('a', 'transaction', name)
    void work.run('a', 'long', 'l1')
    for (let n = 1; n <= 9; n++) void work.run('a', 'short', `s${n}`)
    expect(work.running()).toBe('t1 t2 t3 t4 l1 s1 s2 s3 s4 s5 s6 s7 s8')
  })
})

test('one caller in the background leaves a place to the others', async () => {
  const work = workOn(10)
  for (let n = 1; n <= 8; n++) void work.run('a', 'background', `a${n}`)
  void work.run('b', 'background', 'b1')
  void work.run('b', 'background', 'b2')
  expect(work.running()).toBe('a1 a2 a3 a4 a5 a6 a7 b1')
  // The alarm is about the connections for requests.
  expect(work.waiting()).toBe(0)
  await work.end('a1')
  await work.end('a2')
  expect(work.running()).toBe('a3 a4 a5 a6 a7 b1 a8 b2')
})

describe('one connection', () => {
  test('goes to the callers in turn', async () => {
    const work = workOn(1)
    for (const name of ['a1', 'a2', 'a3']) void work.run('a', 'short', name)
    void work.run('b', 'short', 'b1')
    const order: string[] = []
    for (let n = 0; n < 4; n++) {
      order.push(work.running())
      await work.end(work.running())
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('is not given to work that is aborted while it waits', async () => {
    const work = workOn(1)
    const controller = new AbortController()
    void work.run('a', 'short', 'a1')
    const gone = work.run('b', 'short', 'b1', controller.signal)
    void work.run('c', 'short', 'c1')
    controller.abort(new Error('too late'))
    await expect(gone).rejects.toThrow('too late')
    await work.end('a1')
    expect(work.running()).toBe('c1')
  })
})

test('work without a signal fails if it waits too long, and its place goes to the next one', async () => {
  const work = workOn(1)
  void work.run('a', 'transaction', 'a1')
  const late = work.run('b', 'transaction', 'b1').catch((error: unknown) => error)
  const patient = new AbortController()
  void work.run('c', 'transaction', 'c1', patient.signal)
  vi.advanceTimersByTime(15_000)
  expect(databaseFailure(await late)).toBe('unavailable')
  await work.end('a1')
  expect(work.running()).toBe('c1')
})

test('work that fails releases its connection', async () => {
  const shares = new ConnectionShares(1, 15_000)
  const failing = shares.run({ use: 'short' }, () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  expect(await shares.run({ use: 'short' }, async () => 'done')).toBe('done')
})
