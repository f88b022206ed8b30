import { type Context, requireUser } from '../context.ts'
import { rowLoader } from '../database/loader.ts'
import { query, rowsBy } from '../database/query.ts'
import { notingEvents } from '../events/note-events.ts'
import { type Group, Prisma, type Thread, type User } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { threadColumns } from './rows.ts'

const loadChat = rowLoader(async (ctx: Context, workspaceID, groupIDs) => {
  const find = async () => {
    const chats = await query<Thread>(
      ctx.db,
      Prisma.sql`
      SELECT ${threadColumns} FROM ${rowsBy('chat_group_id', groupIDs, { table: 'threads', alias: 't', workspaceID })}`,
    )
    return new Map(chats.map((chat) => [chat.chatGroupID ?? '', chat]))
  }
  const create = (missing: string[]) =>
    createChats(
      ctx,
      workspaceID,
      missing.map((groupID) => ({ kind: 'group_chat', chatGroupID: groupID })),
    )
  return findOrCreate(groupIDs, find, create)
})

const loadDM = rowLoader(async (ctx: Context, workspaceID, userIDs) => {
  requireUser(ctx)
  const me = ctx.actor.userID
  const create = (missing: string[]) =>
    createChats(
      ctx,
      workspaceID,
      missing.map((userID) => {
        const [dmLowUserID, dmHighUserID] = pairOf(me, userID)
        return { kind: 'dm', dmLowUserID, dmHighUserID }
      }),
    )
  return findOrCreate(userIDs, () => findDMs(ctx, workspaceID, userIDs), create)
})

const loadExistingDM = rowLoader(findDMs)

/** Returns the group chat of a group that the caller can see. Creates it when it is first needed. */
export async function groupChatOf(ctx: Context, { workspaceID, id }: Group): Promise<Thread> {
  return requireThread(await loadChat(ctx, workspaceID, id))
}

/** Returns the DM with another user of the workspace. Creates it when it is first needed. */
export async function dmWith(ctx: Context, { workspaceID, id }: User): Promise<Thread> {
  return requireThread(await loadDM(ctx, workspaceID, id))
}

/** Returns the DM with another user, or null. Does not create a DM with a deleted user. */
export async function dmOrNull(ctx: Context, user: User): Promise<Thread | null> {
  if (!user.deletedAt) return dmWith(ctx, user)
  return (await loadExistingDM(ctx, user.workspaceID, user.id)) ?? null
}

async function findDMs(ctx: Context, workspaceID: string, userIDs: string[]): Promise<Map<string, Thread>> {
  requireUser(ctx)
  const me = ctx.actor.userID
  const pairs = userIDs.map((userID) => pairOf(me, userID))
  const dms = await query<Thread>(
    ctx.db,
    Prisma.sql`
    SELECT ${threadColumns} FROM unnest(${pairs.map(([low]) => low)}::text[], ${pairs.map(([, high]) => high)}::text[]) AS pair (low, high)
    CROSS JOIN LATERAL (
      SELECT * FROM threads
      WHERE workspace_id = ${workspaceID} AND dm_low_user_id = pair.low AND dm_high_user_id = pair.high OFFSET 0) AS t`,
  )
  return new Map(dms.map((dm) => [(dm.dmLowUserID === me ? dm.dmHighUserID : dm.dmLowUserID) ?? '', dm]))
}

function pairOf(one: string, other: string): [low: string, high: string] {
  return one < other ? [one, other] : [other, one]
}

// If several callers create the same chat at the same time, a unique index lets only one of them create it. Then all of
// them find this chat. The keys are sorted, so that callers who create several chats never deadlock.
async function findOrCreate(
  keys: string[],
  find: () => Promise<Map<string, Thread>>,
  create: (missing: string[]) => Promise<unknown>,
): Promise<Map<string, Thread>> {
  const found = await find()
  const missing = keys.filter((key) => !found.has(key)).sort()
  if (missing.length === 0) return found
  await create(missing)
  return find()
}

type NewChat = {
  kind: 'group_chat' | 'dm'
  chatGroupID?: string
  dmLowUserID?: string
  dmHighUserID?: string
}

function createChats({ db }: Context, workspaceID: string, chats: NewChat[]): Promise<unknown> {
  return query(
    db,
    Prisma.sql`
    WITH created AS (
      INSERT INTO threads (workspace_id, id, kind, chat_group_id, dm_low_user_id, dm_high_user_id)
      SELECT ${workspaceID}, chat.* FROM unnest(
        ${chats.map(() => newID('thr'))}::text[], ${chats.map(({ kind }) => kind)}::text[],
        ${chats.map(({ chatGroupID }) => chatGroupID ?? null)}::text[],
        ${chats.map(({ dmLowUserID }) => dmLowUserID ?? null)}::text[],
        ${chats.map(({ dmHighUserID }) => dmHighUserID ?? null)}::text[]) AS chat
      ON CONFLICT DO NOTHING RETURNING workspace_id, id
    )${notingEvents(Prisma.sql`SELECT workspace_id, 'thread.created', id, id FROM created`)}
    SELECT FROM created`,
  )
}

function requireThread(thread: Thread | undefined): Thread {
  if (!thread) throw new Error('The chat was created but does not exist')
  return thread
}
