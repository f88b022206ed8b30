import { z } from 'zod'
import { cachedPerLimits, type Limits } from '../config.ts'
import type { Context, WebhookActor } from '../context.ts'
import { AppError, type FieldError, invalidField, invalidInput } from '../errors.ts'
import { toGroupID } from '../groups/general-group-id.ts'
import { parseInput } from '../input.ts'
import { messageInput, threadFields } from '../messages/fields.ts'
import type { ParsedSendInput } from '../messages/send/send-message.ts'
import { misspelledFields } from './misspelled-fields.ts'

export type Query = Readonly<Record<string, unknown>>

// Callers already sent such names before these fields existed. Therefore an invalid value is left out and not refused.
const laterFields = {
  version: true,
  state: true,
  notify: true,
  threadClosed: true,
  threadState: true,
  senderName: true,
  allowMentions: true,
  plain: true,
} as const

export const target = z
  .string({
    error: (issue) =>
      issue.input === undefined ? 'is required, in the body or in the query' : 'must be a string',
  })
  .regex(
    /^(grp|thr|wks)_[0-9A-Za-z]+$/,
    'must be the ID of a group (grp_...), a thread (thr_...) or the workspace (wks_...)',
  )

// `when` also runs these checks if another field is not valid. Then the error names every problem.
const schemaFor = cachedPerLimits((limits) => {
  const { subject, threadBy } = threadFields(limits)
  return messageInput(limits)
    .omit(laterFields)
    .extend({ target, threadSubject: subject.nullish(), threadBy: threadBy.nullish() })
    .refine((body) => !isThread(body.target) || body.threadSubject == null, {
      path: ['threadSubject'],
      error: 'cannot be used if target is a thread; threadSubject is the subject of a new thread',
      when: () => true,
    })
    .refine((body) => !isThread(body.target) || body.threadBy == null, {
      path: ['threadBy'],
      error: 'cannot be used if target is a thread; threadBy identifies a thread in a group',
      when: () => true,
    })
})

// Pairs of names: a field of the verb, and the field or header of the request.
const wireNames = [
  ['thread.subject', 'threadSubject'],
  ['thread.threadBy', 'threadBy'],
  ['thread.recipients', 'target'],
  ['threadID', 'target'],
  ['name', 'X-File-Name'],
  ['contentMD5', 'Content-MD5'],
] as const

/** Reads the target of a format, which the query or the settings of the webhook have. */
export function readTarget(
  { actor: { webhook } }: Context<WebhookActor>,
  value: unknown,
): { target: string; groupID: string | undefined } {
  const given = value ?? webhook.defaultTarget ?? undefined
  const { target: id } = parseInput(z.object({ target }), { target: given })
  return { target: id, groupID: isThread(id) ? undefined : toGroupID(id) }
}

/** Returns the fields of a call that names no target. */
export function defaultsOf({ webhook }: WebhookActor): { target: string | undefined } {
  return { target: webhook.defaultTarget ?? undefined }
}

export type Payload = { target: string; input: ParsedSendInput; ignored: string[] }

/**
 * Parses a request into the input of `sendParsed`. The body overrides the query, and the query overrides the default
 * target. Ignores nulls and unknown fields.
 */
export function readPayload({ config, actor }: Context<WebhookActor>, body: unknown, query: Query): Payload {
  const schema = schemaFor(config.limits)
  const names = [...Object.keys(schema.shape), ...Object.keys(laterFields)]
  const fields: Query = {
    ...defaultsOf(actor),
    ...fieldsOfQuery(query, names),
    ...dropNulls(fieldsOfBody(body)),
  }
  const { target, threadSubject, threadBy, ...content } = parseInput(schema, fields)
  const { read, ignored } = readLaterFields(config.limits, fields)
  const message = { ...content, ...read }
  ignored.push(...misspelledFields(fields, names))
  if (isThread(target)) return { target, input: { threadID: target, message }, ignored }
  const thread = { recipients: [toGroupID(target)], subject: threadSubject, threadBy }
  return { target, input: { thread, message }, ignored }
}

function readLaterFields(limits: Limits, fields: Query) {
  const { shape } = messageInput(limits)
  const ignored: string[] = []
  const read = Object.keys(laterFields).flatMap((name) => {
    if (fields[name] === undefined) return []
    const result = shape[name as keyof typeof laterFields].safeParse(fromText(name, fields[name]))
    if (!result.success) ignored.push(name)
    return result.success ? [[name, result.data]] : []
  })
  return { read: Object.fromEntries(read) as Partial<ParsedSendInput['message']>, ignored }
}

// A query has only text.
function fromText(name: string, value: unknown): unknown {
  const isBoolean = ['threadClosed', 'allowMentions', 'plain'].includes(name)
  return isBoolean && (value === 'true' || value === 'false') ? value === 'true' : value
}

export function fieldsOfBody(body: unknown): object {
  if (body === undefined) return {}
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw invalidField('body', 'must be a JSON object')
}

export function fieldsOfQuery(query: Query, fields: string[]): object {
  const repeated = fields.filter((field) => field !== 'attachments' && Array.isArray(query[field]))
  if (repeated.length > 0) {
    throw invalidInput(repeated.map((field) => ({ field, message: 'is given more than once in the query' })))
  }
  const { attachments } = query
  return attachments === undefined ? query : { ...query, attachments: [attachments].flat() }
}

/** Renames the fields of an error to the names that the webhook's caller knows. */
export function withWireNames(error: unknown): unknown {
  if (!(error instanceof AppError) || error.errors.length === 0) return error
  const errors = error.errors.map(withWireName)
  return error.code === 'invalid_input' ? invalidInput(errors) : error.withErrors(errors)
}

function withWireName({ field, message }: FieldError): FieldError {
  if (field.startsWith('message.')) return { field: field.slice('message.'.length), message }
  const known = wireNames.find(([name]) => field === name || field.startsWith(`${name}.`))
  return { field: known ? known[1] + field.slice(known[0].length) : field, message }
}

export function isThread(target: unknown): boolean {
  return typeof target === 'string' && target.startsWith('thr_')
}

export function dropNulls(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
