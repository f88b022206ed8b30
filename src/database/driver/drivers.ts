import pg from 'pg'
import type { Signal } from '../../platform/request-signal.ts'
import type { ConnectionShares } from '../connection-shares.ts'
import { pipelines } from './pipelines.ts'

/** Runs a statement on the pool of a Prisma client. If the signal aborts, throws the signal's reason. */
export type Driver = (sql: string, values: unknown[], options: RunOptions) => Promise<Outcome>
type RunOptions = { pipeline?: string; isBackground?: boolean; signal?: Signal | undefined }
type Outcome = { rows: unknown[]; count: number }

type Parts = {
  driver: Driver
  shares: ConnectionShares
  heartbeat?: { areCommitsStalled: boolean } | undefined
}
const drivers = new WeakMap<object, Parts>()

// Limits the plans that a server keeps for each connection. Skein has fewer statements than this.
const maxPrepared = 1000

export function useDriver(db: object, driver: Driver, parts: Omit<Parts, 'driver'> = partsOf(db)): void {
  drivers.set(db, { ...parts, driver })
}

function partsOf(db: object): Parts {
  const parts = drivers.get(db)
  if (!parts) throw new TypeError('A transaction has no driver')
  return parts
}

/** Returns whether the server answers reads, but completes no writes. */
export function areCommitsStalled(db: object): boolean {
  return partsOf(db).heartbeat?.areCommitsStalled ?? false
}

/** Returns the driver of a client, or undefined for a transaction. */
export function driverOf(db: object): Driver | undefined {
  return drivers.get(db)?.driver
}

export function sharesOf(db: object): ConnectionShares {
  return partsOf(db).shares
}

type Cancel = (client: pg.ClientBase) => void
type DriverOptions = { cancel?: Cancel; backgroundPool?: pg.Pool }

/**
 * Returns the driver of a pool. Without `cancel`, a statement that has begun runs to its end. By default, statements in
 * the background use the pool too.
 */
export function poolDriver(pool: pg.Pool, { cancel, backgroundPool = pool }: DriverOptions = {}): Driver {
  const names = new Map<string, string>()
  const inPipeline = pipelines(pool)
  const inBackground = pipelines(backgroundPool)
  return async (text, values, { pipeline, isBackground, signal }) => {
    let name = names.get(text)
    if (name === undefined && names.size < maxPrepared) {
      name = `skein_${names.size}`
      names.set(text, name)
    }
    const statement = { name, text, values, types }
    const run = () => {
      if (pipeline !== undefined) return inPipeline(pipeline, statement)
      if (isBackground) return inBackground('', statement)
      return signal ? queryUntil(signal, pool, statement, cancel) : pool.query(statement)
    }
    const { rows, rowCount } = await run()
    return { rows, count: rowCount ?? 0 }
  }
}

// Like `pool.query`, does not reuse a connection after a failure.
async function queryUntil(
  signal: Signal,
  pool: pg.Pool,
  statement: pg.QueryConfig,
  cancel: Cancel | undefined,
): Promise<pg.QueryResult> {
  signal.throwIfAborted()
  const client = await pool.connect()
  const onAbort = () => cancel?.(client)
  let isReusable = false
  signal.addEventListener('abort', onAbort)
  try {
    // The signal may have aborted during the wait for a connection.
    const result = signal.aborted ? undefined : await client.query(statement)
    // After a cancel request, the server could stop a later statement of the connection.
    isReusable = result === undefined || !signal.aborted || !cancel
    signal.throwIfAborted()
    return result as pg.QueryResult
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', onAbort)
    client.release(!isReusable)
  }
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins
// `builtins` does not contain the types of arrays.
const textArray = 1009 as typeof INT8

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => {
    if (type === INT8) return BigInt
    if (type === TIMESTAMPTZ) return readTime
    if (type === textArray) return readTexts
    return pg.types.getTypeParser(type, format)
  },
}

// Connections are set to this format: `2026-01-31 12:00:00.123+00`.
function readTime(text: string): Date {
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

const readAnyTexts = pg.types.getTypeParser(textArray)

// Splits simple arrays, because the parser of the library is slower: it reads an array letter by letter.
function readTexts(text: string): (string | null)[] {
  const elements = text.slice(1, -1)
  if (elements === '') return []
  return /["{]|NULL/.test(elements) ? readAnyTexts(text) : elements.split(',')
}
