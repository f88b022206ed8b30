import type { Database } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** Creates the missing listeners for new installations of an app. Their first event reports the installation. */
export async function listenInNewInstallations(
  db: Database,
  workspaceIDs?: readonly string[],
): Promise<void> {
  const chosen = workspaceIDs ? Prisma.sql`AND i.workspace_id = ANY (${workspaceIDs}::text[])` : Prisma.empty
  await execute(
    db,
    Prisma.sql`
    INSERT INTO event_listeners (workspace_id, endpoint_id, event_workspace_id, position, is_resuming)
    SELECT e.workspace_id, e.id, i.workspace_id, coalesce(installed.position - 1, (
        SELECT position FROM event_heads WHERE workspace_id = i.workspace_id), 0), TRUE
    FROM installations i
    CROSS JOIN LATERAL (
      SELECT * FROM event_endpoints
      WHERE workspace_id = i.app_workspace_id AND app_id = i.app_id AND deleted_at IS NULL OFFSET 0) AS e
    LEFT JOIN LATERAL (
      SELECT b.last_position - cardinality(b.types) + part.place AS position
      FROM event_batches b CROSS JOIN LATERAL unnest(b.types, b.object_ids)
        WITH ORDINALITY AS part (type, object_id, place)
      WHERE b.workspace_id = i.workspace_id AND part.type = 'app.installed' AND part.object_id = i.app_id
      ORDER BY b.last_position DESC, part.place DESC LIMIT 1
    ) AS installed ON TRUE
    WHERE i.uninstalled_at IS NULL ${chosen} AND e.group_id IS NULL AND NOT EXISTS (
      SELECT FROM event_listeners l
      WHERE l.workspace_id = e.workspace_id AND l.endpoint_id = e.id AND l.event_workspace_id = i.workspace_id OFFSET 0)
    ON CONFLICT DO NOTHING`,
  )
}
