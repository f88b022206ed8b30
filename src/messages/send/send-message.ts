import { z } from 'zod'
import { requireActiveWebhook } from '../../apps/webhooks/authenticate-webhook.ts'
import { perLimits } from '../../config.ts'
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
import type { Draft, WriteResult } from './draft.ts'
import { openThread } from './open-thread.ts'
import { withSource } from './started-threads.ts'

const inputFor = perLimits((limits) => {
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
      error: 'or thread must be given, but not both',
    })
})

export type PostMessageInput = z.input<ReturnType<typeof inputFor>>
export type ParsedPost = z.output<ReturnType<typeof inputFor>>
export type PostMessageResult = WriteResult & { threadID: string; threadCreated: boolean }

const maxAttempts = 8

/** Posts a message as the caller. If it throws `invalid_input`, `forbidden` or `not_found`, nothing was written. */
export async function postMessage(ctx: Context, input: PostMessageInput): Promise<PostMessageResult> {
  requireScope(ctx, 'threads.messages:write')
  return postParsed(ctx, parseInput(inputFor(ctx.config.limits), input))
}

/**
 * Posts a message for a caller whose scope has been checked, and whose input has been parsed. What is cached about
 * the caller and the address may have changed, so the statement that writes checks it again, and writes nothing if it
 * has changed. Then everything is looked up again. That finds what is wrong, or the next attempt succeeds, such as
 * when another call has just created the thread.
 */
export async function postParsed(ctx: Context<UserActor>, parsed: ParsedPost): Promise<PostMessageResult> {
  const draft = await draftOf(ctx, parsed.message)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const posted = await tryToPost(ctx, parsed, draft, attempt > 1)
    if (posted) return posted
    await requireActiveWebhook(ctx)
  }
  throw new AppError('unavailable', 'Too many concurrent requests write the same data. Try again.', {
    retryAfterSeconds: 1,
  })
}

async function draftOf(
  ctx: Context<UserActor>,
  { attachments, uniqueBy, ...content }: ParsedPost['message'],
): Promise<Draft> {
  const { userID: authorID, webhook } = ctx.actor
  const fileIDs = attachments ? await accessOwnFiles(ctx, 'message.attachments', attachments) : null
  return { authorID, webhook, ...content, uniqueBy: uniqueBy ?? null, fileIDs }
}

async function tryToPost(
  ctx: Context<UserActor>,
  { threadID, thread: address }: ParsedPost,
  draft: Draft,
  anew: boolean,
): Promise<PostMessageResult | undefined> {
  const { workspaceID } = ctx.actor
  const known = address ? cachedThread(ctx, address) : threadID
  if (known != null && !anew) return append(ctx, known, draft)
  const found = address
    ? await addressThread(ctx, await withSource(ctx, address))
    : await accessThread(ctx, threadID ?? '', 'threads.messages:write')
  if ('id' in found) {
    requireReplies(ctx, found)
    if (address) cacheThread(ctx, address, found.id)
    return append(ctx, found.id, draft)
  }
  const opened = await openThread(ctx.db, { workspaceID, thread: found, draft })
  if (opened && address) cacheThread(ctx, address, opened.threadID)
  return opened && { ...opened, created: true, threadCreated: true }
}

// The statement that writes checks this, too, but cannot say what is wrong.
function requireReplies({ actor }: Context<UserActor>, { repliesOff, startedByID }: Thread): void {
  if (!repliesOff || startedByID === actor.userID) return
  throw new AppError(
    'forbidden',
    'Replies to this thread are turned off. Only the user who started the thread can post in it.',
    { reason: 'replies_off' },
  )
}

async function append({ db, actor: { workspaceID } }: Context<UserActor>, threadID: string, draft: Draft) {
  const written = await appendMessage(db, { workspaceID, threadID }, draft)
  return written && { threadID, threadCreated: false, ...written }
}
