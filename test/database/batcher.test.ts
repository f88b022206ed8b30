import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type BatchLimits, batcher } from '../../src/database/batches/batcher.ts'
import type { Database } from '../../src/database/database.ts'

const db = {} as Database

/** Waits until the batcher has done everything that it can do. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
}

/** Batches numbers, and holds each batch until the test ends it. */
function batchNumbers(limits: Partial<BatchLimits<number>> = {}) {
  const batches: { calls: number[]; end: (failure?: Error) => void }[] = []
  const call = batcher<number, string>(
    { running: 1, calls: 100, ...limits },
    (_db, calls) =>
      new Promise((resolve, reject) => {
        const end = (failure?: Error) =>
          failure ? reject(failure) : resolve(calls.map((n) => `answer ${n}`))
        batches.push({ calls, end })
      }),
  )
  const calls = () => batches.map((one) => one.calls)
  return { call: (n: number, queue = '', of = db) => call(of, queue, n), batches, calls }
}

describe('calls', () => {
  test('in one turn of the event loop form a batch, and each gets its own answer', async () => {
    const { call, batches, calls } = batchNumbers()
    const answers = Promise.all([call(1), call(2), call(3)])
    await settle()
    expect(calls()).toEqual([[1, 2, 3]])
    batches[0]?.end()
    expect(await answers).toEqual(['answer 1', 'answer 2', 'answer 3'])
  })

  test('that arrive while a batch is in flight wait for it, and form the next batch in order', async () => {
    const { call, batches, calls } = batchNumbers()
    const first = call(1)
    await settle()
    const later = [call(2), call(3)]
    await settle()
    later.push(call(4))
    await settle()
    expect(calls()).toEqual([[1]])
    batches[0]?.end()
    await first
    await settle()
    expect(calls()).toEqual([[1], [2, 3, 4]])
    batches[1]?.end()
    expect(await Promise.all(later)).toEqual(['answer 2', 'answer 3', 'answer 4'])
  })

  test('in other queues and in a transaction do not wait for each other', async () => {
    const { call, calls } = batchNumbers()
    void call(1, 'a')
    void call(2, 'b')
    void call(3, 'a', {} as Database)
    await settle()
    expect(calls()).toEqual([[1], [2], [3]])
  })

  test('run in as many batches at the same time as are allowed', async () => {
    const { call, calls } = batchNumbers({ running: 2, calls: 2 })
    for (const n of [1, 2, 3, 4, 5]) void call(n)
    await settle()
    expect(calls()).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('with waitsForEqualBatch, wait until as many calls wait as are in flight, or until none is in flight', async () => {
    const { call, batches, calls } = batchNumbers({ running: 2, waitsForEqualBatch: true })
    for (const n of [1, 2]) void call(n)
    await settle()
    void call(3)
    await settle()
    expect(calls()).toEqual([[1, 2]])
    void call(4)
    await settle()
    expect(calls()).toEqual([
      [1, 2],
      [3, 4],
    ])
    void call(5)
    batches[0]?.end()
    await settle()
    expect(calls()).toHaveLength(2)
    batches[1]?.end()
    await settle()
    expect(calls()[2]).toEqual([5])
  })

  test('form batches with a maximum number and total size of calls, and a call that is too large runs alone', async () => {
    const { call, batches, calls } = batchNumbers({ calls: 3, size: { max: 10, of: (n) => n } })
    for (const n of [1, 1, 1, 1, 8, 2, 50, 1]) void call(n)
    for (let index = 0; index < 5; index += 1) {
      await settle()
      batches[index]?.end()
    }
    expect(calls()).toEqual([[1, 1, 1], [1, 8], [2], [50], [1]])
  })

  test('of different owners take turns if a batch cannot hold all of them, and keep the order of each owner', async () => {
    const { call, batches, calls } = batchNumbers({ calls: 4, owner: (n) => `${Math.floor(n / 10)}` })
    for (const n of [10, 11, 12, 13, 14, 20, 21, 30]) void call(n)
    for (let index = 0; index < 2; index += 1) {
      await settle()
      batches[index]?.end()
    }
    expect(calls()).toEqual([
      [10, 20, 30, 11],
      [21, 12, 13, 14],
    ])
  })
})

describe('a failure', () => {
  const failure = new Error('no')

  test('rejects all calls of the batch, and the next calls run', async () => {
    const { call, batches } = batchNumbers()
    const answers = Promise.allSettled([call(1), call(2)])
    await settle()
    batches[0]?.end(failure)
    const rejected = { status: 'rejected', reason: failure }
    expect(await answers).toEqual([rejected, rejected])
    const next = call(3)
    await settle()
    batches[1]?.end()
    expect(await next).toBe('answer 3')
  })

  test('rejects only the calls that fail alone, if the batch is retried in halves', async () => {
    const { call, batches, calls } = batchNumbers({ splitOnError: () => 'halves' })
    const answers = Promise.allSettled([call(1), call(2), call(3)])
    await settle()
    for (const end of [failure, failure, failure, undefined, undefined]) {
      batches.at(-1)?.end(end)
      await settle()
    }
    expect(calls()).toEqual([[1, 2, 3], [1, 2], [1], [2], [3]])
    const [one, two, three] = await answers
    expect(one).toEqual({ status: 'rejected', reason: failure })
    expect(two).toEqual({ status: 'fulfilled', value: 'answer 2' })
    expect(three).toEqual({ status: 'fulfilled', value: 'answer 3' })
  })

  test('moves the calls to a queue for each key, and a queue does not block calls with other keys', async () => {
    const { call, batches, calls } = batchNumbers({
      splitOnError: () => 'queues',
      splitKey: (n) => `${n % 2}`,
    })
    const answers = Promise.allSettled([call(1), call(2), call(3)])
    await settle()
    batches[0]?.end(failure)
    await settle()
    expect(calls()).toEqual([[1, 2, 3], [1, 3], [2]])
    batches[2]?.end()
    await settle()
    const [five, four] = [call(5), call(4)]
    await settle()
    expect(calls().slice(3)).toEqual([[4]])
    batches[1]?.end(failure)
    await settle()
    expect(calls().slice(4)).toEqual([[5]])
    const rejected = { status: 'rejected', reason: failure }
    expect(await answers).toEqual([rejected, { status: 'fulfilled', value: 'answer 2' }, rejected])
    batches[3]?.end()
    batches[4]?.end()
    expect(await Promise.all([four, five])).toEqual(['answer 4', 'answer 5'])
    const seven = call(7)
    const eight = call(8)
    await settle()
    expect(calls().slice(5)).toEqual([[7, 8]])
    batches[5]?.end()
    await Promise.all([seven, eight])
  })
})
