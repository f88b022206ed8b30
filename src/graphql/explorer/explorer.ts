import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { invalidField } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { readOnlyJSON } from '../../http/bodies/json-body.ts'
import { sendProblem } from '../../http/problems.ts'
import { addToLog } from '../../http/request-log.ts'
import { signInWith } from '../../starter/sign-in-links.ts'

const folder = join(import.meta.dirname, '../../generated/explorer')

/** Inline styles are allowed, because the editor creates its styles in the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

/** Serves the GraphiQL page that `npm run generate` builds, compressed for browsers that accept gzip. */
export async function explorerPage(app: FastifyInstance): Promise<void> {
  const files = new Set((await readdir(folder)).filter((name) => !name.endsWith('.gz')))
  await app.register(fastifyStatic, { serve: false, root: folder, preCompressed: true, cacheControl: false })
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/explorer', ['GET', 'HEAD'])
  app.get('/explorer', { exposeHeadRoute: true }, (_request, reply) =>
    reply.headers(headers).sendFile('index.html'),
  )
  app.get<{ Params: { file: string } }>('/explorer/:file', { exposeHeadRoute: true }, (request, reply) => {
    const { file } = request.params
    return files.has(file) ? reply.headers(headers).sendFile(file) : reply.callNotFound()
  })
}

const path = '/explorer/session'
const maxBodyBytes = 1024

/** Exchanges a one-time code for a token. Opening a link does not use up its code, because link previews open links. */
export async function explorerSession(
  app: FastifyInstance,
  shared: Pick<Context, 'db' | 'config'>,
): Promise<void> {
  app.setErrorHandler(sendProblem)
  readOnlyJSON(app)
  allowOnly(app, path, ['POST'])
  app.post<{ Body: unknown }>(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { token, workspaceID, appID } = await signInWith(shared, codeOf(request.body))
    addToLog(request, { workspaceID, appID })
    return { access_token: token, token_type: 'Bearer', expires_in: shared.config.tokenTTLSeconds }
  })
}

function codeOf(body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  if (typeof code !== 'string') throw invalidField('code', 'must be a string')
  return code
}
