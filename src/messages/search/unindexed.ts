import { Prisma } from '../../generated/prisma/client.ts'

const written = Prisma.sql`SELECT workspace_id, array_agg(id) FROM written GROUP BY workspace_id`

/**
 * Returns a CTE that adds messages to the search's outbox: `written (workspace_id, id)`, or workspaces and arrays of
 * IDs from a SELECT. Each workspace gets one row, which commits with the messages, so that none is forgotten.
 */
export function notedForSearch(notes = written): Prisma.Sql {
  return Prisma.sql`, noted AS (INSERT INTO unindexed_messages (workspace_id, message_ids) ${notes})`
}
