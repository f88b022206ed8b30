import type { Database } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

const rowsPerStep = 1000

/** Removes what calls of more than a day ago sent, and the calls of deleted webhooks. */
export async function sweepCalls(db: Database): Promise<void> {
  for (const step of [deleteContents, deleteCalls]) while ((await execute(db, step)) === rowsPerStep) {}
}

const limit = Prisma.raw(String(rowsPerStep))

const deleteContents = Prisma.sql`
  UPDATE webhook_calls c SET content = NULL FROM (
    SELECT old.* FROM webhooks h CROSS JOIN LATERAL (
      SELECT workspace_id, webhook_id, id FROM webhook_calls
      WHERE workspace_id = h.workspace_id AND webhook_id = h.id AND content IS NOT NULL
        AND created_at < now() - interval '24 hours' FOR UPDATE SKIP LOCKED) AS old
    LIMIT ${limit}
  ) AS old
  WHERE c.workspace_id = old.workspace_id AND c.webhook_id = old.webhook_id AND c.id = old.id`

const deleteCalls = Prisma.sql`
  DELETE FROM webhook_calls c USING (
    SELECT old.* FROM webhooks h CROSS JOIN LATERAL (
      SELECT workspace_id, webhook_id, id FROM webhook_calls
      WHERE workspace_id = h.workspace_id AND webhook_id = h.id FOR UPDATE SKIP LOCKED) AS old
    WHERE h.deleted_at IS NOT NULL LIMIT ${limit}
  ) AS old
  WHERE c.workspace_id = old.workspace_id AND c.webhook_id = old.webhook_id AND c.id = old.id`
