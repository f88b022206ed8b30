import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { connectionOptions, openDatabase } from '../../src/database/database.ts'
import { startCluster } from '../support/cluster.ts'
import { onServer } from '../support/global-setup.ts'
import { freePort } from '../support/process.ts'

const poll = { timeout: 30_000 }

test('a URL with several hosts is read as libpq reads it', () => {
  const url =
    'postgres://skein:a%40b@one:5432,[::1]:5433,three/skein?sslmode=disable&target_session_attrs=any'
  expect(readConfig({ DATABASE_URL: url }).databaseURL).toBe(url)
  const { hosts, connectionString } = connectionOptions(url)
  const first = 'postgres://skein:a%40b@one:5432/skein?sslmode=disable'
  expect([connectionString, hosts?.needsWrites]).toEqual([first, false])
  const seen = [1, 2, 3, 4].map(() => {
    const current = hosts?.current ?? ''
    hosts?.leave(current)
    return current.replace(/.*@(.*)\/.*/, '$1')
  })
  expect(seen).toEqual(['one:5432', '[::1]:5433', 'three', 'one:5432'])
})

test('a kind of server that Skein cannot use is refused', () => {
  const url = 'postgres://skein@one,two/skein?target_session_attrs=standby'
  expect(() => readConfig({ DATABASE_URL: url })).toThrow('any, read-write or primary')
})

describe.runIf(process.env.TEST_DATABASE_URL)('a database with several servers', async () => {
  if (!process.env.TEST_DATABASE_URL) return
  const [one, two] = [await startCluster(), await startCluster()]
  afterAll(async () => {
    await one.remove()
    await two.remove()
  })
  const hostOf = (url: string) => new URL(url).host
  const setReadOnly = async (url: string, value: 'on' | 'off') => {
    await onServer(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await onServer(url, 'SELECT pg_reload_conf()')
    await expect
      .poll(() => onServer(url, 'SHOW default_transaction_read_only'), poll)
      .toEqual([{ default_transaction_read_only: value }])
  }
  const portOf = async (db: Awaited<ReturnType<typeof openDatabase>>['db']) => {
    const rows = await db.$queryRaw<{ port: number }[]>`SELECT inet_server_port() AS port`
    return rows[0]?.port
  }

  test('is opened at the one that accepts writes, and followed to another one', async () => {
    await setReadOnly(one.url, 'on')
    const closed = `127.0.0.1:${await freePort()}`
    const databaseURL = `postgres://skein@${closed},${hostOf(one.url)},${hostOf(two.url)}/postgres`
    const opened = await openDatabase({ databaseURL, dataDir: '', poolSize: 2 })
    expect(await portOf(opened.db)).toBe(Number(new URL(two.url).port))
    expect(opened.about.database).toContain(hostOf(two.url))
    await setReadOnly(one.url, 'off')
    await two.stop('immediate')
    await expect
      .poll(() => portOf(opened.db).catch(() => undefined), poll)
      .toBe(Number(new URL(one.url).port))
    await opened.close()
  })
})
