import { type Context, requireUser, type UserActor } from '../../context.ts'
import { rowLoader, selectLoader } from '../../database/loader.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { listMentionsOfCaller } from '../mentions/list-mentions.ts'
import { callsViewer, countUnreadMentionsIn } from '../mentions/shown-mentions.ts'
import { followThread, muteThread, unfollowThread, unmuteThread } from './follows.ts'
import { mineAmong } from './is-mine.ts'
import { isPinned, listPins, orderPins, pinGroup, pinThread, unpinGroup, unpinThread } from './pins.ts'
import { countUnread, hasUnread } from './unread.ts'

type Settings = { id: string; isMuted: boolean; isFollowed: boolean }

const loadSettings = selectLoader<Context<UserActor>, Settings>(
  ({ actor: { userID } }, workspaceID, threadIDs) => Prisma.sql`
    SELECT wanted.value AS id,
      EXISTS (SELECT FROM muted_threads
        WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = wanted.value OFFSET 0) AS "isMuted",
      EXISTS (SELECT FROM follows WHERE workspace_id = ${workspaceID} AND user_id = ${userID}
        AND thread_id = wanted.value AND is_active OFFSET 0) AS "isFollowed"
    FROM unnest(${threadIDs}::text[]) AS wanted (value)`,
)

async function settingsOf(ctx: Context, { workspaceID, id }: Thread): Promise<Omit<Settings, 'id'>> {
  requireUser(ctx)
  return (await loadSettings(ctx, workspaceID, id)) ?? { isMuted: false, isFollowed: false }
}

const loadIsMine = rowLoader(async (ctx: Context<UserActor>, _workspaceID, threadIDs) => {
  const mine = await mineAmong(ctx, threadIDs)
  return new Map(threadIDs.map((id) => [id, mine.has(id)]))
})

export const mineResolvers: Resolvers = {
  Mutation: {
    followThread: (_root, { input }, ctx) => followThread(ctx, input),
    unfollowThread: (_root, { input }, ctx) => unfollowThread(ctx, input),
    muteThread: (_root, { input }, ctx) => muteThread(ctx, input),
    unmuteThread: (_root, { input }, ctx) => unmuteThread(ctx, input),
    pinGroup: (_root, { input }, ctx) => pinGroup(ctx, input),
    unpinGroup: (_root, { input }, ctx) => unpinGroup(ctx, input),
    pinThread: (_root, { input }, ctx) => pinThread(ctx, input),
    unpinThread: (_root, { input }, ctx) => unpinThread(ctx, input),
    orderPins: (_root, { input }, ctx) => orderPins(ctx, input),
  },
  Viewer: {
    unread: (_viewer, _args, ctx) => countUnread(ctx),
    mentions: (_viewer, args, ctx) => listMentionsOfCaller(ctx, args),
    pins: (_viewer, _args, ctx) => listPins(ctx),
  },
  Pin: {
    __resolveType: (pin) => ('kind' in pin ? 'Thread' : 'Group'),
  },
  Message: {
    callsViewer: (message, _args, ctx) => (ctx.actor.kind === 'operator' ? null : callsViewer(ctx, message)),
  },
  Thread: {
    isMine: async (thread, _args, ctx) => {
      requireUser(ctx)
      return (await loadIsMine(ctx, thread.workspaceID, thread.id)) ?? false
    },
    isMuted: async (thread, _args, ctx) => (await settingsOf(ctx, thread)).isMuted,
    isFollowed: async (thread, _args, ctx) => (await settingsOf(ctx, thread)).isFollowed,
    isPinned: (thread, _args, ctx) => isPinned(ctx, thread),
    unreadMentionCount: (thread, _args, ctx) => countUnreadMentionsIn(ctx, thread),
  },
  Group: {
    hasUnread: (group, _args, ctx) => (ctx.actor.kind === 'operator' ? null : hasUnread(ctx, group)),
    isPinned: (group, _args, ctx) => isPinned(ctx, group),
  },
}
