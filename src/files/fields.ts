import { z } from 'zod'
import { cachedPerLimits, type Limits } from '../config.ts'
import { AppError } from '../errors.ts'
import { inOneLine, nonBlankText } from '../input.ts'

export const fileFields = cachedPerLimits((limits: Limits) => ({
  /** The service uses the name only as a label, but people save the downloaded file under it. */
  name: inOneLine(
    nonBlankText(Number.POSITIVE_INFINITY)
      .refine(
        (name) => Buffer.byteLength(name) <= limits.fileNameBytes,
        `must have at most ${limits.fileNameBytes} bytes`,
      )
      .refine(
        (name) => !/[/\\]/.test(name) && name !== '.' && name !== '..',
        'must be a name without a path',
      ),
  ),
  /** Base64 of 16 bytes (RFC 1864). */
  contentMD5: z.string({ error: 'is required and must be the MD5 of the contents in base64' }),
}))

export function requireSize(sizeBytes: number, { fileBytes }: Limits): void {
  if (sizeBytes > fileBytes) throw new AppError('too_large', `A file can have at most ${fileBytes} bytes.`)
}

export function readDigest(contentMD5: string): Buffer<ArrayBuffer> {
  const digest = Buffer.from(contentMD5, 'base64')
  if (digest.length === 16 && digest.toString('base64') === contentMD5) return digest
  const message = 'Content-MD5 must be the base64 encoding of the 16 bytes of an MD5 (RFC 1864).'
  throw new AppError('invalid_digest', message, {
    errors: [{ field: 'contentMD5', message: 'must be the base64 encoding of 16 bytes' }],
  })
}
