import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError, invalidField } from './errors.ts'

/**
 * Leaves JSON as the only type of body that is read, in UTF-8 only (RFC 8259 8.1): bytes that are none are refused
 * and not replaced, and so are prototype keys; of duplicate keys the last counts. Failures are `invalid_input`, and
 * `unsupported_media_type` with `advice` for any other type.
 */
export function readOnlyJSON(
  app: FastifyInstance,
  advice = 'Set the header Content-Type to application/json.',
): void {
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
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(new AppError('unsupported_media_type', advice))
  })
}

/** Reads a body of `text/plain` in UTF-8 as a string, besides the types that are read already. */
export function readPlainText(app: FastifyInstance): void {
  const type = /^text\/plain(?=;|$)(?!.*; charset="(?!(utf-?8|us-ascii)"))/i
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
    if (!isUtf8(body as Buffer)) return done(invalidField('body', 'is not UTF-8'))
    done(null, body.toString())
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
