import { gauge, histograms, shortTimes } from '../platform/metrics.ts'
import type { Driver } from './driver/drivers.ts'

const maintenanceEveryMs = 5000
const maxLogBytes = 32 * 1024 * 1024

const logBytes = gauge(
  'skein_embedded_wal_bytes',
  'The log of the embedded database since its last checkpoint.',
)
const durationOf = histograms(
  'skein_embedded_maintenance_seconds',
  'The time of a checkpoint or of vacuuming a table.',
  {
    labelNames: ['kind'],
    buckets: shortTimes,
  },
)
const durations = { CHECKPOINT: durationOf({ kind: 'checkpoint' }), VACUUM: durationOf({ kind: 'vacuum' }) }

export type Maintenance = {
  /** Returns a function that ends the pause. */
  pauseCheckpoints(): () => void
  stop(): Promise<void>
}

/** Replaces the background processes that the embedded database lacks. */
export function startMaintenance(driver: Driver, onError: (error: Error) => void): Maintenance {
  let running: Promise<void> | undefined
  let pauses = 0
  const timer = setInterval(() => {
    running ??= runMaintenance(driver, () => pauses > 0)
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, maintenanceEveryMs)
  timer.unref()
  const stop = async () => {
    clearInterval(timer)
    await running
  }
  const pauseCheckpoints = () => {
    pauses += 1
    return () => {
      pauses -= 1
    }
  }
  return { pauseCheckpoints, stop }
}

/** Writes a checkpoint if the log has grown, and vacuums by a rule like autovacuum's. Requests run in between. */
export async function runMaintenance(driver: Driver, arePaused = () => false): Promise<void> {
  const [log] = await rowsOf<{ bytes: number }>(
    driver,
    'SELECT (pg_current_wal_insert_lsn() - redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()',
  )
  const bytes = log?.bytes ?? 0
  logBytes.set(bytes)
  if (bytes > maxLogBytes && !arePaused()) await maintain('CHECKPOINT')
  const changed = await rowsOf<{ table: string }>(
    driver,
    `SELECT s.relid::regclass::text AS table FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.n_dead_tup > 1000 + 0.2 * greatest(c.reltuples, 0)
        OR s.n_mod_since_analyze > 1000 + 0.1 * greatest(c.reltuples, 0)`,
  )
  for (const { table } of changed) await maintain('VACUUM', `(ANALYZE) ${table}`)

  async function maintain(command: keyof typeof durations, of = ''): Promise<void> {
    const began = performance.now()
    await driver(`${command} ${of}`, [], {})
    durations[command].observeSince(began)
  }
}

async function rowsOf<Row>(driver: Driver, sql: string): Promise<Row[]> {
  return (await driver(sql, [], {})).rows as Row[]
}
