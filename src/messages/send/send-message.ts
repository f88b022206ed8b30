import { z } from 'zod'
import { cachedPerLimits } from '../../config.ts'
import { type Context, holdsScope, requireScope, type UserActor } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { accessOwnFiles } from '../../files/access.ts'
import { recipientID } from '../../groups/general-group-id.ts'
import { id, parseInput } from '../../input.ts'
import { counters } from '../../platform/metrics.ts'
import { rememberWriter } from '../../platform/tracing.ts'
import { addressThread, cachedThread, cacheThread } from '../../threads/address.ts'
import { outcomeRefused } from '../../threads/change-outcome.ts'
import { messageInput, threadFields } from '../fields.ts'
import { mentionsOf } from '../mentions/write-mentions.ts'
import { appendMessage } from './append-message.ts'
import { createThread } from './create-thread.ts'
import type { Draft, Refusal, WriteResult } from './draft.ts'
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
/** `restSeconds`, `onlyUpdates` and `onlyInThread` come from the service itself. */
export type ParsedSendInput = z.output<ReturnType<typeof inputFor>> & {
  restSeconds?: number | null
  onlyUpdates?: boolean
  /** Writes nothing if the thread does not exist. */
  onlyInThread?: boolean
}
export type SendMessageResult = WriteResult & { threadID: string; threadCreated: boolean }

const maxAttempts = 8

const sentBy = counters(
  'skein_messages_total',
  'The messages that calls have written. A stale call writes nothing.',
  ['door', 'result'],
)
const countsOf = (door: string) => ({
  created: sentBy({ door, result: 'created' }),
  updated: sentBy({ door, result: 'updated' }),
})
const messages = { webhook: countsOf('webhook'), graphql: countsOf('graphql') }

/** Sends a message as the caller. If it throws `invalid_input`, `forbidden` or `not_found`, nothing was written. */
export async function sendMessage(ctx: Context, input: SendMessageInput): Promise<SendMessageResult> {
  requireScope(ctx, 'threads.messages:write')
  return sendParsed(ctx, parseInput(inputFor(ctx.config.limits), input))
}

/**
 * Sends a message for a caller whose scope is checked. The caller and the address may be cached. Therefore the
 * statement checks them, and writes nothing if they have changed. Then the address is looked up again.
 */
export async function sendParsed(
  ctx: Context<UserActor>,
  parsed: ParsedSendInput,
): Promise<SendMessageResult> {
  const draft = await draftOf(ctx, parsed)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const sent = await tryToSend(ctx, parsed, draft, attempt)
    if (typeof sent !== 'string') {
      count(ctx, sent)
      return sent
    }
    const error = finalErrorOf(sent, parsed)
    if (error) throw error
  }
  throw new AppError('unavailable', 'Too many concurrent requests write the same data. Try again.', {
    retryAfterSeconds: 1,
  })
}

function count({ actor }: Context<UserActor>, { messageID, created, isStale }: SendMessageResult): void {
  rememberWriter(messageID)
  if (!isStale) messages[actor.webhook ? 'webhook' : 'graphql'][created ? 'created' : 'updated'].add()
}

async function draftOf(
  ctx: Context<UserActor>,
  {
    thread,
    restSeconds = null,
    onlyUpdates = false,
    message: { attachments, uniqueBy, ...content },
  }: ParsedSendInput,
): Promise<Draft> {
  const { userID: authorID, webhook, programID: originID = null } = ctx.actor
  const fileIDs = attachments ? await accessOwnFiles(ctx, 'message.attachments', attachments) : null
  return {
    authorID,
    webhook,
    ...content,
    uniqueBy: uniqueBy ?? null,
    originID,
    mentionIDs: await mentionsOf(ctx, content.text),
    fileIDs,
    byKey: thread?.threadBy == null ? undefined : { restSeconds, reopens: false },
    onlyUpdates,
    administers: !webhook && holdsScope(ctx.actor, 'threads:write'),
    isStrict: !webhook,
  }
}

async function tryToSend(
  ctx: Context<UserActor>,
  { threadID, thread: address, onlyInThread }: ParsedSendInput,
  draft: Draft,
  attempt: number,
): Promise<SendMessageResult | Refusal> {
  if (!address) return append(ctx, threadID ?? '', draft)
  const cachedID = attempt > 1 ? undefined : cachedThread(ctx, address)
  if (cachedID !== undefined) return append(ctx, cachedID, draft)
  const restSeconds = draft.byKey?.restSeconds ?? null
  const found = await addressThread(ctx, await withRecipientsOfMessage(ctx, address), restSeconds)
  if ('id' in found) {
    cacheThread(ctx, address, found.id)
    const byKey = draft.byKey && { ...draft.byKey, reopens: found.closedAt !== null }
    return append(ctx, found.id, { ...draft, byKey })
  }
  if (draft.onlyUpdates || onlyInThread) return 'nothing_to_update'
  const newThread = await createThread(ctx.db, { workspaceID: ctx.actor.workspaceID, thread: found, draft })
  if (typeof newThread === 'string') return newThread
  cacheThread(ctx, address, newThread.threadID)
  return { ...newThread, created: true, threadCreated: true, isStale: false, ignored: [] }
}

async function append(
  { db, actor: { workspaceID } }: Context<UserActor>,
  threadID: string,
  draft: Draft,
): Promise<SendMessageResult | Refusal> {
  const written = await appendMessage(db, { workspaceID, threadID }, draft)
  return typeof written === 'string' ? written : { threadID, threadCreated: false, ...written }
}

/** Returns the error of a refusal, or undefined if another attempt may succeed. */
function finalErrorOf(refusal: Refusal, { threadID }: ParsedSendInput): AppError | undefined {
  if (refusal === 'webhook_inactive') return notFound('webhook')
  if (refusal === 'not_visible' && threadID != null) return notFound('thread')
  if (refusal === 'nothing_to_update') return notFound('message')
  if (refusal === 'may_not_change') return outcomeRefused()
  if (refusal !== 'replies_off') return undefined
  return new AppError(
    'forbidden',
    'Replies to this thread are turned off. Only the user who started the thread can send messages to it.',
    { reason: 'replies_off' },
  )
}
