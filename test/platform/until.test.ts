import { afterAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { inTransaction } from '../../src/platform/database.ts'
import { joining } from '../../src/platform/joining.ts'
import { query } from '../../src/platform/query.ts'
import { boundsOf, databaseUntil, whenAll } from '../../src/platform/until.ts'
import { testDatabase } from '../support/database.ts'

const { db, close } = await testDatabase()
await db.$executeRawUnsafe('CREATE TABLE written (name text)')
afterAll(close)

const reason = new Error('Time is over')
const insert = Prisma.sql`INSERT INTO written VALUES ('x')`

function bounded() {
  const controller = new AbortController()
  return { own: databaseUntil(db, controller.signal), abort: () => controller.abort(reason) }
}

describe('a database until a signal', () => {
  test('is the database until then', async () => {
    const { own } = bounded()
    expect(await query(own, Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
    expect(await own.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }])
    expect(await own.workspace.count()).toBe(0)
    expect(await inTransaction(own, (tx) => query(tx, Prisma.sql`SELECT 1 AS one`))).toEqual([{ one: 1 }])
  })

  test('begins nothing after it', async () => {
    const { own, abort } = bounded()
    abort()
    await expect(query(own, insert)).rejects.toBe(reason)
    expect(() => own.workspace).toThrow(reason)
    expect(() => own.$executeRaw(insert)).toThrow(reason)
    await expect((async () => inTransaction(own, () => Promise.resolve(1)))()).rejects.toBe(reason)
    expect(await query(db, Prisma.sql`SELECT FROM written`)).toEqual([])
  })

  test('undoes the transaction that it is in', async () => {
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

describe('joined calls', () => {
  /** Calls that wait until they are let go, with what each joint call was given. */
  function gated() {
    const runs: { calls: string[]; signal: AbortSignal | undefined; letGo: () => void }[] = []
    const join = joining<string, string>({ running: 1, calls: 10 }, (given, calls) => {
      return new Promise((resolve) => {
        runs.push({ calls, signal: boundsOf(given).signal, letGo: () => resolve(calls) })
      })
    })
    const next = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      const run = runs.shift()
      run?.letGo()
      return run
    }
    return { join, next }
  }

  test('leave out who is gone before they begin', async () => {
    const { join, next } = gated()
    const [gone, stays] = [bounded(), bounded()]
    const first = join(db, '', 'first')
    await new Promise((resolve) => setTimeout(resolve, 10))
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

  test('go on in a lane where all who waited are gone', async () => {
    const { join, next } = gated()
    const gone = bounded()
    const first = join(db, '', 'first')
    await new Promise((resolve) => setTimeout(resolve, 10))
    const left = join(gone.own, '', 'gone').catch((error: unknown) => error)
    gone.abort()
    await next()
    expect([await first, await left]).toEqual(['first', reason])
    const later = join(db, '', 'later')
    await next()
    expect(await later).toBe('later')
  })

  test('end with the last of their callers', async () => {
    const { join, next } = gated()
    const [one, other] = [bounded(), bounded()]
    const calls = [join(one.own, '', 'one'), join(other.own, '', 'other'), join(other.own, '', 'third')]
    const run = await next()
    expect(run?.calls).toHaveLength(3)
    one.abort()
    expect(run?.signal?.aborted).toBe(false)
    other.abort()
    expect([run?.signal?.aborted, run?.signal?.reason]).toEqual([true, reason])
    await Promise.all(calls)
  })

  test('do not end where a caller has no end', async () => {
    const { join, next } = gated()
    const one = bounded()
    const calls = [join(one.own, '', 'one'), join(db, '', 'other')]
    expect((await next())?.signal).toBeUndefined()
    await Promise.all(calls)
  })
})

test('signals that have aborted count', () => {
  const [open, done] = [new AbortController(), AbortSignal.abort(reason)]
  const joint = whenAll(new Set([open.signal, done]))
  expect(joint?.aborted).toBe(false)
  open.abort(reason)
  expect(joint?.aborted).toBe(true)
  expect(whenAll(new Set([done, AbortSignal.abort(reason)]))?.aborted).toBe(true)
})
