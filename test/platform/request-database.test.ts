import { getEventListeners } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { batcher } from '../../src/database/batches/batcher.ts'
import { inTransaction } from '../../src/database/database.ts'
import { query } from '../../src/database/query.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { bindingOf, databaseForRequest, whenAll } from '../../src/platform/request-database.ts'
import type { Signal } from '../../src/platform/request-signal.ts'
import { testDatabase } from '../support/database.ts'

const { db, close } = await testDatabase()
await db.$executeRawUnsafe('CREATE TABLE written (name text)')
afterAll(close)

const reason = new Error('Time is over')
const insert = Prisma.sql`INSERT INTO written VALUES ('x')`

function bounded() {
  const controller = new AbortController()
  const { signal } = controller
  return { own: databaseForRequest(db, signal), signal, abort: () => controller.abort(reason) }
}

describe('a database with an abort signal', () => {
  test('works until the signal is aborted', async () => {
    const { own } = bounded()
    expect(await query(own, Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
    expect(await own.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }])
    expect(await own.workspace.count()).toBe(0)
    expect(await inTransaction(own, (tx) => query(tx, Prisma.sql`SELECT 1 AS one`))).toEqual([{ one: 1 }])
  })

  test('runs no statement after the signal is aborted', async () => {
    const { own, abort } = bounded()
    abort()
    await expect(query(own, insert)).rejects.toBe(reason)
    expect(() => own.workspace).toThrow(reason)
    expect(() => own.$executeRaw(insert)).toThrow(reason)
    await expect((async () => inTransaction(own, () => Promise.resolve(1)))()).rejects.toBe(reason)
    expect(await query(db, Prisma.sql`SELECT FROM written`)).toEqual([])
  })

  test('rolls back its transaction when the signal is aborted', async () => {
    const { own, abort } = bounded()
    const writing = inTransaction(own, async (tx) => {
      await query(tx, insert)
      abort()
      await query(tx, insert)
    })
    await expect(writing).rejects.toBe(reason)
    expect(await query(db, Prisma.sql`SELECT FROM written`)).toEqual([])
  })
})

describe('batched calls', () => {
  /** Creates a batcher whose batches wait until `next` releases them. */
  function gated() {
    const runs: { calls: string[]; signal: Signal | undefined; letGo: () => void }[] = []
    const join = batcher<string, string>({ running: 1, calls: 10 }, (given, calls) => {
      return new Promise((resolve) => {
        runs.push({ calls, signal: bindingOf(given).signal, letGo: () => resolve(calls) })
      })
    })
    const hasRun = () => expect.poll(() => runs.length).toBeGreaterThan(0)
    const next = async () => {
      await hasRun()
      const run = runs.shift()
      run?.letGo()
      return run
    }
    return { join, hasRun, runs, next }
  }

  test('leave out a caller that is aborted before the batch starts', async () => {
    const { join, hasRun, next } = gated()
    const [gone, stays] = [bounded(), bounded()]
    const first = join(db, '', 'first')
    await hasRun()
    const calls = [join(gone.own, '', 'gone'), join(stays.own, '', 'stays')]
    gone.abort()
    const settled = Promise.allSettled(calls)
    expect((await next())?.calls).toEqual(['first'])
    expect(await first).toBe('first')
    expect((await next())?.calls).toEqual(['stays'])
    expect(await settled).toEqual([
      { status: 'rejected', reason },
      { status: 'fulfilled', value: 'stays' },
    ])
  })

  test('still run in a queue whose earlier waiting callers were all aborted', async () => {
    const { join, hasRun, next } = gated()
    const gone = bounded()
    const first = join(db, '', 'first')
    await hasRun()
    const left = join(gone.own, '', 'gone').catch((error: unknown) => error)
    gone.abort()
    await next()
    expect([await first, await left]).toEqual(['first', reason])
    const later = join(db, '', 'later')
    await next()
    expect(await later).toBe('later')
  })

  test('are aborted when the last of their callers is aborted', async () => {
    const { join, hasRun, runs, next } = gated()
    const [one, other] = [bounded(), bounded()]
    const calls = [join(one.own, '', 'one'), join(other.own, '', 'other'), join(other.own, '', 'third')]
    await hasRun()
    const [run] = runs
    expect(run?.calls).toHaveLength(3)
    one.abort()
    expect(run?.signal?.aborted).toBe(false)
    other.abort()
    expect([run?.signal?.aborted, run?.signal?.reason]).toEqual([true, reason])
    await next()
    await Promise.all(calls)
  })

  test('remove the abort listeners of their callers when they end', async () => {
    const { join, next } = gated()
    const [one, other] = [bounded(), bounded()]
    const calls = [join(one.own, '', 'one'), join(other.own, '', 'other')]
    await next()
    await Promise.all(calls)
    expect([one, other].map(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([[], []])
  })

  test('are not aborted if one caller has no signal', async () => {
    const { join, next } = gated()
    const one = bounded()
    const calls = [join(one.own, '', 'one'), join(db, '', 'other')]
    expect((await next())?.signal).toBeUndefined()
    await Promise.all(calls)
  })
})

test('whenAll aborts its signal when all given signals are aborted, even if some were aborted before', () => {
  const [open, done] = [new AbortController(), AbortSignal.abort(reason)]
  const { signal: combined } = whenAll(new Set([open.signal, done]))
  expect(combined?.aborted).toBe(false)
  open.abort(reason)
  expect(combined?.aborted).toBe(true)
  expect(whenAll(new Set([done, AbortSignal.abort(reason)])).signal?.aborted).toBe(true)
})
