import type { FastifyInstance } from 'fastify'
import { findSignInLink, invalidLink } from '../accounts/links/sign-in-links.ts'
import { allowOnly } from '../http/allow-only.ts'
import { html } from '../http/pages/html.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { setSessionCookie } from '../http/session-cookie.ts'
import { acceptInvitation, signInByLink } from '../users/accounts/sign-in.ts'
import { limitAddress } from './attempts.ts'
import { redirectSignedIn } from './continue.ts'
import { currentSession } from './current-session.ts'
import { formRoute } from './forms.ts'
import { sendForms } from './page.ts'
import type { SignInParts } from './parts.ts'

const path = '/signin/link/:code'

/** Serves sign-in links and invitations. Only the form redeems a link, because mail scanners also open links. */
export function linkPage(app: FastifyInstance, { db, config, rateLimits }: SignInParts): void {
  type Link = { Params: { code: string } }
  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get<Link>(path, { exposeHeadRoute: true }, async (request, reply) => {
    const forget = await limitAddress(rateLimits, config, request, reply)
    const target = await findSignInLink(db, request.params.code)
    if (!target) throw invalidLink()
    await forget()
    const session = await currentSession(db, request)
    return sendForms(
      reply,
      'Sign in',
      html`<h1>Sign in</h1>
<p>You sign in as <strong>${target.email}</strong>.</p>
${
  session &&
  session.email !== target.email &&
  html`<p>This browser is signed in as <strong>${session.email}</strong>. The new session replaces that session.</p>`
}
<form method="post"><button>Sign in</button></form>
`,
    )
  })
  app.post<Link>(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const { code } = request.params
    const forget = await limitAddress(rateLimits, config, request, reply)
    const session = await currentSession(db, request)
    const isAccepted = session !== undefined && (await acceptInvitation(db, code, session))
    if (!isAccepted) setSessionCookie(reply, await signInByLink(db, code, request.headers['user-agent']))
    await forget()
    return redirectSignedIn(reply)
  })
}
