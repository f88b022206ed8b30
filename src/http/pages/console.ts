import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Limits } from '../../config.ts'
import { escapeHTML } from '../../text/markdown/escape.ts'
import { allowOnly } from '../allow-only.ts'
import { sendProblem } from '../problems.ts'
import { assets, assetsPath, builtFolder } from './assets.ts'
import { colorSchemeAttribute, keepColorScheme, varyByCookie } from './color-scheme.ts'

const oneYear = 'public, max-age=31536000, immutable'

/** Mantine creates styles in the page. They carry the nonce. Scripts come only from this service. */
const policyFor = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Returns the limits that the web app checks before it sends anything, for an attribute of the page. */
function shown({ textCharacters, subjectCharacters, attachments, fileBytes }: Limits): string {
  return escapeHTML(JSON.stringify({ textCharacters, subjectCharacters, attachments, fileBytes }))
}

/** Serves the web app that `npm run build` builds from `src/console`. Each page's path begins with a workspace ID. */
export async function consolePages(app: FastifyInstance, { limits }: { limits: Limits }): Promise<void> {
  const page = readFileSync(join(builtFolder, 'index.html'), 'utf8').replace('SKEIN_LIMITS', () =>
    shown(limits),
  )
  await app.register(fastifyStatic, {
    serve: false,
    root: builtFolder,
    preCompressed: true,
    cacheControl: false,
  })
  app.setErrorHandler(sendProblem)
  const sendConsole = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    keepColorScheme(reply)
    return reply
      .headers({
        'content-security-policy': policyFor(nonce),
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-cache',
        vary: varyByCookie(reply),
      })
      .type('text/html; charset=utf-8')
      .send(page.replace('<html', `$&${colorSchemeAttribute(reply.request)}`).replaceAll('CSP_NONCE', nonce))
  }
  for (const path of ['/:workspaceID(^wks_\\w+$)', '/:workspaceID(^wks_\\w+$)/*']) {
    allowOnly(app, path, ['GET', 'HEAD'])
    app.get(path, { exposeHeadRoute: true }, async (_request, reply) => sendConsole(reply))
  }
  allowOnly(app, `${assetsPath}/:file`, ['GET', 'HEAD'])
  app.get<{ Params: { file: string } }>(
    `${assetsPath}/:file`,
    { exposeHeadRoute: true },
    (request, reply) => {
      const { file } = request.params
      return assets.has(file)
        ? reply.header('cache-control', oneYear).sendFile(join('console', file))
        : reply.callNotFound()
    },
  )
}
