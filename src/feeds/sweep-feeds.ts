import type { Database } from '../database/database.ts'
import { execute } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

/**
 * Removes old deliveries, and endpoints that are marked as deleted, with all their rows. If an app or webhook was
 * deleted, its endpoints stay for `ttlDays`, so that they still receive the last event, such as `app.uninstalled`.
 */
export async function sweepEndpoints(db: Database, ttlDays: number): Promise<number> {
  await execute(db, deleteWithOwners(ttlDays))
  const deliveries = await sweepDeliveries(db, ttlDays)
  const listeners = await execute(db, deleteListeners(ttlDays))
  return deliveries + listeners + (await execute(db, deleteEndpoints))
}

function deleteWithOwners(ttlDays: number): Prisma.Sql {
  const old = Prisma.sql`deleted_at < now() - make_interval(days => ${ttlDays})`
  return Prisma.sql`
    UPDATE event_endpoints e SET deleted_at = now()
    WHERE e.deleted_at IS NULL AND (
      EXISTS (SELECT FROM apps WHERE workspace_id = e.workspace_id AND id = e.app_id AND ${old} OFFSET 0)
      OR EXISTS (SELECT FROM webhooks WHERE workspace_id = e.workspace_id AND id = e.webhook_id AND ${old} OFFSET 0))`
}

// FOR SHARE waits for a call that installs the app again. In this case the listener stays.
function deleteListeners(ttlDays: number): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM event_listeners l USING (
      SELECT e.workspace_id, e.id, i.workspace_id AS event_workspace_id
      FROM event_endpoints e CROSS JOIN LATERAL (
        SELECT event_workspace_id FROM event_listeners
        WHERE workspace_id = e.workspace_id AND endpoint_id = e.id OFFSET 0) AS own
      JOIN installations i ON i.workspace_id = own.event_workspace_id AND i.app_id = e.app_id
      WHERE i.uninstalled_at < now() - make_interval(days => ${ttlDays}) FOR SHARE OF i
    ) AS old
    WHERE l.workspace_id = old.workspace_id AND l.endpoint_id = old.id
      AND l.event_workspace_id = old.event_workspace_id`
}

// An hour after the deletion, no process works for the endpoint any more.
const deleteEndpoints = Prisma.sql`
  WITH gone AS (
    SELECT workspace_id, id FROM event_endpoints e
    WHERE deleted_at < now() - interval '1 hour'
      AND NOT EXISTS (SELECT FROM event_deliveries WHERE workspace_id = e.workspace_id AND endpoint_id = e.id OFFSET 0)
      AND NOT EXISTS (SELECT FROM event_queues WHERE workspace_id = e.workspace_id AND endpoint_id = e.id OFFSET 0)
  ), listeners AS (
    DELETE FROM event_listeners l USING gone WHERE l.workspace_id = gone.workspace_id AND l.endpoint_id = gone.id
    RETURNING l.workspace_id
  )
  DELETE FROM event_endpoints e USING gone
  WHERE e.workspace_id = gone.workspace_id AND e.id = gone.id AND (SELECT count(*) FROM listeners) >= 0`

const rowsPerStep = 1000

/** Deletes the deliveries that are older than `ttlDays` or whose endpoint was deleted, in small steps. */
async function sweepDeliveries(db: Database, ttlDays: number): Promise<number> {
  const deliveries = await inSteps(() => execute(db, deleteDeliveries(ttlDays)))
  return deliveries + (await inSteps(() => execute(db, deleteQueues)))
}

async function inSteps(step: () => Promise<number>): Promise<number> {
  let swept = 0
  for (let deleted = rowsPerStep; deleted === rowsPerStep; swept += deleted) deleted = await step()
  return swept
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
