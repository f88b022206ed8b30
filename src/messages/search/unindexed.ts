import { Prisma } from '../../generated/prisma/client.ts'

const written = Prisma.sql`SELECT workspace_id, array_agg(id) FROM written GROUP BY workspace_id`

/**
 * A part of a statement that writes messages: those in `written (workspace_id, id)`, or the workspaces and arrays of IDs
 * that a SELECT gives, are to be indexed for the search. It is one row for each workspace and commits with the messages,
 * so that none is forgotten, and the words are taken out of them later.
 */
export function notedForSearch(notes = written): Prisma.Sql {
  return Prisma.sql`, noted AS (INSERT INTO unindexed_messages (workspace_id, message_ids) ${notes})`
}
