import { Prisma } from '../../generated/prisma/client.ts'
import type { Value } from '../../platform/query.ts'

const written = Prisma.sql`array_agg(written.id) FROM written HAVING count(*) > 0`

/**
 * A part of a statement that writes messages: those in `written (id)`, or an array of IDs with its FROM, are to be
 * indexed for the search. It is one row for all of them and commits with them, so that none is forgotten, and the words
 * are taken out of them later.
 */
export function notedForSearch(workspaceID: Value, ids = written): Prisma.Sql {
  return Prisma.sql`, noted AS (
    INSERT INTO unindexed_messages (workspace_id, message_ids) SELECT ${workspaceID}, ${ids}
  )`
}
