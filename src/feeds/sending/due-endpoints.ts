import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

export type EndpointKey = { workspaceID: string; endpointID: string }

/** Returns the active endpoints with a due queue. Reads one index row for each endpoint with pending deliveries. */
export function dueEndpoints(db: Database): Promise<EndpointKey[]> {
  return query<EndpointKey>(
    db,
    Prisma.sql`
    WITH RECURSIVE waiting AS (
      SELECT '' COLLATE "C" AS workspace_id, '' COLLATE "C" AS endpoint_id
      UNION ALL
      SELECT following.* FROM waiting CROSS JOIN LATERAL (
        SELECT workspace_id, endpoint_id FROM event_queues q
        WHERE next_attempt_at IS NOT NULL
          AND (q.workspace_id, q.endpoint_id) > (waiting.workspace_id, waiting.endpoint_id)
        ORDER BY workspace_id, endpoint_id LIMIT 1
      ) AS following
    )
    SELECT workspace_id AS "workspaceID", endpoint_id AS "endpointID" FROM waiting
    WHERE EXISTS (
      SELECT FROM event_queues q
      WHERE q.workspace_id = waiting.workspace_id AND q.endpoint_id = waiting.endpoint_id
        AND q.next_attempt_at <= now() OFFSET 0
    ) AND EXISTS (
      SELECT FROM event_endpoints e
      WHERE e.workspace_id = waiting.workspace_id AND e.id = waiting.endpoint_id
        AND e.state = 'active' AND e.deleted_at IS NULL OFFSET 0)`,
  )
}
