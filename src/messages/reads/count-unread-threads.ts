import { type Context, requireScope, type UserActor } from '../../context.ts'
import { rowLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { latestThreads } from '../../threads/list/list-threads.ts'
import { isUnread } from './is-unread.ts'

const maxThreads = 1000

const loadCount = rowLoader(async (ctx: Context<UserActor>, _workspaceID, userIDs) => {
  const threads = await latestThreads(ctx, maxThreads)
  const [counted] = await query<{ count: number }>(
    ctx.db,
    Prisma.sql`SELECT count(*)::integer AS count FROM (${threads}) AS t WHERE ${isUnread(ctx.actor)}`,
  )
  // A batch has calls of only one actor. Therefore `userIDs` contains only the actor's ID.
  return new Map(userIDs.map((userID) => [userID, counted?.count ?? 0]))
})

/** Returns how many of the `maxThreads` threads with the latest activity have unread messages. */
export async function countUnreadThreads(ctx: Context): Promise<number> {
  requireScope(ctx, 'threads:read')
  const { workspaceID, userID } = ctx.actor
  return (await loadCount(ctx, workspaceID, userID)) ?? 0
}
