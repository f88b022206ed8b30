import type { Context, UserActor } from '../context.ts'
import { conflictAt, notFound } from '../errors.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { query } from '../platform/query.ts'
import { administersThread, threadColumns, visibleThreads } from './access.ts'

/** A thread that nobody else writes to until the transaction ends. */
export type LockedThread = Thread & { isAdmin: boolean }

/**
 * Locks a thread that the caller may see, within a transaction: what the next statements see is what was there when the
 * lock was got. Throws `not_found`.
 */
export async function lockThread(ctx: Context<UserActor>, threadID: string): Promise<LockedThread> {
  const [thread] = await query<LockedThread>(
    ctx.db,
    Prisma.sql`
    SELECT ${threadColumns}, ${administersThread(ctx.actor)} AS "isAdmin" FROM threads t
    WHERE t.workspace_id = ${ctx.actor.workspaceID} AND t.id = ${threadID} AND ${visibleThreads(ctx.actor)}
    FOR NO KEY UPDATE`,
  )
  if (!thread) throw notFound('thread')
  return thread
}

/** The same for a plain thread. Throws `conflict` for a group chat or a DM, which have no subject and no states. */
export async function lockPlainThread(ctx: Context<UserActor>, threadID: string): Promise<LockedThread> {
  const thread = await lockThread(ctx, threadID)
  if (thread.kind === 'thread') return thread
  throw conflictAt(
    'persistent_chat',
    'threadID',
    'refers to a group chat or a DM, which cannot be changed; use a plain thread',
  )
}

/** Whether the caller may change the thread itself: who started it, and admins. */
export function mayChange({ actor }: Context<UserActor>, thread: LockedThread): boolean {
  return thread.isAdmin || thread.startedByID === actor.userID
}
