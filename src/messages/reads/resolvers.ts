import { type Context, requireScope, type UserActor } from '../../context.ts'
import { rowLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { latestThreads } from '../../threads/list/list-threads.ts'
import { isUnread } from './is-unread.ts'
import { markRead, markUnread } from './mark-read.ts'
import { countUnread, findFirstUnread, findReadUpTo } from './read-state.ts'

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
async function countUnreadThreads(ctx: Context): Promise<number> {
  requireScope(ctx, 'threads:read')
  const { workspaceID, userID } = ctx.actor
  return (await loadCount(ctx, workspaceID, userID)) ?? 0
}

export const readResolvers: Resolvers = {
  Mutation: {
    markRead: (_root, { input }, ctx) => markRead(ctx, input),
    markUnread: (_root, { input }, ctx) => markUnread(ctx, input),
  },
  Viewer: {
    unreadThreadCount: (_viewer, _args, ctx) => countUnreadThreads(ctx),
  },
  Thread: {
    unreadCount: (thread, _args, ctx) => countUnread(ctx, thread),
    readUpTo: async (thread, _args, ctx) => (await findReadUpTo(ctx, thread)) ?? null,
    firstUnread: async (thread, _args, ctx) => (await findFirstUnread(ctx, thread)) ?? null,
  },
}
