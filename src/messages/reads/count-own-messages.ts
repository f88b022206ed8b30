import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Reader } from './floors.ts'

/**
 * Returns CTEs that count the messages in `created` as own messages of their authors in `reads`. Ignores authors who
 * are not in `authorIDs`. If an author had read everything, the read position also moves past the author's new
 * messages, up to the first message of another author. Therefore the first message after the read position is rarely
 * an own message. An author without a row has read nothing, unless the thread is new. DO UPDATE reads the latest
 * committed row, which can be newer than the statement's snapshot.
 */
export function countOwnMessages(authorIDs: Value): Prisma.Sql {
  return Prisma.sql`, own AS (
      SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total, min(created_at) AS at,
        count(*) FILTER (WHERE position - number = before) AS run
      FROM (
        SELECT workspace_id, author_id, thread_id, position, created_at,
          row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
          min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
        FROM created WHERE author_id = ANY (${authorIDs}::text[])
      ) AS numbered GROUP BY workspace_id, author_id, thread_id
    ), counted AS (
      INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
      SELECT own.workspace_id, own.author_id, own.thread_id,
        CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
        CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
      FROM own LEFT JOIN LATERAL (
        SELECT TRUE AS is_there FROM reads
        WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id OFFSET 0
      ) AS known ON TRUE
      ORDER BY own.workspace_id, own.author_id, own.thread_id
      ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE SET
        own_total = r.own_total + excluded.own_total,
        read_up_to = CASE WHEN ${hadReadAll} THEN excluded.read_up_to ELSE r.read_up_to END,
        own_read = CASE WHEN ${hadReadAll} THEN r.own_total + excluded.own_read ELSE r.own_read END
    )`
}

export function authorReads(authorID: Prisma.Sql, authorIDs: Value): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${authorID} = ANY (${authorIDs}::text[]) THEN TRUE END`
}

// Whether the author had read everything before this statement. The left side is the read position plus the number of
// own messages after it. This sum is the last position if only own messages follow. The right side is the position
// before the first message that the statement inserts.
const hadReadAll = Prisma.sql`r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read`

/**
 * Returns SQL for the number of a user's own messages in a thread `t` up to a position. Needs the row `known`: the
 * user's row of `reads`, or nulls. Counts from the read position or from the end, whichever is nearer.
 */
export function countOwnUpTo(position: Value, { workspaceID, userID }: Reader): Prisma.Sql {
  return Prisma.sql`CASE WHEN known.own_total > 0 THEN (
      SELECT start.own - sign(start.position - ${position})::integer * (
        SELECT count(*)::integer FROM messages own
        WHERE own.workspace_id = ${workspaceID} AND own.thread_id = t.id AND own.author_id = ${userID}
          AND own.author_reads AND own.position > least(start.position, ${position})
          AND own.position <= greatest(start.position, ${position}))
      FROM (SELECT abs(${position} - known.read_up_to) <= t.last_position - ${position} AS is_near) AS nearer
      CROSS JOIN LATERAL (
        SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
          CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own) AS start
    ) ELSE 0 END`
}
