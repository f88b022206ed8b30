import type { AppError, ErrorCode } from '../../../errors.ts'
import { creationTime } from '../../../platform/ids.ts'
import type { Answer, Call } from '../format.ts'
import { fieldsOf, textOf } from '../json-values.ts'

const noContent = 204

/** Answers as Discord does: with the message if the URL says `wait=true`, and otherwise with nothing. */
export function answerCall({ query, results, operations, body, webhookID }: Call): Answer {
  const [sent] = results
  if (query.wait !== 'true' || !sent) return { status: noContent }
  const author = {
    id: webhookID,
    username: operations[0].senderName ?? 'Webhook',
    avatar: null,
    discriminator: '0000',
    bot: true,
  }
  const message = {
    id: sent.messageID,
    type: 0,
    content: textOf(fieldsOf(body).content),
    channel_id: sent.threadID,
    author,
    webhook_id: webhookID,
    timestamp: creationTime(sent.messageID).toISOString(),
  }
  const lists = { attachments: [], embeds: [], mentions: [], mention_roles: [], components: [] }
  const flags = { edited_timestamp: null, tts: false, mention_everyone: false, pinned: false, flags: 0 }
  return { status: 200, body: { ...message, ...flags, ...lists } }
}

/** The codes with which Discord answers such errors. Its other errors have the code 0. */
const codes: Partial<Record<ErrorCode, number>> = {
  invalid_input: 50035,
  not_found: 10015,
  forbidden: 50013,
  bad_signature: 50027,
  too_large: 40005,
}
const emptyMessage = { message: 'Cannot send an empty message', code: 50006 }

/** Returns an error in the form of Discord. */
export function refusal({ code, errors, message, retryAfterSeconds }: AppError): object {
  if (errors.some(({ field }) => field === 'content')) return emptyMessage
  if (code === 'rate_limited') return { message, retry_after: retryAfterSeconds ?? 1, global: false, code: 0 }
  return { message, code: codes[code] ?? 0 }
}
