import { z } from 'zod'
import { cachedPerLimits } from '../config.ts'
import { type Context, requireScope, type UserActor } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { notingEvent } from '../events/note-events.ts'
import { accessOwnFiles } from '../files/access.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { messageInput } from './fields.ts'
import { type ChangeMessageResult, lockOwnMessage } from './lock-message.ts'
import { attachFiles, attachmentArrays } from './send/draft.ts'

const inputFor = cachedPerLimits((limits) => {
  const { text, attachments } = messageInput(limits).shape
  return z
    .object({ messageID: id, text: text.nullish(), attachments })
    .refine(({ text, attachments }) => text != null || attachments != null, {
      path: ['text'],
      error: 'must be given if attachments is not given',
    })
})

/** Replaces the text, the attachments, or both, of the caller's own message. Fields that are omitted do not change. */
export async function editMessage(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<ChangeMessageResult> {
  requireScope(ctx, 'threads.messages:write')
  const { messageID, text, attachments } = parseInput(inputFor(ctx.config.limits), input)
  const fileIDs = attachments && (await accessOwnFiles(ctx, 'attachments', attachments))
  return inTransaction(ctx.db, async (db) => {
    const inTx = { ...ctx, db }
    await lockOwnMessage(inTx, messageID)
    await query(db, editStatement(ctx.actor, { messageID, text: text ?? null, fileIDs: fileIDs ?? null }))
    return { messageID }
  })
}

type Edit = { messageID: string; text: string | null; fileIDs: readonly string[] | null }

// `attachFiles` joins on `draft_id`, which is the message's own ID here.
function editStatement({ workspaceID }: UserActor, { messageID, text, fileIDs }: Edit): Prisma.Sql {
  return Prisma.sql`
    WITH written (workspace_id, draft_id, id, thread_id) AS (
      UPDATE messages SET text = coalesce(${text}, text), edited_at = clock_timestamp(),
        attachment_count = coalesce(${fileIDs?.length ?? null}::smallint, attachment_count)
      WHERE workspace_id = ${workspaceID} AND id = ${messageID}
      RETURNING workspace_id, id, id, thread_id
    ), detached AS (
      DELETE FROM attachments
      WHERE workspace_id = ${workspaceID} AND message_id = ${messageID} AND ${fileIDs !== null}
      RETURNING message_id
    )${attachFiles(attachmentArrays([{ id: messageID, fileIDs: fileIDs ?? [] }]), { after: 'detached' })}${notingEvent(
      Prisma.sql`SELECT workspace_id, 'message.updated', thread_id, id FROM written`,
    )}
    SELECT id FROM written`
}
