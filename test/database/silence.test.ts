import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '../../src/database/database.ts'
import { databaseFailure } from '../../src/database/database-errors.ts'
import { query } from '../../src/database/query.ts'
import { testDatabase } from '../support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { callAll, endpointsOf } from '../support/endpoints.ts'
import { makeWorld } from '../support/factories.ts'
import { onServer } from '../support/global-setup.ts'
import { startService } from '../support/service.ts'
import { md5Of } from '../support/uploads.ts'

const longestMs = 20_000
const poolSize = 10
const sleeping = `FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(%'
  AND state = 'active' AND pid <> pg_backend_pid()`

describe.runIf(process.env.TEST_DATABASE_URL)('a PostgreSQL server that stops responding', async () => {
  if (!process.env.TEST_DATABASE_URL) return
  let proxy: DatabaseProxy
  const database = await testDatabase(async (url) => {
    proxy = await startDatabaseProxy(url)
    return proxy.url
  })
  const service = await startService({}, database)
  const world = await makeWorld(service)
  const { db } = world.operator
  const endpoints = await endpointsOf(service, world)
  const select = { text: 'SELECT 1 AS one', values: [] }
  /** Waits until the server runs one of the statements that sleep for a minute. */
  const untilSleeping = () =>
    expect.poll(() => onServer(database.url ?? '', `SELECT pid ${sleeping}`)).not.toEqual([])
  const slow = { text: 'SELECT pg_sleep($1)::text', values: [60] }

  afterEach(async () => {
    proxy.resume()
    await onServer(database.url ?? '', `SELECT pg_terminate_backend(pid) ${sleeping}`)
    await expect
      .poll(
        () =>
          db.$queryRaw`SELECT 1`.then(
            () => 'answers',
            () => 'fails',
          ),
        poll,
      )
      .toBe('answers')
  })

  test('causes a 503 with Retry-After at every endpoint within 5 s, until it responds again', async () => {
    proxy.silence()
    const answers = await callAll(endpoints, 5)
    expect(
      answers.filter(({ status, ms, retryAfter }) => status !== 503 || ms > longestMs || !retryAfter),
    ).toEqual([])
    const later = await callAll(endpoints, 1)
    expect(later.filter(({ status, ms }) => status !== 503 || ms > 1000)).toEqual([])
    proxy.resume()
    await expect.poll(async () => (await service.app.inject('/health/ready')).statusCode, poll).toBe(200)
    const served = await callAll(endpoints, 5)
    expect(served.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('causes a 503 for an upload after the body has arrived, and no file is left', async () => {
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 })
    const sent = request(`${address}${world.webhook.path}/attachment`, {
      method: 'PUT',
      headers: { 'content-length': 10, 'content-md5': md5Of('first last'), 'x-file-name': 'slow.txt' },
    })
    const answered = once(sent, 'response')
    const received = vi.spyOn(world.operator.storage, 'receive')
    sent.write('first')
    await expect.poll(() => received.mock.calls.length, poll).toBe(1)
    proxy.silence()
    expect(databaseFailure(await failureOf(query(db, select)))).toBe('unavailable')
    sent.end(' last')
    const [answer] = (await answered) as [IncomingMessage]
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true])
    answer.resume()
    expect(await readdir(join(service.dataDir, 'files/incoming'))).toEqual([])
  })

  test('makes running and waiting queries fail, and all connections are free afterwards', async () => {
    const running = times(15, () => failureOf(query(db, slow)))
    const inPipeline = times(3, () => failureOf(query(db, slow, { pipeline: 'one' })))
    const byPrisma = times(3, () => failureOf(db.$queryRaw`SELECT pg_sleep(60)::text`))
    await untilSleeping()
    proxy.silence()
    const failures = await Promise.all([...running, ...inPipeline, ...byPrisma])
    expect(failures.map(databaseFailure)).toEqual(failures.map(() => 'unavailable'))
    proxy.resume()
    await expect.poll(() => query(db, select).catch(() => []), poll).toEqual([{ one: 1 }])
    await expectFreePool()
  })

  test('makes transactions fail, both during a statement and between two statements', async () => {
    let silenceBegins = () => {}
    const silence = new Promise<void>((resolve) => {
      silenceBegins = resolve
    })
    const during = inTransaction(db, async (tx) => {
      await tx.workspace.create({ data: { id: 'during', name: 'x' } })
      await tx.$queryRaw`SELECT pg_sleep(60)::text`
    })
    const between = inTransaction(db, async (tx) => {
      await tx.workspace.create({ data: { id: 'between', name: 'x' } })
      await silence
      await tx.workspace.count()
    })
    const failures = Promise.all([failureOf(during), failureOf(between)])
    await untilSleeping()
    proxy.silence()
    expect(databaseFailure(await failureOf(query(db, select)))).toBe('unavailable')
    silenceBegins()
    expect((await failures).map(databaseFailure)).toEqual(['unavailable', 'unavailable'])
    proxy.resume()
    await expect.poll(() => query(db, select).catch(() => []), poll).toEqual([{ one: 1 }])
    await expectFreePool()
    expect(await db.workspace.count({ where: { id: { in: ['during', 'between'] } } })).toBe(0)
  })

  test('is not reported when a statement is slow, and the statement succeeds', async () => {
    const answers = await Promise.all([
      query(db, { ...slow, values: [3.5] }),
      db.$queryRaw`SELECT pg_sleep(3.5)::text`,
    ])
    expect(answers.map((rows) => (rows as object[]).length)).toEqual([1, 1])
  })

  test('is not reported when only the service process is busy, and the queries succeed', async () => {
    const answers = times(20, () => query(db, { ...slow, values: [0.5] }))
    const until = performance.now() + 3500
    while (performance.now() < until);
    expect(await Promise.all(answers)).toHaveLength(20)
  })

  /** Runs a transaction on every connection at once. The service itself runs transactions on only some connections. */
  async function expectFreePool(): Promise<void> {
    let begun = 0
    const take = () =>
      database.db.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1`
        begun += 1
        await expect.poll(() => begun, poll).toBe(poolSize)
      })
    await Promise.all(times(poolSize, take))
  }
})

const poll = { timeout: 10_000 }

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error,
  )
}
