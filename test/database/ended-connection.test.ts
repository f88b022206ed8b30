import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { databaseFailure } from '../../src/database/database-errors.ts'
import { query } from '../../src/database/query.ts'
import { testDatabase } from '../support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { onServer } from '../support/global-setup.ts'

const lock = 4711
const select = { text: 'SELECT 1 AS one', values: [] }
const waiting =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"

// Without a listener on the client, the end of the connection would end the process.
describe.runIf(process.env.TEST_DATABASE_URL)(
  'a connection that ends with the answer to a statement',
  async () => {
    if (!process.env.TEST_DATABASE_URL) return
    let proxy: DatabaseProxy
    const {
      db,
      url = '',
      close,
    } = await testDatabase(async (url) => {
      proxy = await startDatabaseProxy(url)
      return proxy.url
    }, 1)
    afterAll(close)

    test('fails the statement that was waiting for the connection, and no other statement', async () => {
      const holder = new pg.Client(url)
      await holder.connect()
      await holder.query(`SELECT pg_advisory_lock(${lock})`)
      const text = `SELECT 'the last answer' AS answer FROM pg_advisory_xact_lock(${lock})`
      const answered = query(db, { text, values: [] })
      await expect.poll(() => onServer(url, waiting)).toHaveLength(1)
      const next = query(db, select, { pipeline: 'next' }).catch(databaseFailure)
      proxy.endAfter('the last answer')
      await holder.end()
      expect(await answered).toEqual([{ answer: 'the last answer' }])
      expect(await next).toBe('unavailable')
      await expect.poll(() => query(db, select)).toEqual([{ one: 1 }])
    })
  },
)
