import { z } from 'zod'
import { perLimits } from '../config.ts'
import { type Context, requireScope } from '../context.ts'
import { accessOwnFiles } from '../files/access.ts'
import type { Message, Thread } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { accessThread } from '../threads/access.ts'
import { addressThread } from '../threads/address.ts'
import { startThread } from '../threads/start-thread.ts'
import { messageFields } from './fields.ts'
import { type Draft, writeMessage } from './write-message.ts'

const inputFor = perLimits((limits) => {
  const fields = messageFields(limits)
  return z
    .object({
      threadID: id.nullish(),
      thread: z
        .object({
          recipients: z.array(id).min(1, 'must name someone').max(100, 'must have at most 100 IDs'),
          subject: fields.subject.nullish(),
          threadBy: fields.key.nullish(),
        })
        .nullish(),
      message: z.object({
        text: fields.text,
        attachments: fields.attachments.nullish(),
        uniqueBy: fields.key.nullish(),
      }),
    })
    .refine((input) => (input.threadID == null) !== (input.thread == null), {
      path: ['threadID'],
      error: 'or thread must be given, and not both',
    })
})

export type PostMessageInput = z.input<ReturnType<typeof inputFor>>
export type Posted = { thread: Thread; message: Message; created: boolean }

/**
 * Posts a message as the caller: into a thread, or to recipients, from whom the conversation follows. Throws
 * `invalid_input`, `forbidden`, `not_found`; then nothing was written.
 */
export async function postMessage(ctx: Context, given: PostMessageInput): Promise<Posted> {
  requireScope(ctx, 'threads.messages:write')
  const { threadID, thread: address, message } = parseInput(inputFor(ctx.config.limits), given)
  const fileIDs = await accessOwnFiles(ctx, 'message.attachments', message.attachments ?? [])
  const draft: Draft = {
    authorID: ctx.actor.userID,
    text: message.text,
    uniqueBy: message.uniqueBy ?? null,
    fileIDs,
  }
  const destination = address
    ? await addressThread(ctx, address)
    : await accessThread(ctx, threadID ?? '', 'threads.messages:write')
  if ('id' in destination) return post(ctx.db, destination, draft)
  return inTransaction(ctx.db, async (tx) => {
    const thread = await startThread({ ...ctx, db: tx }, destination)
    return post(tx, thread, draft)
  })
}

async function post(db: Database, thread: Thread, draft: Draft): Promise<Posted> {
  const written = await writeMessage(db, thread, draft)
  if (!written.created) return { thread, ...written }
  const { position, createdAt } = written.message
  return { thread: { ...thread, lastPosition: position, lastActivityAt: createdAt }, ...written }
}
