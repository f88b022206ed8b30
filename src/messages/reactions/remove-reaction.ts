import type { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
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
  await accessMessage(ctx, messageID, 'threads.messages:write')
  await ctx.db.reaction.deleteMany({ where: { workspaceID, messageID, emoji, userID } })
  return { messageID, emoji }
}
