import type { FastifyInstance } from 'fastify'
import type { Prompt } from '../accounts/oidc/identity-provider.ts'
import { mailsLinks, offeredProvider } from '../accounts/sign-in-methods.ts'
import { findAccountID, hasAccounts } from '../accounts/verified-account.ts'
import { AppError } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { type HTML, html } from '../http/pages/html.ts'
import { icon } from '../http/pages/icon.ts'
import { notice, refusal } from '../http/pages/notice.ts'
import { addToLog } from '../http/request-log.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { signInWithPassword } from '../users/accounts/sign-in.ts'
import { limitAttempts, refundIfUnavailable } from './attempts.ts'
import { continueLater, redirectSignedIn } from './continue.ts'
import { countSignIn } from './count-sign-ins.ts'
import { callerOf, currentSession, replaceSession } from './current-session.ts'
import { emailField, field, formRoute, optionalField } from './forms.ts'
import { knownBrowser } from './known-browser.ts'
import { mailPath } from './mail-page.ts'
import { oidcPath, promptOf } from './oidc-page.ts'
import { type SignInParts, sendForms } from './page.ts'

const path = '/signin'

export function signInPage(app: FastifyInstance, parts: SignInParts): void {
  const { db, config } = parts
  const offered = {
    hasPasswords: config.signInMethods.includes('password'),
    hasLinks: config.signInMethods.includes('link'),
    hasMail: mailsLinks(config),
    provider: offeredProvider(config),
  }
  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const wanted = optionalField(request.query, 'continue')
    const prompt = promptOf(request)
    const session = await currentSession(db, request)
    if (session && prompt === '') return redirectSignedIn(reply, wanted)
    if (wanted !== undefined) continueLater(reply, wanted)
    const isFirst = !session && !(await hasAccounts(db))
    return sendForms(reply, 'Sign in', form({ ...offered, isFirst, prompt, signedInAs: session?.email }))
  })
  app.post(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const email = emailField(request.body)
    const password = field(request.body, 'password')
    addToLog(request, { accountID: await findAccountID(db, email) })
    const token = await countSignIn('password', async () => {
      const forget = await limitAttempts(parts, request, reply, email)
      const isKnownBrowser = knownBrowser(parts, request, email) !== undefined
      const token = await signInWithPassword(callerOf(parts, request), {
        email,
        password,
        isKnownBrowser,
      }).catch(refundIfUnavailable(forget))
      if (token !== undefined) await forget()
      return token
    })
    if (token === undefined) {
      const wrong = new AppError('forbidden', 'The email address or the password is wrong.')
      addToLog(request, { code: wrong.code })
      return sendForms(
        reply.code(wrong.status),
        'Sign in',
        form({ ...offered, prompt: promptOf(request) }, email, wrong.message),
      )
    }
    await replaceSession(parts, request, reply, token)
    return redirectSignedIn(reply)
  })
}

/** `isFirst`: whether nobody has signed in to this service yet. */
type Offered = {
  hasPasswords: boolean
  hasLinks: boolean
  hasMail: boolean
  provider: string | undefined
  isFirst?: boolean
  prompt: Prompt
  signedInAs?: string | undefined
}

function form(offered: Offered, entered?: string, problem?: string): HTML {
  const { hasPasswords, hasMail, provider, isFirst, prompt, signedInAs } = offered
  const query = prompt === '' ? '' : `?prompt=${prompt}`
  const email = entered ?? (prompt === 'login' ? signedInAs : undefined) ?? ''
  const next =
    prompt === 'login' ? 'Sign in again to continue.' : 'Sign in with the address of the invitation.'
  return html`<h1>Sign in</h1>
${isFirst && firstNote(offered)}
${signedInAs !== undefined && notice('info', html`You are signed in as <strong>${signedInAs}</strong>. ${next}`)}
${
  provider !== undefined &&
  html`<p><a class="button${hasPasswords && ' plain'}" href="${oidcPath}${query}">Sign in with ${provider}</a></p>`
}
${provider !== undefined && (hasPasswords || hasMail) && or}
${
  (hasPasswords || hasMail) &&
  html`<form method="post" action="${hasPasswords ? `${path}${query}` : mailPath}">
<label>Email address <input name="email" type="email" autocomplete="username" required value="${email}"></label>
${hasPasswords && passwordPart(problem)}
${hasPasswords && hasMail && or}
${hasMail && mailPart}
</form>`
}
${!hasMail && withoutMail(offered)}
`
}

const mailPart = html`<button class="plain" formaction="${mailPath}" formnovalidate aria-describedby="mail-hint">${icon('link')}Mail me a sign-in link</button>
<small id="mail-hint">If you have no password or have forgotten it.</small>`
const or = html`<div class="or">or</div>`

function passwordPart(problem: string | undefined): HTML {
  return html`<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
${problem !== undefined && refusal(problem)}
<button>Sign in</button>`
}

function firstNote({ hasLinks, provider }: Offered): HTML {
  const invited =
    provider === undefined ? 'Then open the link of the invitation' : 'Then sign in with this address'
  const [command, result] = hasLinks
    ? ['welcome', 'prints a link that signs you in']
    : ['users invite EMAIL', `invites you. ${invited}`]
  return notice(
    'info',
    html`Nobody has signed in yet. If you operate this service, run
<code>npm run admin -- ${command}</code> in its folder. The command ${result}.`,
  )
}

function withoutMail({ hasPasswords, hasLinks, provider }: Offered): HTML {
  if (!hasLinks && !hasPasswords)
    return html`<p>If you cannot sign in, ask the people who manage ${provider} for help.</p>`
  const operator = 'the person who runs this service (the operator)'
  if (hasLinks)
    return html`<p>If you have no password or have forgotten it, ask ${operator} for a sign-in link. If you are invited, open the
link of the invitation.</p>`
  return html`<p>If you are invited, open the link of the invitation, and choose a password there. ${
    provider === undefined
      ? `If you have forgotten your password, ask ${operator}, who can allow sign-in links for a while.`
      : `If you have no password or have forgotten it, sign in with ${provider}.`
  }</p>`
}
