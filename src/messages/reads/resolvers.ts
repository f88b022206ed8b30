import type { Resolvers } from '../../generated/resolver-types.ts'
import { countUnreadThreads } from './count-unread-threads.ts'
import { markRead } from './mark-read.ts'
import { markUnread } from './mark-unread.ts'
import { countUnread, findFirstUnread, findReadUpTo } from './read-state.ts'

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
