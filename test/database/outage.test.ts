import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/database.ts'
import { checkDatabase } from '../../src/start/doctor/check-database.ts'
import { startCluster } from '../support/cluster.ts'
import { callAll, endpointsOf } from '../support/endpoints.ts'
import { makeWorld } from '../support/factories.ts'
import { onServer } from '../support/global-setup.ts'
import { startService } from '../support/service.ts'

const longestMs = 5000
const poll = { timeout: 15_000 }

describe.runIf(process.env.TEST_DATABASE_URL)('an outage of PostgreSQL', async () => {
  if (!process.env.TEST_DATABASE_URL) return
  const cluster = await startCluster()
  const database = await openDatabase({ databaseURL: cluster.url, dataDir: '', poolSize: 10 })
  const service = await startService({}, database)
  afterAll(() => cluster.remove())
  const endpoints = await endpointsOf(service, await makeWorld(service), 100)

  const ready = async () => (await service.app.inject('/health/ready')).statusCode

  async function expectOutage(): Promise<void> {
    const answers = await callAll(endpoints, 5)
    expect(
      answers.filter(({ status, ms, retryAfter }) => status !== 503 || ms > longestMs || !retryAfter),
    ).toEqual([])
  }

  async function expectService(): Promise<void> {
    await expect.poll(ready, poll).toBe(200)
    const answers = await callAll(endpoints, 5)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  }

  test('with all processes halted causes a 503 at every endpoint within 5 s, until it ends', async () => {
    await expectService()
    await cluster.halt('all')
    await expectOutage()
    await cluster.goOn()
    await expectService()
  })

  test('with the postmaster halted causes a 503 at every endpoint within 5 s, until it ends', async () => {
    await onServer(
      cluster.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'skein'`,
    )
    await cluster.halt('postmaster')
    await expectOutage()
    await cluster.goOn()
    await expectService()
  })

  test.each([
    'fast',
    'immediate',
  ] as const)('because of a stop (%s) causes a 503 at every endpoint, until the server restarts', async (mode) => {
    const asking = callAll(endpoints, 10)
    await cluster.stop(mode)
    const answers = await asking
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    await expectOutage()
    await cluster.start()
    await expectService()
  })

  test('because a synchronous standby is missing causes a 503 at every endpoint that writes, until it ends', async () => {
    const setStandbys = async (names: string) => {
      await onServer(cluster.url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await onServer(cluster.url, 'SELECT pg_reload_conf()')
    }
    const { query, operator, download, ready: _ready, ...writing } = endpoints
    const reading = { query, operator, download } as typeof endpoints
    const statusesOf = async (called: typeof endpoints) =>
      (await callAll(called, 5)).map(({ name, status, retryAfter }) => ({ name, status, retryAfter }))
    await setStandbys('missing')
    for (let round = 0; round < 2; round += 1) {
      const refused = await statusesOf(writing)
      expect(refused.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([])
      expect((await service.app.inject('/health/ready')).json().detail).toBe(
        'The database completes no writes.',
      )
      expect((await statusesOf(reading)).filter(({ status }) => status !== 200)).toEqual([])
    }
    const settings = readConfig({ DATABASE_URL: cluster.url })
    expect(await checkDatabase(settings)).toMatchObject({
      state: 'failure',
      finding: expect.stringContaining('completes no writes'),
      advice: expect.stringContaining('synchronous_standby_names'),
    })
    await setStandbys('')
    await expectService()
    expect(await checkDatabase(settings)).toMatchObject({ state: 'ok' })
  })

  test('because of a read-only setting or a standby makes the service not ready until it ends', async () => {
    const setReadOnly = async (value: 'on' | 'off') => {
      await onServer(cluster.url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
      await onServer(cluster.url, 'SELECT pg_reload_conf()')
    }
    const detail = async () => (await service.app.inject('/health/ready')).json().detail
    await setReadOnly('on')
    await expect.poll(detail, poll).toBe('The database is read-only.')
    await setReadOnly('off')
    await expect.poll(ready, poll).toBe(200)
    await cluster.stop('fast')
    await cluster.startStandby()
    await expect.poll(detail, poll).toBe('The database is read-only.')
    expect(await ready()).toBe(503)
    await cluster.stop('fast')
    await cluster.start()
    await expectService()
  })
})
