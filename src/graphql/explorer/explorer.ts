import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowOnly } from '../../http/not-allowed.ts'
import { sendProblem } from '../../http/problems.ts'

const folder = join(import.meta.dirname, '../../generated/explorer')

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
}

/** The editor creates its styles in the page, so styles can be inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
}

type Packed = { body: Buffer; etag: string }

/** Serves the GraphiQL page that `npm run generate` builds. */
export async function explorerPage(app: FastifyInstance): Promise<void> {
  const files = new Set((await readdir(folder)).map((name) => name.replace(/\.gz$/, '')))
  const known = new Map<string, Packed>()

  async function serve(file: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const packed = known.get(file) ?? (await read(file))
    known.set(file, packed)
    // Each content coding needs its own entity tag (RFC 9110 8.8.3.3).
    const takesPacked = /\bgzip\b/.test(String(request.headers['accept-encoding']))
    const etag = takesPacked ? `"${packed.etag}"` : `"${packed.etag}-plain"`
    reply.headers({ ...headers, etag, ...(takesPacked && { 'content-encoding': 'gzip' }) })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const type = mediaTypes[extname(file)] ?? 'application/octet-stream'
    return reply.type(type).send(takesPacked ? packed.body : gunzipSync(packed.body))
  }

  app.setErrorHandler(sendProblem)
  allowOnly(app, '/explorer', ['GET', 'HEAD'])
  app.get('/explorer', { exposeHeadRoute: true }, (request, reply) => serve('index.html', request, reply))
  app.get<{ Params: { file: string } }>('/explorer/:file', { exposeHeadRoute: true }, (request, reply) => {
    const { file } = request.params
    return files.has(file) ? serve(file, request, reply) : reply.callNotFound()
  })
}

async function read(file: string): Promise<Packed> {
  const body = await readFile(join(folder, `${file}.gz`))
  return { body, etag: createHash('sha256').update(body).digest('base64url') }
}
