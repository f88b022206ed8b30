import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { readStarter } from '../../starter/read-starter.ts'
import { allowOnly } from '../allow-only.ts'
import { assetURL } from '../pages/assets.ts'
import { sendPage, wordmark } from '../pages/html-page.ts'
import { icon } from '../pages/icon.ts'
import { sendProblem } from '../problems.ts'
import {
  type DocumentPage,
  decisions,
  deployFiles,
  fileOf,
  formatPages,
  menu,
  pages,
  plainFiles,
  screenshots,
} from './pages.ts'
import { type Examples, type RenderedDocument, renderDocument } from './render-document.ts'

// Secrets of the starter workspace never appear on a page.
const shown = ['baseURL', 'workspaceID', 'groupID', 'privateGroupID', 'appID', 'clientID', 'redirectURI']

async function starterExamples(dataDir: string): Promise<Examples> {
  const starter: Record<string, unknown> = (await readStarter(dataDir)) ?? {}
  const userIDs = Array.isArray(starter.userIDs) ? starter.userIDs : []
  const entries = [
    ...shown.map((name) => [name, starter[name]]),
    ...userIDs.map((id, index) => [`userIDs[${index}]`, id]),
  ]
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}

const script = assetURL('docs-page', 'js')
const documentedURL = 'http://localhost:3000'

const documents = byPath([...pages, ...decisions, ...formatPages])
const texts = byPath([...plainFiles, ...deployFiles])
const pictures = byPath(screenshots)

export async function docsRoutes(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  app.setErrorHandler(sendProblem)
  const send = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    const path = url.replace(/\?.*/s, '')
    const document = documents.get(path)
    if (document) return sendDocument(reply, document, config)
    const text = texts.get(path)
    if (text) return reply.type('text/plain; charset=utf-8').send(await readFile(fileOf(text), 'utf8'))
    const picture = pictures.get(path)
    if (picture) return reply.type('image/webp').send(await readFile(fileOf(picture)))
    return path === '/docs/' ? reply.redirect('/docs', 308) : reply.callNotFound()
  }
  // One route for all files, because each route makes the start slower.
  for (const path of ['/docs', '/docs/*']) {
    allowOnly(app, path, ['GET', 'HEAD'])
    app.get(path, { exposeHeadRoute: true }, send)
  }
}

function byPath(files: readonly DocumentPage[]): Map<string, DocumentPage> {
  return new Map(files.map((file) => [file.path, file]))
}

async function sendDocument(
  reply: FastifyReply,
  page: DocumentPage,
  { baseURL, dataDir }: Config,
): Promise<FastifyReply> {
  const [source, examples] = await Promise.all([readFile(fileOf(page), 'utf8'), starterExamples(dataDir)])
  const { html, headings } = renderDocument(page, source.replaceAll(documentedURL, baseURL), examples)
  return sendPage(reply, {
    title: `${page.title} · Skein`,
    script,
    body: `<div class="docs">
<header class="bar">${wordmark}<span class="of-docs">docs</span><a class="to-menu" href="#menu" aria-label="Contents" title="Contents">${icon('menu').html}</a></header>
<main>
<article>${html}</article>
${headings.length > 1 ? contents(headings) : ''}
</main>
<nav id="menu" aria-label="Documentation">${Object.entries(menu)
      .map(([name, links]) => section(name, links, page))
      .join('')}</nav>
</div>`,
  })
}

function contents(headings: RenderedDocument['headings']): string {
  const links = headings.map(({ anchor, html }) => `<a href="#${anchor}">${html.replace(/<[^>]*>/g, '')}</a>`)
  return `<nav class="headings" aria-label="On this page"><h2>On this page</h2>${links.join('')}</nav>`
}

function section(name: string, links: readonly DocumentPage[], page: DocumentPage): string {
  const current = (path: string) => (path === page.path ? ' aria-current="page"' : '')
  const items = links.map(({ path, title }) => `<li><a href="${path}"${current(path)}>${title}</a></li>`)
  return `<h2>${name}</h2><ul>${items.join('')}</ul>`
}

const path = '/sdk.tgz'
// `npm run build` creates this file. Without a build, the file does not exist.
const builtPackage = join(import.meta.dirname, '../../../dist/skein-sdk.tgz')

export async function sdkPackage(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(sendProblem)
  allowOnly(app, path, ['GET', 'HEAD'])
  app.get(path, { exposeHeadRoute: true }, async (_request, reply) => {
    const file = await readFile(builtPackage).catch(() => undefined)
    if (!file) return reply.callNotFound()
    return reply
      .header('content-disposition', 'attachment; filename="skein-sdk.tgz"')
      .type('application/gzip')
      .send(file)
  })
}
