import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { File } from '../generated/prisma/client.ts'
import { endStalled } from '../platform/http.ts'
import type { Range, Storage } from '../platform/storage.ts'
import { contentDisposition } from './content-disposition.ts'
import { isNamed, readRange } from './preconditions.ts'

/**
 * Answers with the bytes of a file, or the part that is asked for (RFC 9110 13 and 14), to be saved and not shown: what
 * someone uploaded is nothing that a browser may run for this site. Throws `range_not_satisfiable`.
 */
export async function answerFile(
  storage: Storage,
  { file, expires }: { file: File; expires: number },
  { method, headers, raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${Buffer.from(file.sha256).toString('base64url')}"`
  const always = { ...headersFor(file, expires), etag }
  if (isNamed(etag, headers['if-none-match'])) return reply.code(304).headers(always).send()
  const size = Number(file.sizeBytes)
  const mayBePart = method === 'GET' && (headers['if-range'] === undefined || headers['if-range'] === etag)
  const range = mayBePart ? readRange(headers.range, size) : undefined
  if (range === 'none') throw unsatisfiable(reply, size)
  const bytes = method === 'HEAD' ? undefined : await openBytes(storage, file, range)
  reply
    .headers(always)
    .type(typeOf(file))
    .header('content-length', range ? range.last - range.first + 1 : size)
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  endStalled(raw, reply.raw)
  return reply.send(bytes)
}

function headersFor({ name }: File, expires: number): Record<string, string> {
  const secondsLeft = Math.max(0, expires - Math.floor(Date.now() / 1000))
  return {
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${secondsLeft}`,
    'content-disposition': contentDisposition(name),
    'content-security-policy': "sandbox; default-src 'none'",
    // The link itself is the permission: a page on another site that was given it may show the image.
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  }
}

function typeOf({ contentType }: File): string {
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType
}

function unsatisfiable(reply: FastifyReply, size: number): AppError {
  reply.header('content-range', `bytes */${size}`)
  return new AppError('range_not_satisfiable', `The file has ${size} bytes, and none in this range.`)
}

async function openBytes(
  storage: Storage,
  { sha256, sizeBytes }: File,
  range: Range | undefined,
): Promise<Readable | ''> {
  return sizeBytes === 0n ? '' : storage.open(sha256, range)
}
