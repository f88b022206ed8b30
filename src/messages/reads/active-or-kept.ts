import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Candidates } from '../../threads/list/filters.ts'
import { threadsActiveSince } from '../../threads/list/list-threads.ts'
import { personFloor } from './floors.ts'

/**
 * Returns what follows FROM, up to the conditions: the threads `t` among the candidates that meet a condition and can be
 * unread for a person. They were active since the floor, or the person kept them unread.
 */
export async function activeOrKept(
  ctx: Context<UserActor>,
  candidates: Candidates,
  condition: Prisma.Sql,
): Promise<Prisma.Sql> {
  const { workspaceID, userID } = ctx.actor
  const floor = personFloor(ctx.actor)
  return Prisma.sql`(
        SELECT t.* FROM ${await threadsActiveSince(ctx, candidates, floor)} WHERE t.last_activity_at > ${floor}
        UNION ALL SELECT t.* FROM reads kept CROSS JOIN LATERAL (
          SELECT * FROM threads WHERE workspace_id = ${workspaceID} AND id = kept.thread_id OFFSET 0) AS t
        WHERE kept.workspace_id = ${workspaceID} AND kept.user_id = ${userID} AND kept.kept_at IS NOT NULL
          AND t.last_activity_at <= ${floor}
      ) AS t WHERE ${condition}`
}
