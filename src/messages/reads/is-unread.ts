import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { calledAgain } from './called-again.ts'

/**
 * Returns a condition on rows `t` of threads: the thread has messages of other users that the user has not read, or
 * that called again since.
 */
export function isUnread({ userID }: UserActor): Prisma.Sql {
  const called = calledAgain({
    workspaceID: Prisma.sql`t.workspace_id`,
    threadID: Prisma.sql`t.id`,
    calledAt: Prisma.sql`t.called_at`,
    userID,
  })
  return Prisma.sql`(t.last_position > coalesce((
    SELECT own.read_up_to + own.own_total - own.own_read FROM reads own
    WHERE own.workspace_id = t.workspace_id AND own.user_id = ${userID} AND own.thread_id = t.id), 0)
    OR t.called_at IS NOT NULL AND EXISTS (
      SELECT FROM (
        SELECT * FROM reads WHERE workspace_id = t.workspace_id AND user_id = ${userID} AND thread_id = t.id OFFSET 0
      ) AS known CROSS JOIN LATERAL (SELECT ${called} LIMIT 1) AS called))`
}
