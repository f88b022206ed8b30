import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { parseInput } from '../../input.ts'
import { findThread } from '../../threads/access.ts'
import { removeFrom } from '../../threads/change-recipients.ts'
import { recipientsInput } from './add-recipients.ts'
import { changeThread, type ThreadChange } from './change-thread.ts'

export type RecipientsRemoved = ThreadChange & { removedRecipientIDs: string[] }

/**
 * Removes users and groups from a plain thread; who is no recipient is passed over. Everyone may leave, with its own
 * ID. Throws `invalid_input`, `not_found`, and `forbidden` for others than who started the thread and admins.
 */
export async function removeRecipients(
  ctx: Context,
  given: z.input<typeof recipientsInput>,
): Promise<RecipientsRemoved> {
  const { threadID, recipientIDs } = parseInput(recipientsInput, given)
  let removedRecipientIDs: string[] = []
  let isLeft = false
  const change = await changeThread(ctx, threadID, async (within, thread) => {
    removedRecipientIDs = await removeFrom(within, thread, [...new Set(recipientIDs)])
    isLeft = (await findThread(within, threadID, 'threads:write')) === undefined
    return removedRecipientIDs.length > 0
      ? [{ type: 'recipientsRemoved', recipientIDs: removedRecipientIDs }]
      : []
  })
  return { ...change, removedRecipientIDs, isLeft }
}
