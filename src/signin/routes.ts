import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSignInLink } from '../accounts/links/sign-in-links.ts'
import { endSession, findSession, listSessions } from '../accounts/sessions/session.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { html } from '../http/pages/html.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { clearSessionCookie, readCookies, sessionToken, setSessionCookie } from '../http/session-cookie.ts'
import { peopleOf } from '../users/accounts/link-people.ts'
import { signInByLink } from '../users/accounts/sign-in.ts'
import { field, maxFormBytes, readForms } from './forms.ts'
import { sendFailure, sendForms } from './page.ts'

type Shared = Pick<Context, 'db' | 'config'>

/** Serves the pages on which people sign in and see their account. They work without scripts. */
export async function signInRoutes(app: FastifyInstance, { db }: Shared): Promise<void> {
  await readForms(app)
  await readCookies(app)
  app.setErrorHandler(sendFailure)
  const options = { bodyLimit: maxFormBytes }
  const sessionOf = async (request: FastifyRequest) => {
    const token = sessionToken(request)
    return token === undefined ? undefined : findSession(db, token)
  }

  allowOnly(app, '/signin', ['GET', 'HEAD'])
  app.get('/signin', { exposeHeadRoute: true }, async (request, reply) => {
    if (await sessionOf(request)) return reply.redirect('/account', 303)
    return sendForms(
      reply,
      'Sign in',
      html`<h1>Sign in</h1>
<p>Open the link that an admin of your workspace or the operator of this service gave to you.</p>
`,
    )
  })

  allowOnly(app, '/signin/link/:code', ['GET', 'HEAD', 'POST'])
  // Only the form uses up the link, because mail scanners and link previews open links.
  app.get<LinkParams>('/signin/link/:code', { exposeHeadRoute: true }, async ({ params }, reply) => {
    const target = await findSignInLink(db, params.code)
    if (!target) throw new AppError('forbidden', 'This link is invalid, has been used or has expired.')
    const { email } = target
    return sendForms(
      reply,
      'Sign in',
      html`<h1>Sign in</h1>
<form method="post"><p>You sign in as <strong>${email}</strong>.</p><button>Sign in</button></form>
`,
    )
  })
  app.post<LinkParams>('/signin/link/:code', options, async (request, reply) => {
    requireSameOrigin(request)
    setSessionCookie(reply, await signInByLink(db, request.params.code, request.headers['user-agent']))
    return reply.redirect('/account', 303)
  })

  allowOnly(app, '/account', ['GET', 'HEAD'])
  app.get('/account', { exposeHeadRoute: true }, async (request, reply) => {
    const session = await sessionOf(request)
    if (!session) return reply.redirect('/signin', 303)
    const { accountID, email } = session
    const [people, sessions] = await Promise.all([peopleOf(db, accountID), listSessions(db, accountID)])
    return sendForms(
      reply,
      'Your account',
      html`<h1>Your account</h1>
<p>You are signed in as <strong>${email}</strong>.</p>
<h2>Workspaces</h2>
<ul>${people.map(({ workspaceID, name }) => html`<li>${workspaceID}: ${name}</li>`)}</ul>
<h2>Sessions</h2>
<table><tr><th>Browser</th><th>Since</th><th>Last used</th><th></th></tr>
${sessions.map(
  ({ id, userAgent, createdAt, lastUsedAt }) => html`<tr>
<td>${userAgent ?? 'unknown'}${id === session.id && ' (this browser)'}</td><td>${createdAt.toISOString()}</td>
<td>${lastUsedAt.toISOString()}</td>
<td><form method="post" action="/signin/sessions/end"><input type="hidden" name="session" value="${id}">
<button class="plain">${id === session.id ? 'Sign out' : 'End'}</button></form></td></tr>
`,
)}</table>
`,
    )
  })

  allowOnly(app, '/signin/sessions/end', ['POST'])
  app.post('/signin/sessions/end', options, async (request, reply) => {
    requireSameOrigin(request)
    const session = await sessionOf(request)
    if (!session) return reply.redirect('/signin', 303)
    const id = field(request.body, 'session')
    await endSession(db, session.accountID, id)
    return id === session.id ? signedOut(reply) : reply.redirect('/account', 303)
  })
}

type LinkParams = { Params: { code: string } }

function signedOut(reply: FastifyReply): FastifyReply {
  clearSessionCookie(reply)
  return reply.redirect('/signin', 303)
}
