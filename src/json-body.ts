import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalidField } from './errors.ts'

/**
 * Leaves JSON as the only type of body that is read, in UTF-8 only (RFC 8259 8.1): bytes that are none are refused
 * and not replaced, and so are prototype keys; of duplicate keys the last counts. Failures are `invalid_input`.
 */
export function readOnlyJSON(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const type = /^application\/json(?=;|$)(?!.*; charset="(?!utf-?8"))/i
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body as Buffer)) return done(invalidField('body', 'is not UTF-8'))
    const text = body.toString().replace(/^\ufeff/, '')
    parse(request, text, (error, value) => {
      done(error ? invalidField('body', whatIsWrong(text)) : null, value)
    })
  })
}

function whatIsWrong(text: string): string {
  if (text.trim() === '') return 'is empty'
  try {
    JSON.parse(text)
    return 'has a key that is not allowed: __proto__ or constructor.prototype'
  } catch {
    return 'is not valid JSON'
  }
}
