import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { email } from '../accounts/email.ts'
import { invalidField } from '../errors.ts'
import { isDecodable } from '../http/bodies/percent-encoding.ts'

export const formRoute = { bodyLimit: 16 * 1024 }

export async function readForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, { parser: (text) => (isDecodable(text) ? parse(text) : {}) })
}

export function optionalField(body: unknown, name: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  if (typeof value !== 'string' || value === '') return undefined
  return withoutNUL(name, value)
}

/** Returns the email address in lower case. Otherwise attempts for one account could count under several addresses. */
export function emailField(body: unknown): string {
  const parsed = email.safeParse(field(body, 'email').trim().toLowerCase())
  if (parsed.success) return parsed.data
  throw invalidField('email', 'must be an email address, such as ada@example.com')
}

// PostgreSQL cannot store NUL.
function withoutNUL(name: string, value: string): string {
  if (value.includes('\0')) throw invalidField(name, 'must not contain NUL characters')
  return value
}

export function field(body: unknown, name: string): string {
  const value = optionalField(body, name)
  if (value === undefined) throw invalidField(name, 'is required')
  return value
}
