import type { Database } from '../database/database.ts'
import { execute } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

const rowsPerStep = 1000

/** Deletes expired entries, in small steps. Returns their number. */
export async function sweepAudit(db: Database): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await execute(db, deleteExpired)
    total += deleted
    if (deleted < rowsPerStep) return total
  }
}

const deleteExpired = Prisma.sql`
  DELETE FROM audit_entries e USING (
    SELECT workspace_id, id FROM audit_entries WHERE expires_at <= now()
    ORDER BY expires_at LIMIT ${Prisma.raw(String(rowsPerStep))}) AS old
  WHERE e.workspace_id = old.workspace_id AND e.id = old.id`
