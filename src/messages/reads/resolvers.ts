import type { Resolvers } from '../../generated/resolver-types.ts'
import { markAllRead, undoMarkAllRead } from './mark-all-read.ts'
import { markRead, markUnread } from './mark-read.ts'
import { countUnread, findFirstUnread, findReadUpTo } from './read-state.ts'

export const readResolvers: Resolvers = {
  Mutation: {
    markRead: (_root, { input }, ctx) => markRead(ctx, input),
    markUnread: (_root, { input }, ctx) => markUnread(ctx, input),
    markAllRead: (_root, { input }, ctx) => markAllRead(ctx, input),
    undoMarkAllRead: (_root, { input }, ctx) => undoMarkAllRead(ctx, input),
  },
  Thread: {
    unreadCount: (thread, _args, ctx) => countUnread(ctx, thread),
    readUpTo: async (thread, _args, ctx) => (await findReadUpTo(ctx, thread)) ?? null,
    firstUnread: async (thread, _args, ctx) => (await findFirstUnread(ctx, thread)) ?? null,
  },
}
