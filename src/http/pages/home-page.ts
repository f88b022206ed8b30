import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { allowOnly } from '../allow-only.ts'
import { sendProblem } from '../problems.ts'
import { menuLink, sendPage } from './html-page.ts'

const paragraphs = `<h1>Skein</h1>
<p>This is a Skein service: threads, group chats and direct messages for people and programs.</p>
<ul>
<li><a href="/docs">Documentation</a>: getting started, the API, and operating the service.</li>
`

const explorer = `<li><a href="/explorer">Explorer</a>: try GraphQL queries in the browser.</li>
`

export async function homePage(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/', ['GET', 'HEAD'])
  app.get('/', { exposeHeadRoute: true }, async (_request, reply) =>
    sendPage(reply, {
      title: 'Skein',
      menu: menuLink('/', 'Skein', '/'),
      main: `${paragraphs}${config.explorer ? explorer : ''}</ul>\n`,
    }),
  )
}
