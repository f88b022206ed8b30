import type { Context, UserActor } from '../context.ts'
import type { Prisma, Thread } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { threadColumns } from './access.ts'
import { findThreadBy, isUser, type NewThread } from './address.ts'

/**
 * Makes a thread, or finds the one that a call at the same time made with the same key. Call it in the transaction
 * that posts the first message, so that no thread is ever without one.
 */
export async function startThread(ctx: Context<UserActor>, thread: NewThread): Promise<Thread> {
  const { workspaceID, userID } = ctx.actor
  const { subject, threadBy } = thread
  const [started] = await ctx.db.$queryRaw<Thread[]>`
    WITH t AS (
      INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, thread_by_target, thread_by)
      VALUES (${workspaceID}, ${newID('thr')}, 'thread', ${subject}, ${userID}, ${threadBy?.target ?? null}, ${threadBy?.value ?? null})
      ON CONFLICT (workspace_id, started_by_id, thread_by_target, thread_by) WHERE thread_by IS NOT NULL DO NOTHING
      RETURNING *
    )
    SELECT ${threadColumns} FROM t`
  if (started) {
    await ctx.db.recipient.createMany({ data: recipientRows(ctx, started, thread) })
    return started
  }
  const known = threadBy && (await findThreadBy(ctx, threadBy))
  if (!known) throw new Error('A thread was neither made nor found')
  return known
}

/** Whoever starts a thread sees it: through a group that it names, or else as a recipient. */
function recipientRows(
  ctx: Context<UserActor>,
  { workspaceID, id }: Thread,
  { recipients }: NewThread,
): Prisma.RecipientUncheckedCreateInput[] {
  const rows = recipients.map((recipient) =>
    isUser(recipient) ? { userID: recipient.id } : { groupID: recipient.id },
  )
  if (recipients.every(isUser)) rows.push({ userID: ctx.actor.userID })
  return rows.map((row) => ({ workspaceID, threadID: id, ...row }))
}
