import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { AppError, type FieldError, invalidField, invalidInput } from '../errors.ts'

export type UploadHeaders = { name: string; contentMD5: string; sizeBytes: number }

export function readUploadHeaders(headers: IncomingHttpHeaders): UploadHeaders {
  if (/^multipart\//i.test(headers['content-type'] ?? '')) {
    throw new AppError(
      'unsupported_media_type',
      'Send the bytes of the file as the body, not as a multipart form.',
    )
  }
  const length = headers['content-length']
  if (length === undefined) throw new AppError('length_required', 'The Content-Length header is required.')
  const name = headers['x-file-name']
  const contentMD5 = headers['content-md5']
  const errors: FieldError[] = []
  if (contentMD5 === undefined)
    errors.push({ field: 'Content-MD5', message: 'is required and must be the MD5 of the file in base64' })
  if (name === undefined)
    errors.push({ field: 'X-File-Name', message: 'is required and must be the name of the file' })
  if (typeof name !== 'string' || typeof contentMD5 !== 'string') throw invalidInput(errors)
  return { name: readFileName(name), contentMD5, sizeBytes: Number(length) }
}

/**
 * Reads a name in UTF-8, percent-encoded (RFC 3986 2.1) or raw. It is raw if a `%` is not followed by two hexadecimal
 * digits. Node decodes headers as Latin-1.
 */
function readFileName(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const isEncoded = !/%(?![0-9a-f]{2})/i.test(header)
  try {
    if (isUtf8(bytes)) return isEncoded ? decodeURIComponent(bytes.toString()) : bytes.toString()
  } catch {}
  throw invalidField('X-File-Name', 'must be UTF-8, percent-encoded or raw')
}
