import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { invalidField } from '../errors.ts'
import { isDecodable } from '../http/percent-encoding.ts'

export const maxFormBytes = 16 * 1024

/** Accepts only the bodies of HTML forms. */
export async function readForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, { parser: (text) => (isDecodable(text) ? parse(text) : {}) })
}

/** Returns a field of a form. */
export function field(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  if (typeof value !== 'string' || value === '') throw invalidField(name, 'is required')
  return value
}
