import pg from 'pg'
import type { Database } from '../../src/database/database.ts'
import { urlOf } from './global-setup.ts'

/** Returns a connection that locks a thread until it ends. Needs a PostgreSQL server. */
export function lockThread(db: Database, threadID: string): Promise<pg.Client> {
  return inOpenTransaction(db, 'SELECT FROM threads WHERE id = $1 FOR UPDATE', [threadID])
}

/** Returns a connection with an open transaction that has run a statement. Needs a PostgreSQL server. */
export async function inOpenTransaction(db: Database, sql: string, values: string[]): Promise<pg.Client> {
  const [{ name }] = await db.$queryRaw<[{ name: string }]>`SELECT current_database() AS name`
  const locker = new pg.Client(urlOf(process.env.TEST_DATABASE_URL ?? '', name))
  await locker.connect()
  await locker.query('BEGIN')
  await locker.query(sql, values)
  return locker
}
