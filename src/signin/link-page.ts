import type { FastifyInstance } from 'fastify'
import { findSignInLink, invalidLink, type LinkTarget } from '../accounts/links/sign-in-links.ts'
import type { Database } from '../database/database.ts'
import { allowOnly } from '../http/allow-only.ts'
import { type HTML, html } from '../http/pages/html.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { acceptInvitation, signInByLink } from '../users/accounts/sign-in.ts'
import { limitAddress } from './attempts.ts'
import { redirectSignedIn } from './continue.ts'
import { currentSession, replaceSession } from './current-session.ts'
import { formRoute } from './forms.ts'
import { type SignInParts, sendForms } from './page.ts'

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
    const workspace = await workspaceNameOf(db, target)
    return sendForms(reply, 'Sign in', form(target, workspace, session?.email))
  })
  app.post<Link>(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const { code } = request.params
    const forget = await limitAddress(rateLimits, config, request, reply)
    const session = await currentSession(db, request)
    const isAccepted = session !== undefined && (await acceptInvitation(db, code, session))
    if (!isAccepted) {
      const token = await signInByLink(db, code, request.headers['user-agent'])
      await replaceSession(db, request, reply, token)
    }
    await forget()
    return redirectSignedIn(reply)
  })
}

async function workspaceNameOf(db: Database, { workspaceID: id }: LinkTarget): Promise<string | undefined> {
  if (id === null) return undefined
  return (await db.workspace.findUnique({ where: { id }, select: { name: true } }))?.name
}

function form(
  { email, provesEmail }: LinkTarget,
  workspace: string | undefined,
  current: string | undefined,
): HTML {
  const isOther = current !== email
  return html`<h1>${workspace === undefined ? 'Sign in' : `Join ${workspace}`}</h1>
${workspace !== undefined && html`<p>You are invited to the workspace <strong>${workspace}</strong>.</p>`}
<p>You sign in as <strong>${email}</strong>.</p>
${
  current !== undefined &&
  isOther &&
  html`<p>This browser is signed in as <strong>${current}</strong>. The new session replaces that session.</p>`
}
${
  // The text is the same for every address, so that it does not reveal whether the address has an account.
  workspace !== undefined &&
  !provesEmail &&
  isOther &&
  html`<p>This invitation creates a new account, and works once. If you already have an account with this address,
<a href="/signin">sign in</a> first, and then open the invitation again.</p>`
}
<form method="post"><button>Sign in</button></form>
`
}
