import { z } from 'zod'
import { cachedPerLimits } from '../config.ts'
import { type Context, requireScope, type UserActor } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { noteEvents, notingEvent } from '../events/note-events.ts'
import { accessOwnFiles } from '../files/access.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { changeOutcome } from '../threads/change-outcome.ts'
import { messageInput } from './fields.ts'
import { type ChangeMessageResult, lockOwnMessage } from './lock-message.ts'
import { attachFiles, attachmentArrays } from './send/draft.ts'

const inputFor = cachedPerLimits((limits) => {
  const { text, uniqueBy: _uniqueBy, ...fields } = messageInput(limits).shape
  return z
    .object({ messageID: id, text: text.nullish(), ...fields })
    .refine(
      (input) => Object.entries(input).some(([name, value]) => !notContent.includes(name) && value != null),
      {
        path: ['text'],
        error: 'must be given if no other field says what to change',
      },
    )
})

const notContent = ['messageID', 'version', 'notify']

export type EditMessageResult = ChangeMessageResult & { isStale: boolean }

type Edit = Omit<z.output<ReturnType<typeof inputFor>>, 'attachments'> & {
  fileIDs: readonly string[] | null
  calls: boolean
}

/** Changes the caller's own message. Fields that are omitted do not change. */
export async function editMessage(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<EditMessageResult> {
  requireScope(ctx, 'threads.messages:write')
  const { attachments, ...fields } = parseInput(inputFor(ctx.config.limits), input)
  const fileIDs = attachments ? await accessOwnFiles(ctx, 'attachments', attachments) : null
  const { messageID, version, state, notify } = fields
  return inTransaction(ctx.db, async (db) => {
    const inTx = { ...ctx, db }
    const { thread, ...message } = await lockOwnMessage(inTx, messageID)
    const isStale = version != null && message.version !== null && version < message.version
    if (isStale) return { messageID, isStale }
    const fails = state === 'failed' && message.state !== 'failed' && notify !== 'never'
    const edit = { ...fields, fileIDs, calls: notify === 'always' || fails }
    const isThreadChanged = await changeOutcome(inTx, thread, edit)
    await query(db, editStatement(ctx.actor, edit))
    if (isThreadChanged)
      await noteEvents(db, thread.workspaceID, [
        { type: 'thread.updated', threadID: thread.id, objectID: messageID },
      ])
    return { messageID, isStale }
  })
}

// `attachFiles` joins on `draft_id`, which is the message's own ID here.
function editStatement(
  { workspaceID }: UserActor,
  { messageID, text, fileIDs, version, state, senderName, allowMentions, plain, calls }: Edit,
): Prisma.Sql {
  return Prisma.sql`
    WITH written (workspace_id, draft_id, id, thread_id) AS (
      UPDATE messages SET text = coalesce(${text ?? null}, text), edited_at = clock_timestamp(),
        attachment_count = coalesce(${fileIDs?.length ?? null}::smallint, attachment_count),
        version = coalesce(${version ?? null}::bigint, version), state = coalesce(${state ?? null}, state),
        sender_name = coalesce(${senderName ?? null}, sender_name),
        allow_mentions = coalesce(${allowMentions ?? null}::boolean, allow_mentions),
        is_plain = coalesce(${plain ?? null}::boolean, is_plain),
        called_at = CASE WHEN ${calls}::boolean THEN (
          SELECT t.called_at FROM threads t WHERE t.workspace_id = messages.workspace_id AND t.id = messages.thread_id
        ) ELSE called_at END
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
