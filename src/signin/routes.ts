import type { FastifyInstance } from 'fastify'
import { allowOnly } from '../http/allow-only.ts'
import { html } from '../http/pages/html.ts'
import { readCookies } from '../http/session-cookie.ts'
import { peopleOfAccount } from '../workspaces/users/people-of-account.ts'
import { accountPage } from './account/account-page.ts'
import { authorizePage } from './authorize/authorize-page.ts'
import { currentSession } from './current-session.ts'
import { readForms } from './forms.ts'
import { linkPage } from './link-page.ts'
import { mailPage } from './mail-page.ts'
import { oidcPage } from './oidc-page.ts'
import { type SignInParts, sendFailure, sendForms } from './page.ts'
import { signInPage } from './sign-in-page.ts'

/** Serves the pages on which people sign in and manage their account. They work without scripts. */
export async function signInRoutes(app: FastifyInstance, parts: SignInParts): Promise<void> {
  await readForms(app)
  await readCookies(app)
  app.setErrorHandler(sendFailure)
  homePage(app, parts)
  signInPage(app, parts)
  linkPage(app, parts)
  mailPage(app, parts)
  oidcPage(app, parts)
  accountPage(app, parts)
  authorizePage(app, parts)
}

/** Redirects a person who has a session to their first workspace. Shows a page of links to everyone else. */
function homePage(app: FastifyInstance, { db, config }: SignInParts): void {
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
