import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { Prisma } from '../generated/prisma/client.ts'
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

/**
 * A part of a FROM: the rows of a workspace's table in which a column has one of the values. Each is found by its key:
 * a statement keeps its plan while tables grow, and with the statistics of a small table any index looks as good.
 */
export function rowsBy(
  column: string,
  values: readonly string[],
  { table, alias, workspaceID }: { table: string; alias: string; workspaceID: string },
): Prisma.Sql {
  const [of, by, as] = [Prisma.raw(table), Prisma.raw(column), Prisma.raw(alias)]
  return Prisma.sql`unnest(${[...values]}::text[]) AS wanted (value) CROSS JOIN LATERAL (
    SELECT * FROM ${of} WHERE workspace_id = ${workspaceID} AND ${by} = wanted.value OFFSET 0) AS ${as}`
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
