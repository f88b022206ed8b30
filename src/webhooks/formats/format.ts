import type { IncomingHttpHeaders } from 'node:http'
import type { WebhookFormat } from '../../apps/webhooks/settings.ts'
import type { WebhookTemplates } from '../../apps/webhooks/templates.ts'
import type { AppError } from '../../errors.ts'
import type { SendMessageResult } from '../../messages/send/send-message.ts'

export type State = 'running' | 'failed' | 'ok'

/** A call of the plain URL: its fields have the names and meanings of docs/webhooks.md. The frame adds the target. */
export type Operation = {
  text: string
  uniqueBy?: string
  threadBy?: string
  threadSubject?: string
  version?: number | string
  state?: State
  notify?: 'new' | 'always' | 'never'
  threadClosed?: boolean | 'keep'
  threadState?: State | 'keep'
  senderName?: string
  /** Left out means false: a payload mentions nobody. */
  allowMentions?: boolean
  plain?: boolean
  /** Writes nothing if no message has this `uniqueBy`. */
  onlyUpdates?: boolean
  /** Writes nothing if no thread has this `threadBy`. The operation needs a `threadSubject` nevertheless. */
  onlyInThread?: boolean
}

export type Settings = {
  /** The group that the messages go to, or undefined if the target is a thread. */
  groupID: string | undefined
  /** The scheme of mentions, such as `skein` in `[Everyone](skein:grp_...)`. */
  mentionScheme: string
  /** Whether a message about something that is resolved calls people. */
  notifiesResolved: boolean
  /** The templates of the webhook, or null if it has none. */
  templates: WebhookTemplates | null
  limits: { textCharacters: number; subjectCharacters: number }
}

/** What a body becomes: calls in the order in which they are written, or the reason why it becomes none. */
export type Reading = { operations: [Operation, ...Operation[]] } | { skip: string }

export type Request = { headers: IncomingHttpHeaders; body: unknown; settings: Settings }

/** A call that has succeeded. */
export type Call = {
  webhookID: string
  query: Readonly<Record<string, unknown>>
  body: unknown
  operations: readonly [Operation, ...Operation[]]
  results: readonly SendMessageResult[]
}
export type Answer = { status: number; body?: object }

/**
 * A format of another system. `read` is pure and accepts any JSON value. It shortens what is too long, replaces what is
 * blank, and skips what it does not know. It throws an AppError only for a body that cannot be of this format.
 */
export type Format = {
  name: WebhookFormat
  /** Whether a body looks like this format. The plain URL then names the right URL in its error. */
  recognizes: (body: unknown) => boolean
  read: (request: Request) => Reading
  /** Other paths below its URL. A parameter `target` that is an ID is the target, if the query has none. */
  morePaths?: readonly string[]
  /** The text that the sender expects after a success. By default, the answer is JSON. */
  answer?: string
  /** Returns the answer that the sender expects after a success, if it depends on the call. */
  answerCall?: (call: Call) => Answer
  /** Returns what the sender expects for an error with a status below 500: a text, or an object that becomes JSON. */
  refuse?: (error: AppError) => string | object
  /** The sender repeats a call only after the status 503. */
  repeatsOnlyAfter503?: true
}
