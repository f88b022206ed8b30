import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { recipientID } from '../../groups/general-group-id.ts'
import { id, parseInput } from '../../input.ts'
import { findThread } from '../../threads/access.ts'
import { accessRecipient } from '../../threads/address.ts'
import { addThreadRecipients, removeThreadRecipients } from '../../threads/change-recipients.ts'
import { changeThread, type ThreadChange } from './change-thread.ts'

const recipientsInput = z.object({
  threadID: id,
  recipientIDs: z
    .array(recipientID)
    .min(1, 'must name at least one user or group')
    .max(100, 'must have at most 100 IDs'),
})

type RecipientsInput = z.input<typeof recipientsInput>

/** Adds recipients to a plain thread. Ignores users and groups that are already recipients. */
export async function addRecipients(ctx: Context, input: RecipientsInput): Promise<ThreadChange> {
  requireScope(ctx, 'threads:write')
  const { threadID, recipientIDs } = parseInput(recipientsInput, input)
  const recipients = await Promise.all(
    [...new Set(recipientIDs)].map((recipientID) => accessRecipient(ctx, recipientID, 'threads:write')),
  )
  return changeThread(ctx, threadID, async (inTx, thread) => {
    const added = await addThreadRecipients(
      inTx,
      thread,
      recipients.map((recipient) => recipient.id),
    )
    return added.length > 0 ? [{ type: 'recipientsAdded', recipientIDs: added }] : []
  })
}

export type RemoveRecipientsResult = ThreadChange & { removedRecipientIDs: string[] }

/** Removes recipients from a plain thread, and ignores other IDs. Every user can leave, except the last recipient. */
export async function removeRecipients(
  ctx: Context,
  input: RecipientsInput,
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
