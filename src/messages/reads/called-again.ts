import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

type Reading = { workspaceID: Value; threadID: Value; calledAt: Prisma.Sql; userID: Value }

/**
 * Returns the part of a SELECT from FROM on, for the messages `m` of a thread that a user has read, and that called
 * again since. Needs the row `known`: the user's row of `reads`, or nulls. `calledAt` is the thread's last call, or
 * null. Without a later call, no message is read from the database.
 */
export function calledAgain({ workspaceID, threadID, calledAt, userID }: Reading): Prisma.Sql {
  return Prisma.sql`FROM messages m
      WHERE ${calledAt} > coalesce(known.calls_read_up_to, '-infinity') AND m.workspace_id = ${workspaceID}
        AND m.thread_id = ${threadID} AND m.called_at > coalesce(known.calls_read_up_to, '-infinity')
        AND m.position <= known.read_up_to AND m.author_id <> ${userID} AND m.deleted_at IS NULL`
}

/** How many messages called again, and the position of the one that called first. */
export const calledColumns = Prisma.sql`
  count(*)::integer AS "calledAgain", (array_agg(m.position ORDER BY m.called_at))[1] AS "firstCalled"`
