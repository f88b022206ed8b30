import { Prisma } from '../../generated/prisma/client.ts'
import type { Value } from '../../platform/query.ts'

/**
 * A part of the statement that has `created` messages: what these authors write themselves they have read, where they
 * had read everything before it, up to what somebody else wrote at the same time. So nobody has an unread message of its
 * own, but who writes without reading.
 */
export function ownRead(workspaceID: Value, authorIDs: Value): Prisma.Sql {
  return Prisma.sql`, own AS (
      SELECT author_id, thread_id, min(position) AS first, max(position) AS last FROM (
        SELECT author_id, thread_id, position,
          position - row_number() OVER (PARTITION BY author_id, thread_id ORDER BY position) AS run
        FROM created WHERE author_id = ANY (${authorIDs}::text[])
      ) AS numbered GROUP BY author_id, thread_id, run
    ), own_read AS (
      INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to)
      SELECT ${workspaceID}, own.author_id, own.thread_id, own.last
      FROM own LEFT JOIN LATERAL (
        SELECT read_up_to FROM reads
        WHERE workspace_id = ${workspaceID} AND user_id = own.author_id AND thread_id = own.thread_id OFFSET 0
      ) AS known ON TRUE
      WHERE coalesce(known.read_up_to, 0) = own.first - 1
      ORDER BY own.author_id, own.thread_id
      ON CONFLICT (workspace_id, user_id, thread_id)
        DO UPDATE SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to)
    )`
}
