import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { recipientID } from '../../groups/general-group-id.ts'
import { id, parseInput } from '../../input.ts'
import { accessRecipient } from '../../threads/address.ts'
import { addThreadRecipients } from '../../threads/change-recipients.ts'
import { changeThread, type ThreadChange } from './change-thread.ts'

export const recipientsInput = z.object({
  threadID: id,
  recipientIDs: z
    .array(recipientID)
    .min(1, 'must name at least one user or group')
    .max(100, 'must have at most 100 IDs'),
})

/** Adds recipients to a plain thread. Ignores users and groups that are already recipients. */
export async function addRecipients(
  ctx: Context,
  input: z.input<typeof recipientsInput>,
): Promise<ThreadChange> {
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
