import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { type BatchLimits, batcher, type QueueKey } from '../../database/batches/batcher.ts'
import { sharedBatches, withShortWaits } from '../../database/batches/write-queues.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { conflictAt } from '../../errors.ts'
import { noteEvents, notingEvents } from '../../events/note-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { accessMessage } from '../access.ts'
import { emoji } from './emoji.ts'

const reactionInput = z.object({ messageID: id, emoji })
type ReactionInput = z.input<typeof reactionInput>

type Call = { workspaceID: string; userID: string; messageID: string; emoji: string }
export type ReactionResult = { messageID: string; emoji: string }

/** Adds the caller's reaction. Adding it again changes nothing. */
export async function addReaction(ctx: Context, input: ReactionInput): Promise<ReactionResult> {
  requireScope(ctx, 'threads.messages:write')
  const { messageID, emoji } = parseInput(reactionInput, input)
  const { workspaceID, userID } = ctx.actor
  if (await add(ctx.db, '', { workspaceID, userID, messageID, emoji })) return { messageID, emoji }
  await accessMessage(ctx, messageID, 'threads.messages:write')
  throw conflictAt('message_deleted', 'messageID', 'refers to a deleted message')
}

const batches: BatchLimits<Call> = {
  running: 2,
  calls: 200,
  ...sharedBatches('reactions', {
    owner: ({ workspaceID }) => workspaceID,
    splitKey: ({ messageID }) => messageID,
  }),
}

const add = batcher<Call, boolean>(batches, async (db, calls, queue) => {
  const found = await query<{ number: bigint }>(db, addStatement(calls, queue), { pipeline: queue.key })
  const numbers = new Set(found.map(({ number }) => Number(number)))
  return calls.map((_, index) => numbers.has(index + 1))
})

// Locks the messages in key order, so that nobody deletes them before the commit. The INSERT needs these locks anyway.
function addStatement(calls: Call[], queue: QueueKey): Prisma.Sql {
  return Prisma.sql`
    WITH found AS MATERIALIZED (
      SELECT c.number, c.workspace_id, c.user_id, c.emoji, message.id, message.thread_id
      FROM (
        SELECT * FROM unnest(
          ${calls.map(({ workspaceID }) => workspaceID)}::text[], ${calls.map(({ userID }) => userID)}::text[],
          ${calls.map(({ messageID }) => messageID)}::text[], ${calls.map(({ emoji }) => emoji)}::text[]
        ) WITH ORDINALITY AS c (workspace_id, user_id, message_id, emoji, number)${withShortWaits(queue.isSplitQueue)}
        ORDER BY workspace_id COLLATE "C", message_id COLLATE "C"
      ) c CROSS JOIN LATERAL (
        SELECT m.id, m.thread_id FROM messages m JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
        WHERE m.workspace_id = c.workspace_id AND m.id = c.message_id AND m.deleted_at IS NULL
          AND t.viewer_id = c.user_id
        FOR KEY SHARE OF m
      ) message
    ), added AS (
      INSERT INTO reactions (workspace_id, message_id, emoji, user_id)
      SELECT DISTINCT workspace_id, id, emoji, user_id FROM found ORDER BY 1, 2, 3, 4
      ON CONFLICT DO NOTHING RETURNING workspace_id, message_id, emoji, user_id
    )${notingEvents(
      Prisma.sql`
        SELECT added.workspace_id, 'reaction.added', message.thread_id, message_id,
          jsonb_build_object('emoji', emoji, 'userID', user_id)
        FROM added JOIN (SELECT DISTINCT workspace_id, id, thread_id FROM found) AS message
          ON message.workspace_id = added.workspace_id AND message.id = message_id`,
      { hasDetails: true },
    )}
    SELECT number FROM found`
}

/** Removes the caller's reaction. Changes nothing if the reaction does not exist. */
export async function removeReaction(ctx: Context, input: ReactionInput): Promise<ReactionResult> {
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
