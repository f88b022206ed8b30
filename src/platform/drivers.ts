import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { cancelStatement } from './cancel-statement.ts'
import { pipelines } from './pipelines.ts'

/**
 * Runs one statement on the driver beneath a Prisma client, in a pipeline where one is named, and gives its rows, or how
 * many it wrote. Where the signal aborts, the statement is stopped or does not begin, and the signal's reason is thrown.
 */
export type Driver = (sql: string, values: unknown[], how: How) => Promise<Outcome>
type How = { pipeline?: string; signal?: AbortSignal | undefined }
type Outcome = { rows: unknown[]; count: number }

const drivers = new WeakMap<object, Driver>()

// A server keeps the plan of each prepared statement for each connection; there are fewer texts than this.
const maxPrepared = 1000
const ignore = () => undefined

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
  return async (text, values, { pipeline, signal }) => {
    let name = names.get(text)
    if (name === undefined && names.size < maxPrepared) {
      name = `skein_${names.size}`
      names.set(text, name)
    }
    const statement = { name, text, values, types: serverTypes }
    const { rows, rowCount } = await (pipeline !== undefined
      ? inPipeline(pipeline, statement)
      : signal
        ? queryUntil(signal, pool, statement)
        : pool.query(statement))
    return { rows, count: rowCount ?? 0 }
  }
}

/** As `pool.query`, until the signal aborts. After a failure the connection is not used again, as there. */
async function queryUntil(
  signal: AbortSignal,
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  signal.throwIfAborted()
  const client = await pool.connect()
  const cancel = () => cancelStatement(client)
  let isSound = false
  client.on('error', ignore)
  signal.addEventListener('abort', cancel)
  try {
    // It may have aborted while a connection was waited for.
    const result = signal.aborted ? undefined : await client.query(statement)
    isSound = result === undefined || !signal.aborted
    signal.throwIfAborted()
    return result as pg.QueryResult
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', cancel)
    client.off('error', ignore).release(!isSound)
  }
}

/**
 * The driver of the embedded database, which has one connection anyway. Nothing stops what it runs, which holds the
 * whole process; but what waits for its turn does not begin when its signal has aborted.
 */
export function embeddedDriver(pglite: PGlite): Driver {
  let turn: Promise<unknown> = Promise.resolve()
  return (sql, values, { signal }) => {
    const run = async () => {
      signal?.throwIfAborted()
      const { rows, affectedRows } = await pglite.query(sql, values, { parsers: embeddedParsers })
      return { rows, count: affectedRows ?? 0 }
    }
    const outcome = turn.then(run)
    turn = outcome.catch(ignore)
    return outcome
  }
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
