import { z } from 'zod'
import { cachedPerLimits } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError, type FieldError, invalidField, invalidInput } from '../errors.ts'
import { toGroupID } from '../groups/general-group-id.ts'
import { parseInput } from '../input.ts'
import { messageInput, threadFields } from '../messages/fields.ts'
import type { ParsedSendInput } from '../messages/send/send-message.ts'

export type Query = Readonly<Record<string, unknown>>

const target = z
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

/** Parses a request into the input of `sendParsed`. The body overrides the query. Ignores nulls and unknown fields. */
export function readPayload({ config }: Context, body: unknown, query: Query): ParsedSendInput {
  const schema = schemaFor(config.limits)
  const input = { ...fieldsOfQuery(query, Object.keys(schema.shape)), ...dropNulls(fieldsOfBody(body)) }
  const { target, threadSubject, threadBy, ...message } = parseInput(schema, input)
  if (isThread(target)) return { threadID: target, message }
  return { thread: { recipients: [toGroupID(target)], subject: threadSubject, threadBy }, message }
}

function fieldsOfBody(body: unknown): object {
  if (body === undefined) return {}
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw invalidField('body', 'must be a JSON object')
}

function fieldsOfQuery(query: Query, fields: string[]): object {
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

function isThread(target: unknown): boolean {
  return typeof target === 'string' && target.startsWith('thr_')
}

function dropNulls(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
