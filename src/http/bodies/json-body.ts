import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, bodyTooLarge, invalidField } from '../../errors.ts'

/** Rejects if a body must not be parsed. Returns nothing if it clearly can be. */
export type BodyCheck = (request: FastifyRequest, body: Buffer) => Promise<void> | undefined

/** Accepts only JSON in UTF-8 (RFC 8259 8.1). Refuses keys such as `__proto__`. The last of repeated keys counts. */
export function readOnlyJSON(
  app: FastifyInstance,
  advice = 'Set the Content-Type header to application/json.',
  check: BodyCheck = () => undefined,
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const type = /^application\/json(?=;|$)(?!.*; charset="(?!utf-?8"))/i
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    const read = () => {
      if (!isUtf8(body as Buffer)) return done(invalidField('body', 'is not UTF-8'))
      const text = body.toString().replace(/^\ufeff/, '')
      request.bodyText = text
      parse(request, text, (error, value) => {
        done(error ? invalidField('body', whatIsWrong(text)) : null, value)
      })
    }
    afterCheck(check(request, body as Buffer), read, done)
  })
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(unsupportedMediaType(advice))
  })
}

export function unsupportedMediaType(advice: string): AppError {
  return new AppError('unsupported_media_type', `${advice} The only charset is UTF-8.`)
}

/** Runs `read` when a body has been checked. */
export function afterCheck(
  checked: ReturnType<BodyCheck>,
  read: () => void,
  refuse: (error: Error) => void,
): void {
  if (checked) checked.then(read).catch(refuse)
  else read()
}

/** Also accepts bodies of `text/plain` in UTF-8, which become the field `text`. */
export function readPlainText(
  app: FastifyInstance,
  maxBytes: number,
  check: BodyCheck = () => undefined,
): void {
  const type = /^text\/plain(?=;|$)(?!.*; charset="(?!(utf-?8|us-ascii)"))/i
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length > maxBytes) return done(bodyTooLarge(maxBytes))
    const read = () => {
      if (!isUtf8(body as Buffer)) return done(invalidField('body', 'is not UTF-8'))
      request.bodyText = body.toString()
      done(null, { text: request.bodyText })
    }
    return afterCheck(check(request, body as Buffer), read, done)
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
