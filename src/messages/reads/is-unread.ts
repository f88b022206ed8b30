import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** Returns a condition on rows `t` of threads: the thread has messages of other users that the user has not read. */
export function isUnread({ userID }: UserActor): Prisma.Sql {
  return Prisma.sql`(t.last_position > coalesce((
    SELECT own.read_up_to + own.own_total - own.own_read FROM reads own
    WHERE own.workspace_id = t.workspace_id AND own.user_id = ${userID} AND own.thread_id = t.id), 0))`
}
