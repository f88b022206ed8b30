import { requireScope } from '../context.ts'
import type { Resolvers } from '../generated/resolver-types.ts'
import { userOf } from '../users/access.ts'
import { dmOrNull, groupChatOf } from './chats.ts'
import { findThreadByArguments } from './find-thread.ts'
import type { Attention } from './list/filters.ts'
import { listRecipients } from './list/list-recipients.ts'
import { listThreads } from './list/list-threads.ts'
import { persistentChatEdge } from './user-edge.ts'

export const threadResolvers = (attention: Attention): Resolvers => ({
  Query: {
    thread: (_root, args, ctx) => findThreadByArguments(ctx, args),
    threads: (_root, { order, ...args }, ctx) =>
      listThreads(ctx, { ...args, order: order ?? 'created' }, attention),
  },
  Thread: {
    url: ({ workspaceID, id }, _args, { config }) => `${config.baseURL}/${workspaceID}/threads/${id}`,
    isPeristentChat: (thread) => thread.kind !== 'thread',
    threadType: (thread) => (thread.kind === 'thread' ? 'thread' : 'chat'),
    kind: ({ kind }) => (kind === 'group_chat' ? 'groupChat' : (kind as 'dm' | 'thread')),
    threadBy: ({ startedByID, threadBy }, _args, { actor }) =>
      actor.kind === 'user' && startedByID === actor.userID ? threadBy : null,
    recipients: (thread, args, ctx) => listRecipients(ctx, thread, args),
    startedBy: ({ workspaceID, startedByID }, _args, ctx) =>
      startedByID === null ? null : userOf(ctx, workspaceID, startedByID),
  },
  Group: {
    chat: (group, _args, ctx) => {
      if (ctx.actor.kind === 'operator') return null
      requireScope(ctx, 'threads:read')
      return groupChatOf(ctx, group)
    },
  },
  User: {
    chat: async (user, _args, ctx) => {
      if (ctx.actor.kind === 'operator') return null
      requireScope(ctx, 'threads:read')
      return user.id === ctx.actor.userID ? null : dmOrNull(ctx, user)
    },
  },
  UserEdge: {
    user: ({ other }) => other,
    persistentChatEdge: (edge, _args, ctx) => persistentChatEdge(ctx, edge),
  },
})
