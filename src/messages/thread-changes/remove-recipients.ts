import type { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { parseInput } from '../../input.ts'
import { findThread } from '../../threads/access.ts'
import { removeThreadRecipients } from '../../threads/change-recipients.ts'
import { recipientsInput } from './add-recipients.ts'
import { changeThread, type ThreadChange } from './change-thread.ts'

export type RemoveRecipientsResult = ThreadChange & { removedRecipientIDs: string[] }

/** Removes recipients from a plain thread, and ignores other IDs. Every user can leave, except the last recipient. */
export async function removeRecipients(
  ctx: Context,
  input: z.input<typeof recipientsInput>,
): Promise<RemoveRecipientsResult> {
  requireScope(ctx, 'threads:write')
  const { threadID, recipientIDs } = parseInput(recipientsInput, input)
  let removedRecipientIDs: string[] = []
  let isHidden = false
  const change = await changeThread(ctx, threadID, async (inTx, thread) => {
    removedRecipientIDs = await removeThreadRecipients(inTx, thread, [...new Set(recipientIDs)])
    isHidden = (await findThread(inTx, threadID, 'threads:write')) === undefined
    return removedRecipientIDs.length > 0
      ? [{ type: 'recipientsRemoved', recipientIDs: removedRecipientIDs }]
      : []
  })
  return { ...change, removedRecipientIDs, isHidden }
}
