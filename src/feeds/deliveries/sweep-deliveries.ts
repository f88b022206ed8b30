import type { Database } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

const rowsPerStep = 1000

/** Deletes the deliveries that are older than `ttlDays` or whose endpoint was deleted, in small steps. */
export async function sweepDeliveries(db: Database, ttlDays: number): Promise<void> {
  await inSteps(() => execute(db, deleteDeliveries(ttlDays)))
  await inSteps(() => execute(db, deleteQueues))
}

export async function inSteps(step: () => Promise<number>): Promise<void> {
  for (let deleted = rowsPerStep; deleted === rowsPerStep; ) deleted = await step()
}

function deleteDeliveries(ttlDays: number): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM event_deliveries d USING (
      SELECT old.workspace_id, old.id FROM event_endpoints e CROSS JOIN LATERAL (
        SELECT workspace_id, id FROM event_deliveries
        WHERE workspace_id = e.workspace_id AND endpoint_id = e.id
          AND created_at < CASE WHEN e.deleted_at IS NULL THEN now() - make_interval(days => ${ttlDays}) ELSE 'infinity' END
        ORDER BY created_at, id LIMIT ${Prisma.raw(String(rowsPerStep))} OFFSET 0
      ) AS old LIMIT ${Prisma.raw(String(rowsPerStep))}
    ) AS old
    WHERE d.workspace_id = old.workspace_id AND d.id = old.id`
}

// A queue without pending deliveries is created again when it is needed.
const deleteQueues = Prisma.sql`
  DELETE FROM event_queues q USING (
    SELECT old.* FROM event_endpoints e CROSS JOIN LATERAL (
      SELECT workspace_id, endpoint_id, key FROM event_queues
      WHERE workspace_id = e.workspace_id AND endpoint_id = e.id
        AND (pending = 0 OR e.deleted_at IS NOT NULL)
      ORDER BY key LIMIT ${Prisma.raw(String(rowsPerStep))} OFFSET 0
    ) AS old LIMIT ${Prisma.raw(String(rowsPerStep))}
  ) AS old
  WHERE q.workspace_id = old.workspace_id AND q.endpoint_id = old.endpoint_id AND q.key = old.key
    AND (q.pending = 0 OR EXISTS (
      SELECT FROM event_endpoints e
      WHERE e.workspace_id = q.workspace_id AND e.id = q.endpoint_id AND e.deleted_at IS NOT NULL OFFSET 0))`
