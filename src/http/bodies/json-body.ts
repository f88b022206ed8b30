import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError, invalidField } from '../../errors.ts'

/** Accepts only JSON in UTF-8 (RFC 8259 8.1). Refuses keys such as `__proto__`. The last of repeated keys counts. */
export function readOnlyJSON(
  app: FastifyInstance,
  advice = 'Set the Content-Type header to application/json.',
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const type = /^application\/json(?=;|$)(?!.*; charset="(?!utf-?8"))/i
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body as Buffer)) return done(invalidField('body', 'is not UTF-8'))
    const text = body.toString().replace(/^\ufeff/, '')
    request.bodyText = text
    parse(request, text, (error, value) => {
      done(error ? invalidField('body', whatIsWrong(text)) : null, value)
    })
  })
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(new AppError('unsupported_media_type', `${advice} The only charset is UTF-8.`))
  })
}

/** Also accepts bodies of `text/plain` in UTF-8, which become the field `text`. */
export function readPlainText(app: FastifyInstance): void {
  const type = /^text\/plain(?=;|$)(?!.*; charset="(?!(utf-?8|us-ascii)"))/i
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body as Buffer)) return done(invalidField('body', 'is not UTF-8'))
    request.bodyText = body.toString()
    done(null, { text: request.bodyText })
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
