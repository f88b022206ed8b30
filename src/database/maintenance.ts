import type { Driver } from './driver/drivers.ts'

const maintenanceEveryMs = 5000
const maxLogBytes = 32 * 1024 * 1024

/** Replaces the background processes that the embedded database lacks. Returns a function that stops them. */
export function startMaintenance(driver: Driver, onError: (error: Error) => void): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= runMaintenance(driver)
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, maintenanceEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Writes a checkpoint if the log has grown, and vacuums by a rule like autovacuum's. Requests run in between. */
export async function runMaintenance(driver: Driver): Promise<void> {
  const [log] = await rowsOf<{ grown: boolean }>(
    driver,
    `SELECT pg_current_wal_insert_lsn() - redo_lsn > ${maxLogBytes} AS grown FROM pg_control_checkpoint()`,
  )
  if (log?.grown) await driver('CHECKPOINT', [], {})
  const changed = await rowsOf<{ table: string }>(
    driver,
    `SELECT s.relid::regclass::text AS table FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.n_dead_tup > 1000 + 0.2 * greatest(c.reltuples, 0)
        OR s.n_mod_since_analyze > 1000 + 0.1 * greatest(c.reltuples, 0)`,
  )
  for (const { table } of changed) await driver(`VACUUM (ANALYZE) ${table}`, [], {})
}

async function rowsOf<Row>(driver: Driver, sql: string): Promise<Row[]> {
  return (await driver(sql, [], {})).rows as Row[]
}
