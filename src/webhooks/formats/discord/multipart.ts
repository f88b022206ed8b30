import { Busboy } from '@fastify/busboy'
import type { FastifyInstance } from 'fastify'
import { invalidField } from '../../../errors.ts'
import { afterCheck, type BodyCheck } from '../../../http/bodies/json-body.ts'

export const multipartType = 'multipart/form-data'
const limits = { fields: 20, files: 20, parts: 40, headerPairs: 20, fieldNameSize: 200 }

/** Reads forms with files. Their bytes are dropped, and their names become the field `files`. */
export function readMultipart(app: FastifyInstance, check: BodyCheck): void {
  app.addContentTypeParser(multipartType, { parseAs: 'buffer' }, (request, body, done) => {
    const read = () => {
      fieldsIn(body as Buffer, request.headers['content-type'] ?? '').then(
        (fields) => {
          request.bodyText = JSON.stringify(fields)
          done(null, fields)
        },
        () => done(invalidField('body', 'is not a complete multipart form')),
      )
    }
    afterCheck(check(request, body as Buffer), read, done)
  })
}

function fieldsIn(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fields: [string, unknown][] = []
    const files: string[] = []
    const form = new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...limits, fieldSize: body.length },
    })
    form.on('field', (name, value) => fields.push([name, name === 'payload_json' ? parsed(value) : value]))
    form.on('file', (_name, file, filename) => {
      files.push(filename)
      file.resume()
    })
    form.on('finish', () => resolve({ ...Object.fromEntries(fields), files }))
    form.on('error', reject)
    form.end(body)
  })
}

// Secrets are found by the names of fields. A text that is not JSON is refused later.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
