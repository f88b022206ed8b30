import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { allowOnly } from '../allow-only.ts'
import { menuLink, sendPage } from '../pages/html-page.ts'
import { sendProblem } from '../problems.ts'
import { type DocumentPage, decisions, deployFiles, fileOf, pages, plainFiles, screenshots } from './pages.ts'
import { renderDocument } from './render-document.ts'
import { starterExamples } from './starter-examples.ts'

const documentedURL = 'http://localhost:3000'

const documents = byPath([...pages, ...decisions])
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
