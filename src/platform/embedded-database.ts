import { mkdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { lockDirectory } from './directory-lock.ts'
import { applyMigrations } from './migrate.ts'

const upkeepEveryMs = 5000
const maxLogBytes = 32 * 1024 * 1024

type AdapterFactory = Pick<PrismaPGlite, 'provider' | 'adapterName' | 'connect'>
type Transaction = Awaited<ReturnType<Awaited<ReturnType<PrismaPGlite['connect']>>['startTransaction']>>

/**
 * Opens PostgreSQL in this process (PGlite), with its files in `db` under the directory, and migrates it.
 * Throws an Error that says what is wrong when another process has the directory or the database does not open.
 */
export async function openEmbedded(
  dataDir: string,
  onError: (error: Error) => void,
): Promise<{ pglite: PGlite; close(): Promise<void> }> {
  const unlock = lockDirectory(dataDir)
  try {
    const pglite = await openPGlite(join(dataDir, 'db'))
    await applyMigrations(pglite).catch(async (error) => {
      await pglite.close()
      throw error
    })
    const stopUpkeep = startUpkeep(pglite, onError)
    const close = async () => {
      await stopUpkeep()
      await pglite.close()
      unlock()
    }
    return { pglite, close }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Prisma's adapter for PGlite, with one thing put right: it reports as committed what COMMIT refused. So what COMMIT
 * would check is checked just before, which fails for deferred constraints and in a transaction that is aborted.
 */
export function embeddedAdapter(pglite: PGlite): AdapterFactory {
  const factory = new PrismaPGlite(pglite)
  const connect = async () => {
    const adapter = await factory.connect()
    const start = adapter.startTransaction.bind(adapter)
    return Object.assign(adapter, {
      startTransaction: async (...level: Parameters<typeof start>) => checkingCommit(await start(...level)),
    })
  }
  return { provider: factory.provider, adapterName: factory.adapterName, connect }
}

function checkingCommit(transaction: Transaction): Transaction {
  const commit = transaction.commit.bind(transaction)
  const checkAndCommit = async () => {
    try {
      await transaction.executeRaw({ sql: 'SET CONSTRAINTS ALL IMMEDIATE', args: [], argTypes: [] })
    } catch (error) {
      await transaction.rollback()
      throw error
    }
    await commit()
  }
  return Object.assign(transaction, { commit: checkAndCommit })
}

async function openPGlite(folder: string): Promise<PGlite> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let complaint: string | undefined
  const onStderr = (line: string) => {
    if (/PANIC: |^Aborted/.test(line)) exitOnPanic(line)
    if (line.includes('FATAL: ')) complaint = line
    return false
  }
  try {
    return await PGlite.create(folder, { onStderr })
  } catch (error) {
    const reason = complaint ?? (error instanceof Error ? error.message : String(error))
    throw new Error(`The embedded database in ${folder} cannot be opened: ${reason}`, { cause: error })
  }
}

// On a panic, such as a full disk under its log, PostgreSQL starts again from its log. PGlite instead spins for ever,
// and the whole process with it; leaving at once keeps what was committed, and the next start recovers it.
function exitOnPanic(line: string): never {
  writeSync(2, `The embedded database had to stop: ${line}\n`)
  process.exit(1)
}

// PGlite has none of PostgreSQL's background processes: without this its log would grow for ever, dead rows would stay,
// and the planner would know nothing of the tables.
function startUpkeep(pglite: PGlite, onError: (error: Error) => void): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => upkeep(pglite)).catch(onError)
  }, upkeepEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}

/** Writes a checkpoint when the log has grown, and vacuums the tables that changed much, by autovacuum's rule. */
export async function upkeep(pglite: PGlite): Promise<void> {
  const log = await pglite.query<{ grown: boolean }>(
    'SELECT pg_current_wal_insert_lsn() - redo_lsn > $1 AS grown FROM pg_control_checkpoint()',
    [maxLogBytes],
  )
  if (log.rows[0]?.grown) await pglite.query('CHECKPOINT')
  const changed = await pglite.query<{ table: string }>(
    `SELECT s.relid::regclass::text AS table FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.n_dead_tup > 1000 + 0.2 * greatest(c.reltuples, 0)
        OR s.n_mod_since_analyze > 1000 + 0.1 * greatest(c.reltuples, 0)`,
  )
  for (const { table } of changed.rows) await pglite.query(`VACUUM (ANALYZE) ${table}`)
}
