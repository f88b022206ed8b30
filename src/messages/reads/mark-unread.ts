import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { query } from '../../platform/query.ts'
import { accessThread } from '../../threads/access.ts'
import { accessMessage } from '../access.ts'
import type { Marked } from './mark-read.ts'

const input = z.object({ threadID: id, from: id })

/**
 * Marks a thread as unread by the caller, from a message of it on: the only way back. Throws `invalid_input`,
 * `forbidden`, `not_found`.
 */
export async function markUnread(ctx: Context, given: z.input<typeof input>): Promise<Marked> {
  requireScope(ctx, 'threads.messages:read')
  const { threadID, from } = parseInput(input, given)
  const { workspaceID, userID } = ctx.actor
  const message = await accessMessage(ctx, from, 'threads.messages:read')
  if (message.threadID !== threadID) throw notFound('message')
  await query(
    ctx.db,
    Prisma.sql`
    UPDATE reads SET read_up_to = least(read_up_to, ${message.position - 1}::integer)
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = ${threadID}`,
  )
  return { thread: await accessThread(ctx, threadID, 'threads.messages:read') }
}
