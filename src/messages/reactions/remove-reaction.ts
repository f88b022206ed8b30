import type { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import { parseInput } from '../../input.ts'
import { accessMessage } from '../access.ts'
import { type ReactionResult, reactionInput } from './add-reaction.ts'

/** Removes the caller's reaction. Changes nothing if the reaction does not exist. */
export async function removeReaction(
  ctx: Context,
  input: z.input<typeof reactionInput>,
): Promise<ReactionResult> {
  requireScope(ctx, 'threads.messages:write')
  const { messageID, emoji } = parseInput(reactionInput, input)
  const { workspaceID, userID } = ctx.actor
  const { threadID } = await accessMessage(ctx, messageID, 'threads.messages:write')
  const details = { emoji, userID }
  await inTransaction(ctx.db, async (tx) => {
    const { count } = await tx.reaction.deleteMany({ where: { workspaceID, messageID, ...details } })
    if (count === 0) return
    await noteEvents(tx, workspaceID, [{ type: 'reaction.removed', threadID, objectID: messageID, details }])
  })
  return { messageID, emoji }
}
