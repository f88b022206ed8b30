import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { allowOnly } from '../allow-only.ts'
import { menuLink, sendPage } from '../pages/html-page.ts'
import { sendProblem } from '../problems.ts'
import { decisions, deployFiles, fileOf, pages, plainFiles, screenshots } from './pages.ts'
import { renderDocument } from './render-document.ts'
import { starterExamples } from './starter-examples.ts'

const documentedURL = 'http://localhost:3000'

export async function docsRoutes(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  app.setErrorHandler(sendProblem)
  for (const page of [...pages, ...decisions]) {
    allowOnly(app, page.path, ['GET', 'HEAD'])
    app.get(page.path, { exposeHeadRoute: true }, async (_request, reply) => {
      const [source, examples] = await Promise.all([
        readFile(fileOf(page), 'utf8'),
        starterExamples(config.dataDir),
      ])
      const links = [...pages, ...plainFiles].map(({ path, title }) => menuLink(path, title, page.path))
      return sendPage(reply, {
        title: `${page.title} · Skein`,
        menu: [menuLink('/', 'Skein'), ...links].join('\n'),
        main: renderDocument(page, source.replaceAll(documentedURL, config.baseURL), examples),
      })
    })
  }
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  for (const file of [...plainFiles, ...deployFiles]) {
    allowOnly(app, file.path, ['GET', 'HEAD'])
    app.get(file.path, { exposeHeadRoute: true }, async (_request, reply) => {
      return reply.type('text/plain; charset=utf-8').send(await readFile(fileOf(file), 'utf8'))
    })
  }
  for (const file of screenshots) {
    allowOnly(app, file.path, ['GET', 'HEAD'])
    app.get(file.path, { exposeHeadRoute: true }, async (_request, reply) => {
      return reply.type('image/webp').send(await readFile(fileOf(file)))
    })
  }
}
