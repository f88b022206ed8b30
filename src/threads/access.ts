import { type Context, requireScope, type UserActor } from '../context.ts'
import { notFound } from '../errors.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { administers, type Viewer, visibleGroups } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'
import { byID, rowLoader } from '../platform/loader.ts'
import { query, rowsBy } from '../platform/query.ts'
import type { Scope } from '../scopes.ts'

export const threadColumns = Prisma.sql`t.workspace_id AS "workspaceID", t.id, t.kind, t.subject,
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt"`

/**
 * A condition on rows `t` of threads, in a workspace that the viewer is in: a DM of the viewer, the chat of a group
 * that it may see, or a thread with the viewer or such a group among its recipients. `OFFSET 0` keeps PostgreSQL from
 * answering for all threads at once from a hash of every workspace's rows, where a page needs a few.
 */
export function visibleThreads(actor: Viewer & { kind: 'user' }): Prisma.Sql {
  const ofThread = Prisma.sql`r.workspace_id = t.workspace_id AND r.thread_id = t.id`
  return Prisma.sql`(${isVisibleChat(actor)} OR ${namesVisible(actor, ofThread)})`
}

/** The same of rows `m` of messages, by their threads: these are read only where no recipient tells. */
export function inVisibleThreads(actor: UserActor): Prisma.Sql {
  const ofMessage = Prisma.sql`r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id`
  return Prisma.sql`(${namesVisible(actor, ofMessage)} OR EXISTS (
    SELECT FROM threads t
    WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND ${isVisibleChat(actor)} OFFSET 0))`
}

/** A condition on rows `t` of threads. */
function isVisibleChat(actor: Viewer & { kind: 'user' }): Prisma.Sql {
  return Prisma.sql`(
    t.dm_low_user_id = ${actor.userID} OR t.dm_high_user_id = ${actor.userID}
    OR t.chat_group_id IS NOT NULL AND EXISTS (
      SELECT FROM groups g
      WHERE g.workspace_id = t.workspace_id AND g.id = t.chat_group_id AND ${visibleGroups(actor)} OFFSET 0))`
}

/** A condition: of the recipients `r` for which another one holds, one is the viewer or a group that it may see. */
function namesVisible(actor: Viewer & { kind: 'user' }, ofThread: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM recipients r LEFT JOIN groups g ON g.workspace_id = r.workspace_id AND g.id = r.group_id
    WHERE ${ofThread}
      AND (r.user_id = ${actor.userID} OR (r.group_id IS NOT NULL AND ${visibleGroups(actor)})) OFFSET 0)`
}

/**
 * A condition on rows `t` of threads: the viewer is an admin of the workspace, of the chat's group, or of a group that
 * the thread names. A DM has no admins.
 */
export function administersThread(actor: UserActor): Prisma.Sql {
  return Prisma.sql`(t.kind <> 'dm' AND (${administers(actor, Prisma.sql`t.chat_group_id`)} OR EXISTS (
    SELECT FROM recipients r
    WHERE r.workspace_id = t.workspace_id AND r.thread_id = t.id AND r.group_id IS NOT NULL
      AND ${administers(actor, Prisma.sql`r.group_id`)})))`
}

/**
 * The IDs of threads that `visibleThreads` may hold for, found from what is the viewer's: an `id` may come twice. With
 * a limit it costs as much as the limit, while a walk over all threads costs as much as there are others'.
 */
export function threadIDsOf(viewer: UserActor): Prisma.Sql {
  const { workspaceID, userID } = viewer
  return Prisma.sql`
    ${dmIDsOf(viewer)}
    UNION ALL
    SELECT r.thread_id FROM recipients r WHERE r.workspace_id = ${workspaceID} AND r.user_id = ${userID}
    UNION ALL
    ${chatIDsOf(viewer)}
    UNION ALL
    SELECT r.thread_id FROM groups g CROSS JOIN LATERAL (
      SELECT thread_id FROM recipients WHERE workspace_id = ${workspaceID} AND group_id = g.id OFFSET 0) AS r
    WHERE g.workspace_id = ${workspaceID} AND ${visibleGroups(viewer)}`
}

/** The IDs of the viewer's DMs. */
export function dmIDsOf({ workspaceID, userID }: UserActor): Prisma.Sql {
  return Prisma.sql`
    SELECT t.id FROM threads t WHERE t.workspace_id = ${workspaceID} AND t.dm_low_user_id = ${userID}
    UNION ALL
    SELECT t.id FROM threads t WHERE t.workspace_id = ${workspaceID} AND t.dm_high_user_id = ${userID}`
}

/** The IDs of the chats of the groups that the viewer may see. */
export function chatIDsOf(viewer: UserActor): Prisma.Sql {
  const { workspaceID } = viewer
  return Prisma.sql`
    SELECT t.id FROM groups g CROSS JOIN LATERAL (
      SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND chat_group_id = g.id OFFSET 0) AS t
    WHERE g.workspace_id = ${workspaceID} AND ${visibleGroups(viewer)}`
}

/** The IDs of the threads that name a user or a group, whoever may see them. */
export function threadIDsNaming(workspaceID: string, recipientID: string): Prisma.Sql {
  const column = (name: string) =>
    Prisma.sql`SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND ${Prisma.raw(name)} = ${recipientID}`
  const recipients = (name: string) =>
    Prisma.sql`SELECT thread_id FROM recipients WHERE workspace_id = ${workspaceID} AND ${Prisma.raw(name)} = ${recipientID}`
  return prefixOf(recipientID) === 'usr'
    ? Prisma.sql`${column('dm_low_user_id')} UNION ALL ${column('dm_high_user_id')} UNION ALL ${recipients('user_id')}`
    : Prisma.sql`${column('chat_group_id')} UNION ALL ${recipients('group_id')}`
}

const loadThread = rowLoader((ctx: Context<UserActor>, workspaceID, ids) =>
  threadsBy(ctx, workspaceID, ids, visibleThreads(ctx.actor)),
)

const loadNamedThread = rowLoader((ctx: Context, workspaceID, ids) =>
  threadsBy(ctx, workspaceID, ids, Prisma.sql`TRUE`),
)

async function threadsBy({ db }: Context, workspaceID: string, ids: string[], where: Prisma.Sql) {
  return byID(
    await query<Thread>(
      db,
      Prisma.sql`
      SELECT ${threadColumns} FROM ${rowsBy('id', ids, { table: 'threads', alias: 't', workspaceID })}
      WHERE ${where}`,
    ),
  )
}

/**
 * The thread that something names that the caller was found to see, such as a message, or that the caller has just
 * written to. Nothing asks again whether the caller may see it.
 */
export async function threadOf(ctx: Context, workspaceID: string, id: string): Promise<Thread> {
  const thread = await loadNamedThread(ctx, workspaceID, id)
  if (!thread) throw new Error(`The thread ${id} is referenced but does not exist`)
  return thread
}

/** A thread, group chat or DM that the caller may see. Throws `forbidden`. */
export async function findThread(ctx: Context, id: string, scope: Scope = 'threads:read') {
  requireScope(ctx, scope)
  return prefixOf(id) === 'thr' ? loadThread(ctx, ctx.actor.workspaceID, id) : undefined
}

/** The same. Throws `not_found`. */
export async function accessThread(ctx: Context, id: string, scope?: Scope): Promise<Thread> {
  const thread = await findThread(ctx, id, scope)
  if (!thread) throw notFound('thread')
  return thread
}
