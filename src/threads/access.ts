import { type Context, requireScope, type UserActor } from '../context.ts'
import { selectLoader } from '../database/loader.ts'
import { query, rowsBy } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { threadColumns } from './rows.ts'

/** Returns SQL for the IDs of the threads that the viewer can see. An ID can occur several times. */
export function threadIDsOf({ workspaceID, userID }: UserActor): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM visible_thread_ids WHERE workspace_id = ${workspaceID} AND viewer_id = ${userID}`
}

/** Returns SQL for the IDs of all threads that are addressed to a user or group, visible or not. */
export function threadIDsAddressedTo(workspaceID: string, recipientID: string): Prisma.Sql {
  const column = (name: string) =>
    Prisma.sql`SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND ${Prisma.raw(name)} = ${recipientID}`
  const recipients = (name: string) =>
    Prisma.sql`SELECT thread_id FROM recipients WHERE workspace_id = ${workspaceID} AND ${Prisma.raw(name)} = ${recipientID}`
  return prefixOf(recipientID) === 'usr'
    ? Prisma.sql`${column('dm_low_user_id')} UNION ALL ${column('dm_high_user_id')} UNION ALL ${recipients('user_id')}`
    : Prisma.sql`${column('chat_group_id')} UNION ALL ${recipients('group_id')}`
}

const loadThread = selectLoader<Context<UserActor>, Thread>(({ actor }, workspaceID, ids) => {
  const rows = { table: 'visible_threads', alias: 't', workspaceID, viewerID: actor.userID }
  return Prisma.sql`SELECT ${threadColumns} FROM ${rowsBy('id', ids, rows)}`
})

const loadThreadUnchecked = selectLoader<Context, Thread>((_ctx, workspaceID, ids) => {
  const rows = { table: 'threads', alias: 't', workspaceID }
  return Prisma.sql`SELECT ${threadColumns} FROM ${rowsBy('id', ids, rows)}`
})

/** Returns a thread that something visible refers to, or that the caller just wrote to. Does not check access. */
export async function threadOf(ctx: Context, workspaceID: string, id: string): Promise<Thread> {
  const thread = await loadThreadUnchecked(ctx, workspaceID, id)
  if (!thread) throw new Error(`The thread ${id} is referenced but does not exist`)
  return thread
}

export async function findThread(ctx: Context, id: string, scope: Scope = 'threads:read') {
  requireScope(ctx, scope)
  return prefixOf(id) === 'thr' ? loadThread(ctx, ctx.actor.workspaceID, id) : undefined
}

/** Returns whether a thread exists in a workspace and the caller can see it. The operator can name all threads. */
export async function hasThread(ctx: Context, workspaceID: string, id: string): Promise<boolean> {
  const isOperator = ctx.actor.kind === 'operator'
  return Boolean(await (isOperator ? loadThreadUnchecked(ctx, workspaceID, id) : findThread(ctx, id)))
}

/** Returns whether the caller can see a thread that is the chat of one of these groups, or has one as a recipient. */
export async function isAddressedTo(
  { db, actor: { workspaceID, userID } }: Context<UserActor>,
  threadID: string,
  groupIDs: string[],
): Promise<boolean> {
  const found = await query(
    db,
    Prisma.sql`
    SELECT t.id FROM visible_threads t
    WHERE t.viewer_id = ${userID} AND t.workspace_id = ${workspaceID} AND t.id = ${threadID}
      AND (t.chat_group_id = ANY(${groupIDs}::text[]) OR EXISTS (
        SELECT FROM recipients r
        WHERE r.workspace_id = ${workspaceID} AND r.thread_id = ${threadID} AND r.group_id = ANY(${groupIDs}::text[])
        OFFSET 0))`,
  )
  return found.length > 0
}

export async function accessThread(ctx: Context, id: string, scope?: Scope): Promise<Thread> {
  const thread = await findThread(ctx, id, scope)
  if (!thread) throw notFound('thread')
  return thread
}
