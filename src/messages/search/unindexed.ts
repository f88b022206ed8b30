import { Prisma } from '../../generated/prisma/client.ts'

const written = Prisma.sql`SELECT workspace_id, array_agg(id) FROM written GROUP BY workspace_id`

/**
 * Returns a CTE that adds messages to the outbox of the search: by default those of `written (workspace_id, id)`,
 * otherwise those of the SELECT `outboxRows`, which returns workspaces and arrays of IDs. Each workspace gets one row,
 * which commits with the messages.
 */
export function addToSearchOutbox(outboxRows = written): Prisma.Sql {
  return Prisma.sql`, outbox AS (INSERT INTO unindexed_messages (workspace_id, message_ids) ${outboxRows})`
}
