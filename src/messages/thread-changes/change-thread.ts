import { type Context, requireScope, requireUser, type UserActor } from '../../context.ts'
import type { Edge } from '../../database/connection.ts'
import { inTransaction } from '../../database/database.ts'
import type { Thread } from '../../generated/prisma/client.ts'
import { threadOf } from '../../threads/access.ts'
import { type LockedThread, lockPlainThread } from '../../threads/lock-thread.ts'
import { writtenMessage } from '../access.ts'
import { messageEdge } from '../list/message-order.ts'
import type { AuthoredMessage } from '../rows.ts'
import { appendEvents, type ThreadEvent } from './events.ts'

/** `messageIDs` are the system messages about the change. `isLeft` is set if it hid the thread from the caller. */
export type ThreadChange = { threadID: string; messageIDs: string[]; isLeft?: boolean }

/** Changes a plain thread while nobody else writes to it, and appends system messages. On an error, all is undone. */
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

export async function changedThread(
  ctx: Context,
  { threadID, isLeft = false }: ThreadChange,
): Promise<Thread | null> {
  requireUser(ctx)
  return isLeft ? null : threadOf(ctx, ctx.actor.workspaceID, threadID)
}

export function edgesOfChange(
  ctx: Context,
  { messageIDs, isLeft = false }: ThreadChange,
): Promise<Edge<AuthoredMessage>[]> {
  const shown = isLeft ? [] : messageIDs
  return Promise.all(shown.map(async (messageID) => messageEdge(await writtenMessage(ctx, { messageID }))))
}
