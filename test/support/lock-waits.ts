import { setImmediate } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Database } from '../../src/database/database.ts'

/**
 * Waits until statements wait for a lock. The embedded database has only one connection, which the transaction with
 * the lock holds. Therefore other statements wait after one turn of the event loop.
 */
export async function untilLockWaits(db: Database, count = 1): Promise<void> {
  await setImmediate()
  if (process.env.TEST_DATABASE_URL === undefined) return
  await expect.poll(() => countLockWaits(db)).toBeGreaterThanOrEqual(count)
}

export async function countLockWaits(db: Database): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return count
}

/** Waits until statements that contain this text run. Needs a PostgreSQL server. */
export async function untilRunning(db: Database, text: string, count = 1): Promise<void> {
  const running = async () => {
    const [{ found }] = await db.$queryRaw<[{ found: number }]>`
      SELECT count(*)::integer AS found FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND strpos(query, ${text}) > 0`
    return found
  }
  await expect.poll(running).toBeGreaterThanOrEqual(count)
}
