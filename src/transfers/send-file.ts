import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { File } from '../generated/prisma/client.ts'
import { endStalled } from '../http/bodies/request-bodies.ts'
import { type ByteRange, BytesMissing, type Chunks, type Storage } from '../storage/storage.ts'

/** Sends a file or a range of it (RFC 9110 14) as a download, because uploaded content must not run on this site. */
export async function sendFile(
  storage: Storage,
  { file, secondsLeft }: { file: File; secondsLeft: number },
  { method, headers, raw, log }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${Buffer.from(file.sha256).toString('base64url')}"`
  const always = { ...headersFor(file, secondsLeft), etag }
  if (matchesETag(etag, headers['if-none-match'])) return reply.code(304).headers(always).send()
  const size = Number(file.sizeBytes)
  const mayBePart = method === 'GET' && (headers['if-range'] === undefined || headers['if-range'] === etag)
  const range = mayBePart ? readRange(headers.range, size) : undefined
  if (range === 'unsatisfiable') throw unsatisfiable(reply, size)
  const logLoss = (err: BytesMissing) => log.error({ err, fileID: file.id }, 'a file has lost its bytes')
  const open = (range: ByteRange | undefined) =>
    storage.open(file.sha256, range).catch((err: unknown) => {
      // Otherwise only failures with a status of 500 or more are logged.
      if (err instanceof BytesMissing) logLoss(err)
      throw err
    })
  if (method === 'HEAD' && size > 0) await readOne(await open({ first: 0, last: 0 }))
  const chunks = method === 'HEAD' || size === 0 ? undefined : await open(range)
  const length = range ? range.last - range.first + 1 : size
  reply.headers(always).type(typeOf(file)).header('content-length', length)
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  if (!chunks) return reply.send(method === 'HEAD' ? undefined : '')
  endStalled(raw, reply.raw)
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  await sendChunks(reply.raw, chunks, length).catch((err: unknown) => {
    if (err instanceof BytesMissing) logLoss(err)
    else log.warn({ err }, 'a download failed')
    reply.raw.destroy()
  })
  return reply
}

// Reading closes the file again.
async function readOne(chunks: Chunks): Promise<void> {
  for await (const _chunk of chunks) return
}

// Writes each chunk after the system has accepted the previous one, because the storage then reuses its memory.
async function sendChunks(response: ServerResponse, chunks: Chunks, length: number): Promise<void> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  const write = (chunk: Uint8Array) => new Promise<void>((resolve) => response.write(chunk, () => resolve()))
  let sent = 0
  for await (const chunk of chunks) {
    await Promise.race([write(chunk), closed])
    if (response.destroyed) return
    sent += chunk.length
  }
  if (sent < length) throw new BytesMissing(`The stored file has ${length - sent} bytes too few`)
  response.end()
}

function headersFor({ name }: File, secondsLeft: number): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${Math.floor(secondsLeft)}`,
    'content-disposition': contentDisposition(name),
    'content-security-policy': "sandbox; default-src 'none'",
    // A page on another site can show the image, because the link is the permission.
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  }
}

function typeOf({ contentType }: File): string {
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType
}

function unsatisfiable(reply: FastifyReply, size: number): AppError {
  reply.header('content-range', `bytes */${size}`)
  return new AppError('range_not_satisfiable', `The range is outside the file, which has ${size} bytes.`)
}

/** Makes a browser save a file under this name (RFC 6266). Adds the name in UTF-8 if it is not ASCII (RFC 8187). */
function contentDisposition(name: string): string {
  // Clients interpret the characters " \ % and ; differently.
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/gu, '_')
  const extended = plain === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`
  return `attachment; filename="${plain}"${extended}`
}

// Also escapes the four characters that a URL allows but RFC 8187 does not.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Returns whether the list contains the tag, by the weak comparison of `If-None-Match` (RFC 9110 13.1.2). */
function matchesETag(etag: string, list: string | undefined): boolean {
  if (list === undefined) return false
  const tags: string[] = list.match(/"[^"]*"/g) ?? []
  return list.trim() === '*' || tags.includes(etag)
}

/** Returns the requested range, `unsatisfiable` if it is outside the file, or undefined for all bytes. */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  // A header that is not valid or has several ranges also requests all bytes (RFC 9110 14.2).
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') return within({ first: Math.max(0, size - Number(last)), last: size - 1 }, size)
  const range = { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  return last !== '' && Number(last) < range.first ? undefined : within(range, size)
}

function within(range: ByteRange, size: number): ByteRange | 'unsatisfiable' {
  return range.first < size && range.first <= range.last ? range : 'unsatisfiable'
}
