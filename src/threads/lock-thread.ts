import type { Context, UserActor } from '../context.ts'
import { query, type Value } from '../database/query.ts'
import { conflictAt, notFound } from '../errors.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { threadColumns } from './rows.ts'

/** A thread that nobody else writes to until the transaction ends. */
export type LockedThread = Thread & { isAdmin: boolean; isClosableByApp: boolean }

/** Locks a thread that the caller can see. Later statements see all that was committed before the lock. */
export async function lockThread(ctx: Context<UserActor>, threadID: string): Promise<LockedThread> {
  const { workspaceID, userID } = ctx.actor
  const [thread] = await query<LockedThread>(
    ctx.db,
    Prisma.sql`
    SELECT ${threadColumns}, ${isThreadAdmin(userID)} AS "isAdmin", ${isClosableByApp(userID)} AS "isClosableByApp"
    FROM threads t
    WHERE t.workspace_id = ${workspaceID} AND t.id = ${threadID} AND EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${userID} AND workspace_id = t.workspace_id AND id = t.id OFFSET 0)
    FOR NO KEY UPDATE`,
  )
  if (!thread) throw notFound('thread')
  return thread
}

/** Returns whether a user is an admin of a recipient group of the thread `t`, or of the workspace. A DM has no admins. */
export function isThreadAdmin(userID: Value): Prisma.Sql {
  return Prisma.sql`(t.kind <> 'dm' AND EXISTS (
      SELECT FROM (
        SELECT coalesce(t.chat_group_id, 'grp_' || substr(t.workspace_id, 5)) AS id
        UNION ALL
        SELECT group_id FROM recipients
        WHERE workspace_id = t.workspace_id AND thread_id = t.id AND group_id IS NOT NULL
      ) AS named CROSS JOIN LATERAL (
        SELECT FROM group_admins
        WHERE workspace_id = t.workspace_id AND group_id = named.id AND user_id = ${userID} OFFSET 0) AS own
    ))`
}

/**
 * Returns whether a user is an app that can close and reopen the thread `t`. An app or a webhook must have started it, and
 * the app must be a recipient, itself or as a member of a group.
 */
export function isClosableByApp(userID: Value): Prisma.Sql {
  return Prisma.sql`(EXISTS (
      SELECT FROM users
      WHERE workspace_id = t.workspace_id AND id = t.started_by_id AND kind IN ('app', 'webhook') OFFSET 0
    ) AND EXISTS (
      SELECT FROM users WHERE workspace_id = t.workspace_id AND id = ${userID} AND kind = 'app' OFFSET 0
    ) AND EXISTS (
      SELECT FROM recipients r
      WHERE r.workspace_id = t.workspace_id AND r.thread_id = t.id AND (r.user_id = ${userID} OR EXISTS (
        SELECT FROM group_members
        WHERE workspace_id = r.workspace_id AND group_id = r.group_id AND user_id = ${userID} OFFSET 0)) OFFSET 0
    ))`
}

/** Locks a plain thread. Throws for a group chat or a DM, which have no subject and no settings. */
export async function lockPlainThread(ctx: Context<UserActor>, threadID: string): Promise<LockedThread> {
  const thread = await lockThread(ctx, threadID)
  if (thread.kind === 'thread') return thread
  throw conflictAt(
    'persistent_chat',
    'threadID',
    'refers to a group chat or a DM, which cannot be changed; use a plain thread',
  )
}

export function mayChange({ actor }: Context<UserActor>, thread: LockedThread): boolean {
  return thread.isAdmin || thread.startedByID === actor.userID
}

/** Whether the caller may close and reopen the thread, and set its state. */
export function mayClose(ctx: Context<UserActor>, thread: LockedThread): boolean {
  return mayChange(ctx, thread) || thread.isClosableByApp
}
