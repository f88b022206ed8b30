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
import { mentionArrays, mentionsOf, showsMentions, writeMentions } from './mentions/write-mentions.ts'
import { followThreads } from './mine/follows.ts'
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
  mentionIDs: readonly string[]
}

/**
 * Changes the caller's own message. Fields that are omitted do not change. An edit to what the message already has is not
 * a change: it calls nobody, and does not set the state of the thread.
 */
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
    const isChange = !(await hasContent(inTx, { ...fields, fileIDs }))
    const fails = state === 'failed' && message.state !== 'failed' && notify !== 'never'
    const calls = isChange && (notify === 'always' || fails)
    const mentionIDs = await mentionsOf(ctx, fields.text ?? '')
    const edit = { ...fields, fileIDs, mentionIDs, calls }
    const isThreadChanged = await changeOutcome(inTx, thread, { ...edit, state: isChange ? state : null })
    await query(db, isChange ? editStatement(ctx.actor, edit) : raiseVersion(ctx.actor, edit))
    if (isThreadChanged)
      await noteEvents(db, thread.workspaceID, [
        { type: 'thread.updated', threadID: thread.id, objectID: messageID },
      ])
    return { messageID, isStale }
  })
}

type Content = Omit<Edit, 'calls' | 'mentionIDs'>

/** Returns whether a message already has the content of an edit. */
async function hasContent(
  { db, actor: { workspaceID } }: Context<UserActor>,
  content: Content,
): Promise<boolean> {
  const { messageID, text, fileIDs, state, senderName, allowMentions, plain, buttons } = content
  const files = Prisma.sql`ARRAY(
        SELECT file_id FROM attachments WHERE workspace_id = m.workspace_id AND message_id = m.id ORDER BY position)`
  const found = await query(
    db,
    Prisma.sql`
    SELECT m.id FROM messages m
    WHERE m.workspace_id = ${workspaceID} AND m.id = ${messageID}
      AND m.text = coalesce(${text ?? null}, m.text) AND ${files} = coalesce(${fileIDs}::text[], ${files})
      AND m.state IS NOT DISTINCT FROM coalesce(${state ?? null}, m.state)
      AND m.sender_name IS NOT DISTINCT FROM coalesce(${senderName ?? null}, m.sender_name)
      AND m.allow_mentions = coalesce(${allowMentions ?? null}::boolean, m.allow_mentions)
      AND m.is_plain = coalesce(${plain ?? null}::boolean, m.is_plain)
      AND m.buttons IS NOT DISTINCT FROM coalesce(${jsonOf(buttons)}::jsonb, m.buttons)`,
  )
  return found.length > 0
}

function jsonOf(value: object | null | undefined): string | null {
  return value == null ? null : JSON.stringify(value)
}

function raiseVersion({ workspaceID }: UserActor, { messageID, version }: Edit): Prisma.Sql {
  return Prisma.sql`
    UPDATE messages SET version = greatest(version, ${version ?? null}::bigint)
    WHERE workspace_id = ${workspaceID} AND id = ${messageID}`
}

// `attachFiles` joins on `draft_id`, which is the message's own ID here.
function editStatement(
  { workspaceID }: UserActor,
  {
    messageID,
    text,
    fileIDs,
    version,
    state,
    senderName,
    allowMentions,
    plain,
    buttons,
    calls,
    mentionIDs,
  }: Edit,
): Prisma.Sql {
  return Prisma.sql`
    WITH written (workspace_id, draft_id, id, thread_id, position, at, shows_mentions) AS (
      UPDATE messages SET text = coalesce(${text ?? null}, text), edited_at = clock_timestamp(),
        attachment_count = coalesce(${fileIDs?.length ?? null}::smallint, attachment_count),
        version = coalesce(${version ?? null}::bigint, version), state = coalesce(${state ?? null}, state),
        sender_name = coalesce(${senderName ?? null}, sender_name),
        allow_mentions = coalesce(${allowMentions ?? null}::boolean, allow_mentions),
        is_plain = coalesce(${plain ?? null}::boolean, is_plain),
        buttons = coalesce(${jsonOf(buttons)}::jsonb, buttons),
        called_at = CASE WHEN ${calls}::boolean THEN (
          SELECT t.called_at FROM threads t WHERE t.workspace_id = messages.workspace_id AND t.id = messages.thread_id
        ) ELSE called_at END
      WHERE workspace_id = ${workspaceID} AND id = ${messageID}
      RETURNING workspace_id, id, id, thread_id, position, CASE WHEN ${calls}::boolean THEN called_at ELSE edited_at END,
        ${showsMentions('messages')}
    ), detached AS (
      DELETE FROM attachments
      WHERE workspace_id = ${workspaceID} AND message_id = ${messageID} AND ${fileIDs !== null}
      RETURNING message_id
    )${attachFiles(attachmentArrays([{ id: messageID, fileIDs: fileIDs ?? [] }]), { after: 'detached' })}${writeMentions(
      mentionArrays([{ id: messageID, mentionIDs }]),
      Prisma.sql`SELECT workspace_id, draft_id, thread_id, position, at, ${text != null}::boolean AS has_text,
        ${calls}::boolean AS calls, shows_mentions FROM written`,
    )}${followThreads({ hasOwn: false, hasMentions: true, isNewThread: false })}${notingEvent(
      Prisma.sql`SELECT workspace_id, 'message.updated', thread_id, id FROM written`,
    )}
    SELECT id FROM written`
}
