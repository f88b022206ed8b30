import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { threadOf } from '../../threads/access.ts'
import { accessMessage } from '../access.ts'
import { countOwnUpTo } from './count-own-messages.ts'
import type { MarkReadResult } from './mark-read.ts'

const inputSchema = z.object({ threadID: id, fromMessageID: id })

/** Marks a thread as unread from a message on. Only this verb moves the read position back. */
export async function markUnread(ctx: Context, input: z.input<typeof inputSchema>): Promise<MarkReadResult> {
  requireScope(ctx, 'threads.messages:read')
  const { threadID, fromMessageID: from } = parseInput(inputSchema, input)
  const { workspaceID, userID } = ctx.actor
  const message = await accessMessage(ctx, from, 'threads.messages:read')
  if (message.threadID !== threadID) throw notFound('message')
  const before = Prisma.sql`${message.position - 1}::integer`
  await query(
    ctx.db,
    Prisma.sql`
    UPDATE reads SET read_up_to = ${before}, own_read = seen.own
    FROM (
      SELECT ${countOwnUpTo(before, { workspaceID, userID, threadID })} AS own
      FROM threads AS thread LEFT JOIN reads AS known
        ON known.workspace_id = thread.workspace_id AND known.user_id = ${userID} AND known.thread_id = thread.id
      WHERE thread.workspace_id = ${workspaceID} AND thread.id = ${threadID}
    ) AS seen
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = ${threadID}
      AND read_up_to > ${before}`,
  )
  personalSignals(ctx.db).send({ workspaceID, userID, threadID })
  return { thread: await threadOf(ctx, workspaceID, threadID) }
}
