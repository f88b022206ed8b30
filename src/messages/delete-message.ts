import { z } from 'zod'
import { type Context, requireScope } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { AppError, conflictAt } from '../errors.ts'
import { notingEvent } from '../events/note-events.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { type ChangeMessageResult, lockMessage } from './lock-message.ts'

const inputSchema = z.object({ messageID: id })

/**
 * Deletes a message's contents, but not its position, and the bodies of the calls that wrote it. Deleting it again
 * changes nothing. A message with a version keeps its `uniqueBy` for the calls that are older.
 */
export async function deleteMessage(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<ChangeMessageResult> {
  requireScope(ctx, 'threads.messages:write')
  const { messageID } = parseInput(inputSchema, input)
  const { workspaceID, userID } = ctx.actor
  return inTransaction(ctx.db, async (db) => {
    const { authorID, isSystemMessage, thread } = await lockMessage({ ...ctx, db }, messageID)
    if (!thread.isAdmin && authorID !== userID) {
      throw new AppError(
        'forbidden',
        'In a DM, only the author can delete a message. In other threads, admins of the workspace or of a recipient group can also delete it.',
      )
    }
    if (isSystemMessage)
      throw conflictAt('system_message', 'messageID', 'refers to a system message, which cannot be deleted')
    await query(db, deleteStatement(workspaceID, messageID))
    return { messageID }
  })
}

function deleteStatement(workspaceID: string, messageID: string): Prisma.Sql {
  return Prisma.sql`
    WITH detached AS (
      DELETE FROM attachments WHERE workspace_id = ${workspaceID} AND message_id = ${messageID}
    ), removed_reactions AS (
      DELETE FROM reactions WHERE workspace_id = ${workspaceID} AND message_id = ${messageID}
    ), removed_presses AS (
      DELETE FROM button_presses WHERE workspace_id = ${workspaceID} AND message_id = ${messageID}
    ), written AS (
      UPDATE messages SET text = '', unique_by = NULL, attachment_count = 0, sender_name = NULL, state = NULL,
        buttons = NULL,
        deleted_unique_by = CASE WHEN version IS NOT NULL THEN unique_by END, deleted_at = clock_timestamp()
      WHERE workspace_id = ${workspaceID} AND id = ${messageID} AND deleted_at IS NULL
      RETURNING workspace_id, id, thread_id, position, author_id
    ), removed_mentions AS (
      DELETE FROM mentions m USING written
      WHERE m.workspace_id = written.workspace_id AND m.thread_id = written.thread_id AND m.position = written.position
    ), forgotten_calls AS (
      UPDATE webhook_calls c SET content = NULL
      FROM written CROSS JOIN LATERAL (
        SELECT id FROM webhooks
        WHERE workspace_id = written.workspace_id AND user_id = written.author_id OFFSET 0) AS h
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_calls
        WHERE workspace_id = written.workspace_id AND webhook_id = h.id AND written.id = ANY(message_ids)
          AND content IS NOT NULL FOR UPDATE SKIP LOCKED) AS sent
      WHERE c.workspace_id = written.workspace_id AND c.webhook_id = h.id AND c.id = sent.id
    )${notingEvent(Prisma.sql`SELECT workspace_id, 'message.deleted', thread_id, id FROM written`)}
    SELECT id FROM written`
}
