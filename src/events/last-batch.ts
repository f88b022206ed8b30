import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

/**
 * The last batch that a reader of all workspaces has read. A restored database can give its number to another batch.
 * Therefore a reader also compares the position and the time of the batch's last event.
 */
export type LastBatch = { number: bigint; workspaceID: string; position: number; createdAt: Date }

/** The place before the first batch. */
const startOfLog: LastBatch = { number: 0n, workspaceID: '', position: 0, createdAt: new Date(0) }

type Row = Omit<LastBatch, 'position'> & { position: bigint }

/** Returns the latest batch. Batches that are committed later have higher numbers. */
export async function latestBatch(db: Database): Promise<LastBatch> {
  const [latest] = await query<Row>(
    db,
    Prisma.sql`
    SELECT number, workspace_id AS "workspaceID", last_position AS position, times[cardinality(times)] AS "createdAt"
    FROM event_batches ORDER BY number DESC LIMIT 1`,
  )
  return latest ? { ...latest, position: Number(latest.position) } : startOfLog
}

/**
 * Returns whether the log has lost a batch that was in it. This happens if the database is restored from a backup, or
 * if a standby is promoted that does not have the last commits. `found` is what the log has under the batch's number.
 */
export async function isLost(db: Database, batch: LastBatch, found: LastBatch | undefined): Promise<boolean> {
  if (batch.number === startOfLog.number) return false
  return found ? !isSame(batch, found) : !(await isSwept(db, batch))
}

function isSame(one: LastBatch, other: LastBatch): boolean {
  return (
    one.number === other.number &&
    one.workspaceID === other.workspaceID &&
    one.position === other.position &&
    one.createdAt.getTime() === other.createdAt.getTime()
  )
}

// Old batches are deleted. Then the log has later positions, but nothing at the position of the batch. The log of the
// starter workspace is removed with it, and only the audit log says so.
async function isSwept(db: Database, { workspaceID, position }: LastBatch): Promise<boolean> {
  const [row] = await query<{ isSwept: boolean }>(
    db,
    Prisma.sql`
    SELECT coalesce((
      SELECT h.position >= ${position}::bigint AND NOT EXISTS (
        SELECT FROM (
          SELECT * FROM event_batches WHERE workspace_id = ${workspaceID} AND last_position >= ${position}::bigint
          ORDER BY last_position LIMIT 1
        ) AS next WHERE last_position - cardinality(types) < ${position}::bigint
      ) FROM event_heads h WHERE h.workspace_id = ${workspaceID}
    ), EXISTS (
      SELECT FROM audit_entries
      WHERE workspace_id = '' AND action = 'removeStarterWorkspace' AND object_id = ${workspaceID}
    )) AS "isSwept"`,
  )
  return row?.isSwept ?? false
}
