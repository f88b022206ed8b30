import type { Database } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'

/**
 * Creates a listener for each workspace whose events the endpoint can receive. A new listener begins at the end of the
 * log. An endpoint with a group listens only in the workspace of the group.
 */
export async function listen(tx: Database, endpoint: EventEndpoint): Promise<void> {
  const { workspaceID, id, appID, groupID } = endpoint
  const places =
    appID === null || groupID !== null
      ? Prisma.sql`SELECT ${workspaceID}::text`
      : Prisma.sql`
        SELECT workspace_id FROM installations
        WHERE app_workspace_id = ${workspaceID} AND app_id = ${appID} AND uninstalled_at IS NULL`
  await execute(
    tx,
    Prisma.sql`
    INSERT INTO event_listeners (workspace_id, endpoint_id, event_workspace_id, position)
    SELECT ${workspaceID}, ${id}, place.id, coalesce(h.position, 0)
    FROM (${places}) AS place (id) LEFT JOIN event_heads h ON h.workspace_id = place.id
    ON CONFLICT DO NOTHING`,
  )
  if (groupID !== null)
    await tx.eventListener.deleteMany({
      where: { workspaceID, endpointID: id, eventWorkspaceID: { not: workspaceID } },
    })
}
