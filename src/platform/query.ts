import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Prisma } from '../generated/prisma/client.ts'
import type { Database } from './database.ts'

/** Runs one statement on the driver beneath the Prisma client, and gives its rows. */
export type Driver = (sql: string, values: unknown[]) => Promise<unknown[]>

const drivers = new WeakMap<Database, Driver>()

// A server keeps the plan of each prepared statement for each connection; there are fewer texts than this.
const maxPrepared = 1000

/** Gives a client the driver that `query` is to use for it. */
export function useDriver(db: Database, driver: Driver): void {
  drivers.set(db, driver)
}

/**
 * Runs a statement and gives its rows, as `$queryRaw` does, at a third of the cost: it goes to the driver, which
 * prepares it once for each connection. In a transaction it is `$queryRaw`. Rows hold what both give: a Date for a
 * time, a bigint for a bigint, bytes for a bytea.
 */
export function query<Row>(db: Database, sql: Prisma.Sql): Promise<Row[]> {
  const driver = drivers.get(db)
  return driver ? (driver(sql.text, sql.values) as Promise<Row[]>) : db.$queryRaw<Row[]>(sql)
}

/** The driver of a server: statements are prepared under a name that follows from their text. */
export function serverDriver(pool: pg.Pool): Driver {
  const names = new Map<string, string>()
  return async (text, values) => {
    let name = names.get(text)
    if (name === undefined && names.size < maxPrepared) {
      name = `skein_${names.size}`
      names.set(text, name)
    }
    return (await pool.query({ name, text, values, types: serverTypes })).rows
  }
}

/** The driver of the embedded database. */
export function embeddedDriver(pglite: PGlite): Driver {
  return async (sql, values) => (await pglite.query(sql, values, { parsers: embeddedParsers })).rows
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins

const serverTypes: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => {
    if (type === INT8) return BigInt
    if (type === TIMESTAMPTZ) return readTime
    return pg.types.getTypeParser(type, format)
  },
}

const embeddedParsers = { [INT8]: BigInt }

/** A time as connections are set to write it, in UTC: `2026-01-31 12:00:00.123+00`. */
function readTime(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}
