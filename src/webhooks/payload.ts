import { z } from 'zod'
import { perLimits } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError, type FieldError, invalidField, invalidInput } from '../errors.ts'
import { parseInput } from '../input.ts'
import { messageFields } from '../messages/fields.ts'
import type { PostMessageInput } from '../messages/post/post-message.ts'

export type Query = Readonly<Record<string, unknown>>

const scalarFields = ['text', 'target', 'threadSubject', 'threadBy', 'uniqueBy']

const target = z
  .string({
    error: (issue) =>
      issue.input === undefined ? 'is required, in the body or in the query' : 'must be a string',
  })
  .regex(
    /^(grp|thr|wks)_[0-9A-Za-z]+$/,
    'must be the ID of a group (grp_...), a thread (thr_...) or the workspace (wks_...)',
  )

const schemaFor = perLimits((limits) => {
  const fields = messageFields(limits)
  return z
    .object({
      text: fields.text,
      target,
      threadSubject: fields.subject.nullish(),
      threadBy: fields.key.nullish(),
      uniqueBy: fields.key.nullish(),
      attachments: fields.attachments.nullish(),
    })
    .refine((body) => !isThread(body.target) || body.threadSubject == null, {
      path: ['threadSubject'],
      error: 'cannot be used if target is a thread; it is the subject of a new thread',
      when: () => true,
    })
    .refine((body) => !isThread(body.target) || body.threadBy == null, {
      path: ['threadBy'],
      error: 'cannot be used if target is a thread; it identifies a thread in a group',
      when: () => true,
    })
})

/** The verbs' field names, with the fields of the webhook's body and the headers of its uploads. */
const wireNames = [
  ['message.text', 'text'],
  ['message.uniqueBy', 'uniqueBy'],
  ['message.attachments', 'attachments'],
  ['thread.subject', 'threadSubject'],
  ['thread.threadBy', 'threadBy'],
  ['thread.recipients', 'target'],
  ['threadID', 'target'],
  ['name', 'X-File-Name'],
  ['contentMD5', 'Content-MD5'],
] as const

/**
 * Converts a request to the input of `postMessage`. Fields can be in the body or in the query; the body takes
 * precedence. Null counts as absent, unknown fields are ignored, and a string body is the text.
 */
export function readPayload(ctx: Context, body: unknown, query: Query): PostMessageInput {
  const input = { ...fieldsOfQuery(query), ...dropNulls(fieldsOfBody(body)) }
  const { target, text, threadSubject, ...rest } = parseInput(schemaFor(ctx.config.limits), input)
  const message = { text, attachments: rest.attachments, uniqueBy: rest.uniqueBy }
  if (isThread(target)) return { threadID: target, message }
  return { thread: { recipients: [target], subject: threadSubject, threadBy: rest.threadBy }, message }
}

function fieldsOfBody(body: unknown): object {
  if (body === undefined) return {}
  if (typeof body === 'string') return { text: body }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw invalidField('body', 'must be a JSON object')
}

function fieldsOfQuery(query: Query): object {
  const repeated = scalarFields.filter((field) => Array.isArray(query[field]))
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
  const known = wireNames.find(([name]) => field === name || field.startsWith(`${name}.`))
  return { field: known ? known[1] + field.slice(known[0].length) : field, message }
}

function isThread(target: unknown): boolean {
  return typeof target === 'string' && target.startsWith('thr_')
}

function dropNulls(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
