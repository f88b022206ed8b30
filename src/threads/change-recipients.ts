import type { Context, UserActor } from '../context.ts'
import { AppError, conflictAt } from '../errors.ts'
import { prefixOf } from '../platform/ids.ts'
import { recipientIDsOf } from './address.ts'
import { type LockedThread, mayChange } from './lock-thread.ts'

/** Adds recipients to a locked thread, and returns the IDs of the new recipients. */
export async function addThreadRecipients(
  ctx: Context<UserActor>,
  thread: LockedThread,
  recipientIDs: string[],
): Promise<string[]> {
  requireRecipientsUnlocked(ctx, thread)
  const { workspaceID, id: threadID } = thread
  const there = await recipientsAmong(ctx, thread, recipientIDs)
  const added = recipientIDs.filter((id) => !there.has(id))
  await ctx.db.recipient.createMany({
    data: added.map((id) => ({
      workspaceID,
      threadID,
      userID: prefixOf(id) === 'usr' ? id : null,
      groupID: prefixOf(id) === 'usr' ? null : id,
    })),
  })
  return added
}

/** Removes recipients from a locked thread, and returns their IDs. Throws if no recipient would remain. */
export async function removeThreadRecipients(
  ctx: Context<UserActor>,
  thread: LockedThread,
  recipientIDs: string[],
): Promise<string[]> {
  const leaves = recipientIDs.every((id) => id === ctx.actor.userID)
  if (!leaves && !mayChange(ctx, thread)) {
    throw new AppError(
      'forbidden',
      'Only the user who started the thread, and admins of the workspace or of a recipient group, can remove others from it.',
    )
  }
  const { workspaceID, id: threadID } = thread
  // Omits private groups that the caller cannot see, even if the caller knows their IDs.
  const known = new Set(await recipientIDsOf(ctx, thread))
  const removed = recipientIDs.filter((id) => known.has(id))
  await ctx.db.recipient.deleteMany({ where: { workspaceID, threadID, recipientID: { in: removed } } })
  const remaining = await ctx.db.recipient.findFirst({ where: { workspaceID, threadID } })
  if (!remaining) {
    throw conflictAt(
      'last_recipient',
      'recipientIDs',
      'would leave the thread without recipients; close it instead',
    )
  }
  return removed
}

function requireRecipientsUnlocked(ctx: Context<UserActor>, thread: LockedThread): void {
  if (!thread.recipientsLocked || mayChange(ctx, thread)) return
  throw new AppError(
    'forbidden',
    'The recipients are locked. Only the user who started the thread, and admins of the workspace or of a recipient group, can add recipients.',
    { reason: 'recipients_locked' },
  )
}

async function recipientsAmong(
  { db }: Context<UserActor>,
  { workspaceID, id: threadID }: LockedThread,
  recipientIDs: string[],
): Promise<Set<string>> {
  const rows = await db.recipient.findMany({
    select: { recipientID: true },
    where: { workspaceID, threadID, recipientID: { in: recipientIDs } },
  })
  return new Set(rows.map(({ recipientID }) => recipientID))
}
