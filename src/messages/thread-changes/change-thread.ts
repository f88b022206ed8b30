import { type Context, requireUser, type UserActor } from '../../context.ts'
import type { Edge } from '../../database/connection.ts'
import { inTransaction } from '../../database/database.ts'
import type { Thread } from '../../generated/prisma/client.ts'
import { threadOf } from '../../threads/access.ts'
import { type LockedThread, lockPlainThread } from '../../threads/lock-thread.ts'
import { writtenMessage } from '../access.ts'
import { messageEdge } from '../list/message-order.ts'
import type { AuthoredMessage } from '../rows.ts'
import { appendEvents, type ThreadEvent } from './events.ts'

/** `messageIDs` are the system messages. `isHidden` is true if the change hid the thread from the caller. */
export type ThreadChange = { threadID: string; messageIDs: string[]; isHidden?: boolean }

/** Locks and changes a plain thread, and appends system messages. On an error, everything is rolled back. */
export function changeThread(
  ctx: Context<UserActor>,
  threadID: string,
  change: (ctx: Context<UserActor>, thread: LockedThread) => Promise<ThreadEvent[]>,
): Promise<ThreadChange> {
  return inTransaction(ctx.db, async (db) => {
    const inTx = { ...ctx, db }
    const thread = await lockPlainThread(inTx, threadID)
    const events = await change(inTx, thread)
    return { threadID, messageIDs: await appendEvents(inTx, thread, events) }
  })
}

export async function changedThread(
  ctx: Context,
  { threadID, isHidden = false }: ThreadChange,
): Promise<Thread | null> {
  requireUser(ctx)
  return isHidden ? null : threadOf(ctx, ctx.actor.workspaceID, threadID)
}

export function edgesOfChange(
  ctx: Context,
  { messageIDs, isHidden = false }: ThreadChange,
): Promise<Edge<AuthoredMessage>[]> {
  const shown = isHidden ? [] : messageIDs
  return Promise.all(shown.map(async (messageID) => messageEdge(await writtenMessage(ctx, { messageID }))))
}
