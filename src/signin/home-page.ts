import type { FastifyInstance } from 'fastify'
import { allowOnly } from '../http/allow-only.ts'
import { html } from '../http/pages/html.ts'
import { peopleOfAccount } from '../workspaces/users/people-of-account.ts'
import { currentSession } from './current-session.ts'
import { type SignInParts, sendForms } from './page.ts'

/** Redirects a person who has a session to their first workspace. Shows a page of links to everyone else. */
export function homePage(app: FastifyInstance, { db, config }: SignInParts): void {
  const links = html`<h1>Skein</h1>
<p>This is a Skein service: threads, group chats and direct messages for people and programs.</p>
<p><a class="button" href="/signin">Sign in</a></p>
<ul>
<li><a href="/docs">Documentation</a>: getting started, the API, and operating the service.</li>
${config.explorer && html`<li><a href="/explorer">Explorer</a>: try GraphQL queries in the browser.</li>`}
</ul>
`
  allowOnly(app, '/', ['GET', 'HEAD'])
  app.get('/', { exposeHeadRoute: true }, async (request, reply) => {
    const session = await currentSession(db, request)
    if (!session) return sendForms(reply, 'Skein', links)
    const [person] = await peopleOfAccount(db, session.accountID)
    return reply.redirect(person ? `/${person.workspaceID}/inbox` : '/account', 303)
  })
}
