import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { requireSessions } from '../../src/database/driver/require-sessions.ts'
import { query } from '../../src/database/query.ts'
import { testDatabase } from '../support/database.ts'
import { callAll, endpointsOf } from '../support/endpoints.ts'
import { makeWorld } from '../support/factories.ts'
import { onServer, urlOf } from '../support/global-setup.ts'
import { pgbouncerProgram, startPgbouncer } from '../support/pgbouncer.ts'
import { newDataDir, runToEnd, startProcess } from '../support/process.ts'
import { startService } from '../support/service.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''
const isTested = serverURL !== '' && (existsSync(pgbouncerProgram) || process.env.CI !== undefined)
const name = `skein_pgbouncer_${process.pid}`

describe.runIf(isTested)('pgbouncer in session mode', async () => {
  if (!isTested) return
  const bouncer = await startPgbouncer(serverURL, { pool_mode: 'session', default_pool_size: '40' })
  afterAll(bouncer.stop)
  const database = await testDatabase(async (url) => bouncer.through(url))
  const service = await startService({}, database)
  const endpoints = await endpointsOf(service, await makeWorld(service))
  afterEach(() => onServer(serverURL, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))

  const failed = async (count: number, expected: number) =>
    (await callAll(endpoints, count)).filter(({ status }) => status !== expected)

  test('serves every endpoint', async () => {
    expect(await failed(10, 200)).toEqual([])
  })

  test('keeps the settings of a connection', async () => {
    const settings = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
      current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('plan_cache_mode') AS plans`
    const expected = [{ statement: '30s', lock: '5s', idle: '1min', plans: 'force_generic_plan' }]
    for (let call = 0; call < 3; call += 1) {
      expect(await query(database.db, { text: settings, values: [] })).toEqual(expected)
    }
  })

  test('lets several processes start at once on an empty database, and another one later', async () => {
    await onServer(serverURL, `CREATE DATABASE ${name}`)
    const databaseURL = bouncer.through(urlOf(serverURL, name))
    const open = () => openDatabase({ databaseURL, dataDir: '', poolSize: 2 })
    for (const count of [3, 1]) {
      const opened = await Promise.all(Array.from({ length: count }, open))
      const counts = await Promise.all(
        opened.map(({ db }) => query(db, { text: 'SELECT 1 AS one', values: [] })),
      )
      expect(counts).toEqual(opened.map(() => [{ one: 1 }]))
      await Promise.all(opened.map(({ close }) => close()))
    }
  })

  test('lets the process become ready and stop without an error', async () => {
    await onServer(serverURL, `CREATE DATABASE ${name}`)
    const service = await startProcess({ DATABASE_URL: bouncer.through(urlOf(serverURL, name)) })
    expect(await service.stop()).toBe(0)
  })

  test('causes a 503 at every endpoint while it is halted, and a 200 afterwards', async () => {
    bouncer.signal('SIGSTOP')
    expect(await failed(5, 503)).toEqual([])
    bouncer.signal('SIGCONT')
    await expect
      .poll(async () => (await service.app.inject('/health/ready')).statusCode, { timeout: 10_000 })
      .toBe(200)
    expect(await failed(5, 200)).toEqual([])
  })
})

describe.runIf(isTested)('pgbouncer without a session for each connection', () => {
  test.each([
    ['transaction', '0', '20', 'in transaction mode'],
    ['transaction', '1', '20', 'in transaction mode'],
    ['transaction', '0', '1', 'in transaction mode'],
    ['statement', '0', '20', 'transaction blocks not allowed in statement pooling mode'],
  ])('is refused: %s mode, server_round_robin = %s, default_pool_size = %s', async (mode, robin, size, reason) => {
    const bouncer = await startPgbouncer(serverURL, {
      pool_mode: mode,
      server_round_robin: robin,
      default_pool_size: size,
    })
    onTestFinished(bouncer.stop)
    const databaseURL = bouncer.through(serverURL)
    // Opens several sessions, so that each transaction of a connection can get another session.
    await Promise.all(Array.from({ length: 4 }, () => onServer(databaseURL, 'SELECT pg_sleep(0.2)')))
    await expect(openDatabase({ databaseURL, dataDir: '', poolSize: 2 })).rejects.toThrow(reason)
  })

  test('is refused: session mode with one session', async () => {
    const bouncer = await startPgbouncer(serverURL, { pool_mode: 'session', default_pool_size: '1' })
    onTestFinished(bouncer.stop)
    const connectionString = bouncer.through(serverURL)
    const client = new pg.Client(connectionString)
    await client.connect()
    const other = new pg.Client({ connectionString, query_timeout: 300 })
    await expect(requireSessions(client, other)).rejects.toThrow('does not provide a second connection')
    await client.end()
  })

  test('ends the process with an error of one sentence', async () => {
    const bouncer = await startPgbouncer(serverURL, { pool_mode: 'transaction' })
    onTestFinished(bouncer.stop)
    const { code, output } = await runToEnd({
      DATA_DIR: await newDataDir(),
      DATABASE_URL: bouncer.through(serverURL),
    })
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^The database .* cannot be used: .* Set pool_mode = session for this database, .*\n$/,
      ),
    ])
  })
})
