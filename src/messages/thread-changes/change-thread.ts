import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { Thread } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../platform/database.ts'
import type { Edge } from '../../platform/paging.ts'
import { findThread } from '../../threads/access.ts'
import { type LockedThread, lockPlainThread } from '../../threads/lock-thread.ts'
import { type AuthoredMessage, findMessage } from '../access.ts'
import { messageEdge } from '../list-messages.ts'
import { appendEvents, type ThreadEvent } from './events.ts'

/** What a change left: the thread, unless the caller no longer sees it, and the system messages that tell of it. */
export type ThreadChange = { threadID: string; messageIDs: string[] }

/**
 * Changes a plain thread while nobody else writes to it, and tells of the change in it. Throws `forbidden`,
 * `invalid_input`, `not_found`, and then nothing has changed.
 */
export function changeThread(
  ctx: Context,
  threadID: string,
  change: (ctx: Context<UserActor>, thread: LockedThread) => Promise<ThreadEvent[]>,
): Promise<ThreadChange> {
  requireScope(ctx, 'threads:write')
  return inTransaction(ctx.db, async (db) => {
    const within = { ...ctx, db }
    const thread = await lockPlainThread(within, threadID)
    const events = await change(within, thread)
    return { threadID, messageIDs: await appendEvents(within, thread, events) }
  })
}

/** The thread changed; undefined for who has left it. */
export function changedThread(ctx: Context, { threadID }: ThreadChange): Promise<Thread | undefined> {
  return findThread(ctx, threadID, 'threads:write')
}

/** Where the system messages that tell of the change stand in the thread; none for who has left it. */
export async function edgesOfChange(
  ctx: Context,
  { messageIDs }: ThreadChange,
): Promise<Edge<AuthoredMessage>[]> {
  const found = await Promise.all(messageIDs.map((id) => findMessage(ctx, id, 'threads:write')))
  return found.flatMap((message) => (message ? [messageEdge(message)] : []))
}
