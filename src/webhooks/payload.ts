import { z } from 'zod'
import { cachedPerLimits, type Limits } from '../config.ts'
import type { Context, WebhookActor } from '../context.ts'
import { AppError, type FieldError, invalidField, invalidInput } from '../errors.ts'
import type { MessageInput } from '../generated/resolver-types.ts'
import { toGroupID } from '../groups/general-group-id.ts'
import { parseInput } from '../input.ts'
import { messageInput, threadFields } from '../messages/fields.ts'
import type { ParsedSendInput } from '../messages/send/send-message.ts'
import { misspelledFields } from './misspelled-fields.ts'

export type Query = Readonly<Record<string, unknown>>

// Callers already sent such names before these fields existed. Therefore an invalid value is left out and not refused.
const laterFields: readonly string[] = [
  'version',
  'state',
  'notify',
  'threadClosed',
  'threadState',
  'senderName',
  'allowMentions',
  'plain',
  'buttons',
] satisfies (keyof MessageInput)[]

const booleans = ['threadClosed', 'allowMentions', 'plain']

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
const bodyFor = cachedPerLimits((limits) => {
  const { subject, threadBy } = threadFields(limits)
  const schema = messageInput(limits)
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
  return { schema, names: Object.keys(schema.shape) }
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

const targetInput = z.object({ target })

/** Reads the target of a format, which the query or the settings of the webhook have. */
export function readTarget(
  { actor }: Context<WebhookActor>,
  value: unknown,
): { target: string; groupID: string | undefined } {
  const { target: id } = parseInput(targetInput, { target: value ?? defaultTargetOf(actor) })
  return { target: id, groupID: isThread(id) ? undefined : toGroupID(id) }
}

/** Returns the target of a call that names none. */
export function defaultTargetOf({ webhook }: WebhookActor): string | undefined {
  return webhook.defaultTarget ?? undefined
}

export type Payload = { target: string; input: ParsedSendInput; ignored: string[] }

/**
 * Parses a request into the input of `sendParsed`. The body overrides the query, and the query overrides the default
 * target. Ignores nulls and unknown fields.
 */
export function readPayload({ config, actor }: Context<WebhookActor>, body: unknown, query: Query): Payload {
  const { names } = bodyFor(config.limits)
  const given = {
    target: defaultTargetOf(actor),
    ...fieldsOfQuery(query, names),
    ...dropNulls(fieldsOfBody(body)),
  }
  const { parsed, ignored } = parseFields(config.limits, given)
  const { target, threadSubject, threadBy, ...message } = parsed
  ignored.push(...misspelledFields(given, names))
  if (isThread(target)) return { target, input: { threadID: target, message }, ignored }
  const thread = { recipients: [toGroupID(target)], subject: threadSubject, threadBy }
  return { target, input: { thread, message }, ignored }
}

/** Parses the fields of a message. Leaves out the later fields that are not valid. */
export function parseFields(limits: Limits, given: Query) {
  const { schema } = bodyFor(limits)
  const fields = withBooleans(given)
  const { data, error } = schema.safeParse(fields)
  if (!error) return { parsed: data, ignored: [] }
  const ignored = laterFields.filter((name) => error.issues.some(({ path }) => path[0] === name))
  const rest = Object.entries(fields).filter(([name]) => !ignored.includes(name))
  // A list of buttons has many rules. Therefore its names are not enough.
  const named = ignored.flatMap((name) => (name === 'buttons' ? problemsIn(error, name) : name))
  return { parsed: parseInput(schema, Object.fromEntries(rest)), ignored: named }
}

function problemsIn({ issues }: z.ZodError, name: string): string[] {
  return issues
    .filter(({ path }) => path[0] === name)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
}

// A query has only text.
function withBooleans(fields: Query): Query {
  const texts = booleans.filter((name) => fields[name] === 'true' || fields[name] === 'false')
  return texts.length === 0
    ? fields
    : { ...fields, ...Object.fromEntries(texts.map((name) => [name, fields[name] === 'true'])) }
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
