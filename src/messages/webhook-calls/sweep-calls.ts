import type { Database } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

const rowsPerStep = 1000

/** Removes what calls of more than a day ago sent, and the calls of deleted webhooks. */
export async function sweepCalls(db: Database): Promise<number> {
  let swept = 0
  for (const step of [deleteContents, deleteCalls]) {
    for (let rows = rowsPerStep; rows === rowsPerStep; swept += rows) rows = await execute(db, step)
  }
  return swept
}

const limit = Prisma.raw(String(rowsPerStep))

// The table has at most 50 rows for each webhook, without their contents. Therefore a sweep reads all of it.
const deleteContents = Prisma.sql`
  UPDATE webhook_calls SET content = NULL WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM webhook_calls WHERE content IS NOT NULL AND created_at < now() - interval '24 hours'
    LIMIT ${limit} FOR UPDATE SKIP LOCKED))`

const deleteCalls = Prisma.sql`
  DELETE FROM webhook_calls WHERE ctid = ANY(ARRAY(
    SELECT c.ctid FROM webhook_calls c
    WHERE EXISTS (
      SELECT FROM webhooks h
      WHERE h.workspace_id = c.workspace_id AND h.id = c.webhook_id AND h.deleted_at IS NOT NULL OFFSET 0)
    LIMIT ${limit} FOR UPDATE SKIP LOCKED))`
