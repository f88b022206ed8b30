import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { pipelines } from './pipelines.ts'

/** Runs one statement on the driver beneath a Prisma client, in a pipeline where one is named, and gives its rows. */
export type Driver = (sql: string, values: unknown[], pipeline?: string) => Promise<unknown[]>

const drivers = new WeakMap<object, Driver>()

// A server keeps the plan of each prepared statement for each connection; there are fewer texts than this.
const maxPrepared = 1000

/** Gives a client the driver that its statements may go to directly. */
export function useDriver(db: object, driver: Driver): void {
  drivers.set(db, driver)
}

/** The driver of a client; a transaction has none. */
export function driverOf(db: object): Driver | undefined {
  return drivers.get(db)
}

/** The driver of a server: statements are prepared under a name that follows from their text. */
export function serverDriver(pool: pg.Pool): Driver {
  const names = new Map<string, string>()
  const inPipeline = pipelines(pool)
  return async (text, values, pipeline) => {
    let name = names.get(text)
    if (name === undefined && names.size < maxPrepared) {
      name = `skein_${names.size}`
      names.set(text, name)
    }
    const statement = { name, text, values, types: serverTypes }
    const { rows } = await (pipeline === undefined ? pool.query(statement) : inPipeline(pipeline, statement))
    return rows
  }
}

/** The driver of the embedded database, which has one connection anyway. */
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
