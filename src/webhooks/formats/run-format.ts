import { createHash } from 'node:crypto'
import type { Limits } from '../../config.ts'
import type { Context, WebhookActor } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { type SendMessageResult, sendParsed } from '../../messages/send/send-message.ts'
import { isBlankMarkdown } from '../../text/markdown/plain-text.ts'
import { readPayload } from '../payload.ts'
import type { Operation } from './format.ts'
import { shorten } from './shorten.ts'

/** What became of an operation. Null if the message or the thread that it needs does not exist. */
export type Outcome = SendMessageResult | null

/** `note` is called for each message that was written, even if a later one fails. */
type Run = { ctx: Context<WebhookActor>; target: string; note: (sent: SendMessageResult) => void }

const defaultRestDays = 30

/**
 * Writes the operations of a format. The first is written before the others, because it may create their thread. The
 * others are written together. If one fails, the sender repeats the call, and `uniqueBy` keeps what was written.
 */
export async function runOperations(
  run: Run,
  [first, ...rest]: readonly [Operation, ...Operation[]],
): Promise<Outcome[]> {
  const write = (operation: Operation) => runOperation(run, operation)
  return [await write(first), ...(await Promise.all(rest.map(write)))]
}

async function runOperation(
  { ctx, target, note }: Run,
  { onlyUpdates = false, onlyInThread = false, ...operation }: Operation,
): Promise<Outcome> {
  const fields = { allowMentions: false, ...fitted(operation, ctx.config.limits), target }
  const { input, ignored } = readPayload(ctx, fields, {})
  const restSeconds = secondsOf(ctx.actor.webhook.restDays ?? defaultRestDays)
  try {
    const sent = await sendParsed(ctx, { restSeconds, onlyUpdates, onlyInThread, ...input })
    const outcome = { ...sent, ignored: [...ignored, ...sent.ignored] }
    note(outcome)
    return outcome
  } catch (error) {
    const isMissing = (onlyUpdates || onlyInThread) && error instanceof AppError && error.code === 'not_found'
    if (isMissing) return null
    throw error
  }
}

export function secondsOf(days: number): number {
  return days * 24 * 60 * 60
}

// What a sender sends is shortened or replaced, because most senders cannot react to an error.
export function fitted({ text, uniqueBy, threadBy, threadSubject, ...rest }: Operation, limits: Limits) {
  const shown = clean(text, limits.textCharacters)
  const subject =
    threadSubject === undefined ? undefined : clean(threadSubject, limits.subjectCharacters).trim()
  return {
    text: isBlankMarkdown(shown) ? '(empty)' : shown,
    uniqueBy: uniqueBy && fittedKey(uniqueBy, limits.keyCharacters),
    threadBy: threadBy && fittedKey(threadBy, limits.keyCharacters),
    threadSubject: subject === '' ? '(no subject)' : subject,
    ...rest,
  }
}

function clean(text: string, max: number): string {
  return shorten(text.replaceAll('\0', ''), max)
}

/** A key that is too long is stored as its SHA-256 in hexadecimal. */
function fittedKey(key: string, max: number): string {
  const valid = key.replaceAll('\0', '\ufffd')
  return shorten(valid, max) === valid ? valid : createHash('sha256').update(valid).digest('hex')
}
