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
      fieldsIn(body as Buffer, request.headers['content-type'] ?? '')
        .then((fields) => {
          request.bodyText = JSON.stringify(fields) // fails for JSON that is nested thousands of times
          return fields
        })
        .then(
          (fields) => done(null, fields),
          () => done(invalidField('body', 'is not a multipart form with at most 40 parts')),
        )
    }
    afterCheck(check(request, body as Buffer), read, done)
  })
}

function fieldsIn(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    if (hasTooManyParts(body, contentType)) throw new Error('The form has too many parts')
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

// The parser reads all parts, even if there are more than its limit.
function hasTooManyParts(body: Buffer, contentType: string): boolean {
  const [, quoted, plain = ''] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const mark = `--${quoted ?? plain}`
  let count = 0
  for (let at = body.indexOf(mark); at >= 0 && count <= limits.parts + 1; at = body.indexOf(mark, at + 1))
    count += 1
  return count > limits.parts + 1
}

// Secrets are found by the names of fields. A text that is not JSON is refused later.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
