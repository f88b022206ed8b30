import { Prisma } from '../generated/prisma/client.ts'

const written = Prisma.sql`SELECT workspace_id, array_agg(id) FROM written GROUP BY workspace_id`

/** Returns a CTE that adds messages to the outbox in the same commit, in one row for each workspace. */
export function addToOutbox(outboxRows = written): Prisma.Sql {
  return Prisma.sql`, outbox AS (INSERT INTO message_outbox (workspace_id, message_ids) ${outboxRows})`
}
