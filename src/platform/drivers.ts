import pg from 'pg'
import type { ConnectionShares } from '../database/connection-shares.ts'
import { pipelines } from './pipelines.ts'

/**
 * Runs one statement on the driver beneath a Prisma client, in a pipeline where one is named, and gives its rows, or how
 * many it wrote. Where the signal aborts, the statement is stopped or does not begin, and the signal's reason is thrown.
 */
export type Driver = (sql: string, values: unknown[], how: How) => Promise<Outcome>
type How = { pipeline?: string; signal?: AbortSignal | undefined }
type Outcome = { rows: unknown[]; count: number }

const drivers = new WeakMap<object, { driver: Driver; shares: ConnectionShares }>()

// A server keeps the plan of each prepared statement for each connection; there are fewer texts than this.
const maxPrepared = 1000
const ignore = () => undefined

/** Gives a client the driver that its statements may go to directly. Its connections stay divided as they are by default. */
export function useDriver(db: object, driver: Driver, shares = sharesOf(db)): void {
  drivers.set(db, { driver, shares })
}

/** The driver of a client; a transaction has none. */
export function driverOf(db: object): Driver | undefined {
  return drivers.get(db)?.driver
}

/** How the connections of a client are divided. Throws for a transaction, which has one. */
export function sharesOf(db: object): ConnectionShares {
  const shares = drivers.get(db)?.shares
  if (!shares) throw new TypeError('Only the connections of a client are divided')
  return shares
}

/** Asks the database to stop the statement that a connection runs. It may come too late. */
type Cancel = (client: pg.ClientBase) => void

/**
 * The driver of a pool. Statements are prepared under a name that follows from their text. A database without `cancel`
 * runs to its end what it has begun.
 */
export function poolDriver(pool: pg.Pool, cancel?: Cancel): Driver {
  const names = new Map<string, string>()
  const inPipeline = pipelines(pool)
  return async (text, values, { pipeline, signal }) => {
    let name = names.get(text)
    if (name === undefined && names.size < maxPrepared) {
      name = `skein_${names.size}`
      names.set(text, name)
    }
    const statement = { name, text, values, types }
    const { rows, rowCount } = await (pipeline !== undefined
      ? inPipeline(pipeline, statement)
      : signal
        ? queryUntil(signal, pool, statement, cancel)
        : pool.query(statement))
    return { rows, count: rowCount ?? 0 }
  }
}

/** As `pool.query`, until the signal aborts. After a failure the connection is not used again, as there. */
async function queryUntil(
  signal: AbortSignal,
  pool: pg.Pool,
  statement: pg.QueryConfig,
  cancel: Cancel | undefined,
): Promise<pg.QueryResult> {
  signal.throwIfAborted()
  const client = await pool.connect()
  const onAbort = () => cancel?.(client)
  let isSound = false
  client.on('error', ignore)
  signal.addEventListener('abort', onAbort)
  try {
    // It may have aborted while a connection was waited for.
    const result = signal.aborted ? undefined : await client.query(statement)
    isSound = result === undefined || !signal.aborted || !cancel
    signal.throwIfAborted()
    return result as pg.QueryResult
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', onAbort)
    client.off('error', ignore).release(!isSound)
  }
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => {
    if (type === INT8) return BigInt
    if (type === TIMESTAMPTZ) return readTime
    return pg.types.getTypeParser(type, format)
  },
}

/** A time as connections are set to write it, in UTC: `2026-01-31 12:00:00.123+00`. */
function readTime(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}
