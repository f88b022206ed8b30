import { z } from 'zod'
import { requireActiveWebhook } from '../../apps/webhooks/authenticate-webhook.ts'
import { cachedPerLimits } from '../../config.ts'
import { type Context, requireScope, type UserActor } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { accessOwnFiles } from '../../files/access.ts'
import type { Thread } from '../../generated/prisma/client.ts'
import { recipientID } from '../../groups/general-group-id.ts'
import { id, parseInput } from '../../input.ts'
import { accessThread } from '../../threads/access.ts'
import { addressThread, cachedThread, cacheThread } from '../../threads/address.ts'
import { messageInput, threadFields } from '../fields.ts'
import { appendMessage } from './append-message.ts'
import { createThread } from './create-thread.ts'
import type { Draft, WriteResult } from './draft.ts'
import { withRecipientsOfMessage } from './started-threads.ts'

const inputFor = cachedPerLimits((limits) => {
  const { subject, threadBy } = threadFields(limits)
  return z
    .object({
      threadID: id.nullish(),
      thread: z
        .object({
          recipients: z.array(recipientID).max(100, 'must have at most 100 IDs'),
          subject: subject.nullish(),
          threadBy: threadBy.nullish(),
          fromMessageID: id.nullish(),
        })
        .refine(({ recipients, fromMessageID }) => recipients.length > 0 || fromMessageID != null, {
          path: ['recipients'],
          error: 'must name at least one user or group',
        })
        .nullish(),
      message: messageInput(limits),
    })
    .refine((input) => (input.threadID == null) !== (input.thread == null), {
      path: ['threadID'],
      error: 'must be given if thread is not given, and cannot be used together with thread',
    })
})

export type SendMessageInput = z.input<ReturnType<typeof inputFor>>
export type ParsedSendInput = z.output<ReturnType<typeof inputFor>>
export type SendMessageResult = WriteResult & { threadID: string; threadCreated: boolean }

const maxAttempts = 8

/** Sends a message as the caller. If it throws `invalid_input`, `forbidden` or `not_found`, nothing was written. */
export async function sendMessage(ctx: Context, input: SendMessageInput): Promise<SendMessageResult> {
  requireScope(ctx, 'threads.messages:write')
  return sendParsed(ctx, parseInput(inputFor(ctx.config.limits), input))
}

/**
 * Sends a message for a caller whose scope is checked. The caller and the address may be cached. Therefore the
 * statement checks them again, and writes nothing if they have changed. A new look-up then throws, or allows a retry.
 */
export async function sendParsed(
  ctx: Context<UserActor>,
  parsed: ParsedSendInput,
): Promise<SendMessageResult> {
  const draft = await draftOf(ctx, parsed.message)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const sent = await tryToSend(ctx, parsed, draft, attempt > 1)
    if (sent) return sent
    await requireActiveWebhook(ctx)
  }
  throw new AppError('unavailable', 'Too many concurrent requests write the same data. Try again.', {
    retryAfterSeconds: 1,
  })
}

async function draftOf(
  ctx: Context<UserActor>,
  { attachments, uniqueBy, ...content }: ParsedSendInput['message'],
): Promise<Draft> {
  const { userID: authorID, webhook } = ctx.actor
  const fileIDs = attachments ? await accessOwnFiles(ctx, 'message.attachments', attachments) : null
  return { authorID, webhook, ...content, uniqueBy: uniqueBy ?? null, fileIDs }
}

async function tryToSend(
  ctx: Context<UserActor>,
  { threadID, thread: address }: ParsedSendInput,
  draft: Draft,
  skipsCache: boolean,
): Promise<SendMessageResult | undefined> {
  const { workspaceID } = ctx.actor
  const known = address ? cachedThread(ctx, address) : threadID
  if (known != null && !skipsCache) return append(ctx, known, draft)
  const found = address
    ? await addressThread(ctx, await withRecipientsOfMessage(ctx, address))
    : await accessThread(ctx, threadID ?? '', 'threads.messages:write')
  if ('id' in found) {
    requireRepliesOn(ctx, found)
    if (address) cacheThread(ctx, address, found.id)
    return append(ctx, found.id, draft)
  }
  const newThread = await createThread(ctx.db, { workspaceID, thread: found, draft })
  if (newThread && address) cacheThread(ctx, address, newThread.threadID)
  return newThread && { ...newThread, created: true, threadCreated: true }
}

// The statement that writes also checks this, but does not return a reason.
function requireRepliesOn({ actor }: Context<UserActor>, { repliesOff, startedByID }: Thread): void {
  if (!repliesOff || startedByID === actor.userID) return
  throw new AppError(
    'forbidden',
    'Replies to this thread are turned off. Only the user who started the thread can send messages to it.',
    { reason: 'replies_off' },
  )
}

async function append({ db, actor: { workspaceID } }: Context<UserActor>, threadID: string, draft: Draft) {
  const written = await appendMessage(db, { workspaceID, threadID }, draft)
  return written && { threadID, threadCreated: false, ...written }
}
