import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Marked, type Tokens } from 'marked'
import type { Config } from '../../config.ts'
import { readStarter } from '../../starter/read-starter.ts'
import { allowOnly } from '../allow-only.ts'
import { menuLink, sendPage } from '../pages/html-page.ts'
import { sendProblem } from '../problems.ts'
import {
  type DocumentPage,
  decisions,
  deployFiles,
  fileOf,
  formatPages,
  pages,
  plainFiles,
  screenshots,
  urlPathOf,
} from './pages.ts'

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
  const links = [...pages, ...plainFiles].map(({ path, title }) => menuLink(path, title, page.path))
  return sendPage(reply, {
    title: `${page.title} · Skein`,
    menu: [menuLink('/', 'Skein'), ...links].join('\n'),
    main: renderDocument(page, source.replaceAll(documentedURL, baseURL), examples),
  })
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

/** Values for `$(starter name)` in the examples. A name without a value stays as it is. */
type Examples = Readonly<Record<string, string>>

/** Renders a document as HTML, with GitHub's anchors, links to the other pages, and the values in the examples. */
function renderDocument(page: DocumentPage, source: string, examples: Examples): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>\n`
      },
    },
    walkTokens: (token) => {
      if (token.type === 'link') token.href = linkFrom(page, (token as Tokens.Link).href)
      if (token.type === 'code') token.text = withExamples((token as Tokens.Code).text, examples)
    },
  })
  return marked.parse(source, { async: false })
}

function anchorOf(html: string): string {
  const text = html.replace(/<[^>]*>|&[a-z#\d]+;/g, '')
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

function linkFrom({ file }: DocumentPage, href: string): string {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const urlPath = urlPathOf(join(dirname(file), path).replace(/\/$/, ''))
  if (urlPath === undefined) return href
  return fragment === undefined ? urlPath : `${urlPath}#${fragment}`
}

function withExamples(code: string, examples: Examples): string {
  return code.replace(/\$\(starter '?([\w[\]]+)'?\)/g, (whole, name: string) => examples[name] ?? whole)
}
