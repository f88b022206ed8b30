import type { FastifyInstance } from 'fastify'
import { findSignInLink, invalidLink } from '../accounts/links/sign-in-links.ts'
import { allowOnly } from '../http/allow-only.ts'
import { html } from '../http/pages/html.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { setSessionCookie } from '../http/session-cookie.ts'
import { acceptInvitation, signInByLink } from '../users/accounts/sign-in.ts'
import { redirectSignedIn } from './continue.ts'
import { currentSession } from './current-session.ts'
import { formRoute } from './forms.ts'
import { sendForms } from './page.ts'
import type { SignInParts } from './parts.ts'

const path = '/signin/link/:code'

/** Serves sign-in links and invitations. Only the form uses up a link, because mail scanners open links. */
export function linkPage(app: FastifyInstance, { db }: SignInParts): void {
  type Link = { Params: { code: string } }
  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get<Link>(path, { exposeHeadRoute: true }, async ({ params }, reply) => {
    const target = await findSignInLink(db, params.code)
    if (!target) throw invalidLink()
    return sendForms(
      reply,
      'Sign in',
      html`<h1>Sign in</h1>
<p>You sign in as <strong>${target.email}</strong>.</p>
<form method="post"><button>Sign in</button></form>
`,
    )
  })
  app.post<Link>(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const { code } = request.params
    const session = await currentSession(db, request)
    if (session && (await acceptInvitation(db, code, session))) return redirectSignedIn(reply)
    setSessionCookie(reply, await signInByLink(db, code, request.headers['user-agent']))
    return redirectSignedIn(reply)
  })
}
