import type { FastifyInstance } from 'fastify'
import { mailerOf } from '../accounts/mail.ts'
import { identityProviderOf } from '../accounts/oidc/identity-provider.ts'
import { hasAccounts } from '../accounts/verified-account.ts'
import { AppError } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { type HTML, html } from '../http/pages/html.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { signInWithPassword } from '../users/accounts/sign-in.ts'
import { limitAttempts } from './attempts.ts'
import { continueLater, redirectSignedIn } from './continue.ts'
import { currentSession, replaceSession } from './current-session.ts'
import { emailField, field, formRoute, optionalField } from './forms.ts'
import { oidcPath } from './oidc-page.ts'
import { type SignInParts, sendForms } from './page.ts'

const path = '/signin'

export function signInPage(app: FastifyInstance, { db, config, rateLimits }: SignInParts): void {
  const offered = { hasMail: mailerOf(config) !== undefined, provider: identityProviderOf(config)?.label }
  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const wanted = optionalField(request.query, 'continue')
    if (await currentSession(db, request)) return redirectSignedIn(reply, wanted)
    if (wanted !== undefined) continueLater(reply, wanted)
    return sendForms(reply, 'Sign in', form({ ...offered, isFirst: !(await hasAccounts(db)) }))
  })
  app.post(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const email = emailField(request.body)
    const password = field(request.body, 'password')
    const forget = await limitAttempts(rateLimits, config, request, reply, email)
    const token = await signInWithPassword(db, { email, password }, request.headers['user-agent'])
    if (token === undefined) {
      const wrong = new AppError('forbidden', 'The email address or the password is wrong.')
      return sendForms(reply.code(wrong.status), 'Sign in', form(offered, email, wrong.message))
    }
    await forget()
    await replaceSession(db, request, reply, token)
    return redirectSignedIn(reply)
  })
}

/** `isFirst`: whether nobody has signed in to this service yet. */
type Offered = { hasMail: boolean; provider: string | undefined; isFirst?: boolean }

function form({ hasMail, provider, isFirst }: Offered, email = '', problem?: string): HTML {
  return html`<h1>Sign in</h1>
${
  isFirst &&
  html`<p class="note">Nobody has signed in yet. If you operate this service, run <code>npm run admin -- welcome</code>
in its folder. The command prints a link that signs you in.</p>`
}
${provider !== undefined && html`<p><a class="button" href="${oidcPath}">Sign in with ${provider}</a></p>`}
${problem && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" action="${path}">
<label>Email address <input name="email" type="email" autocomplete="username" required value="${email}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
${
  hasMail
    ? html`<h2>Sign in without a password</h2>
<p>If you have no password or have forgotten it, request a link by email.</p>
<form method="post" action="/signin/mail">
<label>Email address <input name="email" type="email" autocomplete="username" required value="${email}"></label>
<button class="plain">Mail me a link</button>
</form>`
    : html`<p>If you have no password or have forgotten it, ask whoever runs this service (the operator) for a sign-in link. If
you are invited, open the link of the invitation.</p>`
}
`
}
