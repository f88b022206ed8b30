import type { Readable } from 'node:stream'
import { z } from 'zod'
import { perLimits } from '../config.ts'
import { type Context, requireScope } from '../context.ts'
import { AppError } from '../errors.ts'
import type { File } from '../generated/prisma/client.ts'
import { parseInput, visibleText } from '../input.ts'
import { newID } from '../platform/ids.ts'

const controlOrBidirectional = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const inputFor = perLimits((limits) =>
  z.object({
    /** A label and never a path, yet someone will save a file under it. */
    name: visibleText(Number.POSITIVE_INFINITY)
      .refine(
        (name) => Buffer.byteLength(name) <= limits.fileNameBytes,
        `must have at most ${limits.fileNameBytes} bytes`,
      )
      .refine((name) => !/[/\\]/.test(name) && name !== '.' && name !== '..', 'must be a name without a path')
      .refine(
        (name) => !controlOrBidirectional.test(name),
        'must not contain control or bidirectional characters',
      ),
    /** Base64 of 16 bytes (RFC 1864). */
    contentMD5: z.string({ error: 'is required: the MD5 of the contents in base64' }),
    sizeBytes: z.number(),
    /** Called when the rest has been found good: only then is anything read. */
    open: z.custom<() => Readable>(),
  }),
)

/**
 * Stores a file for the caller to attach. Throws `forbidden`, `too_large` before anything is read, `invalid_input`,
 * `invalid_digest` for an MD5 that is none, `bad_digest` for one of other bytes, and then nothing is left behind.
 */
export async function uploadFile(ctx: Context, given: z.input<ReturnType<typeof inputFor>>): Promise<File> {
  requireScope(ctx, 'threads.messages:write')
  const { name, contentMD5, sizeBytes, open } = parseInput(inputFor(ctx.config.limits), given)
  const { fileBytes } = ctx.config.limits
  if (sizeBytes > fileBytes) throw new AppError('too_large', `A file may have at most ${fileBytes} bytes.`)
  const expected = readDigest(contentMD5)
  const received = await ctx.storage.receive(open())
  if (received.sizeBytes !== sizeBytes || !received.md5.equals(expected)) {
    await received.discard()
    throw new AppError(
      'bad_digest',
      'The bytes that arrived do not have the MD5 that Content-MD5 gives. Send them again.',
    )
  }
  await received.keep()
  const { workspaceID, userID } = ctx.actor
  const { sha256, md5 } = received
  return ctx.db.file.create({
    data: { workspaceID, id: newID('fil'), uploaderID: userID, name, sizeBytes, md5, sha256 },
  })
}

function readDigest(contentMD5: string): Buffer {
  const digest = Buffer.from(contentMD5, 'base64')
  if (digest.length === 16 && digest.toString('base64') === contentMD5) return digest
  const message = 'Content-MD5 must be the base64 of the 16 bytes of an MD5 (RFC 1864).'
  throw new AppError('invalid_digest', message, {
    errors: [{ field: 'contentMD5', message: 'is no base64 of 16 bytes' }],
  })
}
