import { mayResetPassword } from '../../accounts/passwords/set-password.ts'
import { browserName } from '../../accounts/sessions/browser-name.ts'
import { type ActiveSession, isFreshSignIn, listSessions } from '../../accounts/sessions/session.ts'
import { offeredProvider } from '../../accounts/sign-in-methods.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { FieldError } from '../../errors.ts'
import type { Account, Session } from '../../generated/prisma/client.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { refusal, success } from '../../http/pages/notice.ts'
import { peopleOfAccount } from '../../workspaces/users/people-of-account.ts'

/** What the account page shows besides the account. `back` is the page from which the person came. */
export type AccountNotes = {
  problem?: FieldError
  back?: string | undefined
  passwordNotice?: string | undefined
  timeZone?: string | undefined
}

export async function accountView(
  { db, config }: { db: Database; config: Config },
  { id, accountID, email }: ActiveSession,
  { problem, back, passwordNotice, timeZone }: AccountNotes = {},
): Promise<HTML> {
  const [people, sessions, account, mayReset, isFresh] = await Promise.all([
    peopleOfAccount(db, accountID),
    listSessions(db, accountID),
    db.account.findUniqueOrThrow({ where: { id: accountID } }),
    mayResetPassword(db, id),
    isFreshSignIn(db, { id }),
  ])
  const passwordPart = () => {
    if (!config.signInMethods.includes('password')) return withoutPasswords(config)
    if (account.passwordHash === null && !isFresh) return staleSignIn(back)
    return passwordForm(account, mayReset, problem, back)
  }
  const timeOf = timeFormat(timeZone)
  return html`<h1>Your account</h1>
${passwordNotice !== undefined && success(passwordNotice)}
<p>You are signed in as <strong>${email}</strong>.</p>
<form method="post" action="${paths.endSession}"><input type="hidden" name="session" value="current">
<button class="plain">Sign out</button></form>
<h2>Workspaces</h2>
<ul>${people.map(
    ({ workspaceID, workspace, name }) =>
      html`<li><a href="/${workspaceID}/inbox">${workspace}</a>, as ${name}</li>`,
  )}</ul>
<p>Settings → Profile in a workspace lists the apps and tokens that act as you.</p>
<h2 id="password">Password</h2>
${passwordPart()}
<h2>Sessions</h2>
<ul class="rows">${sessions.map((session) => sessionRow(session, { isCurrent: session.id === id, timeOf }))}</ul>
`
}

type SessionRow = { isCurrent: boolean; timeOf: (date: Date) => HTML }

function sessionRow(
  { id, userAgent, createdAt, lastUsedAt }: Session,
  { isCurrent, timeOf }: SessionRow,
): HTML {
  const browser = browserName(userAgent)
  return html`<li><div><strong>${browser}</strong>${isCurrent && ' (this browser)'}<br>
Signed in ${timeOf(createdAt)}, last used ${timeOf(lastUsedAt)}</div>
<form method="post" action="${paths.endSession}"><input type="hidden" name="session" value="${id}">
<button class="plain" aria-label="End the session: ${browser}">End</button></form></li>
`
}

/** Returns a function that shows times in the zone of the browser, or in UTC if the zone is not known. */
function timeFormat(timeZone: string | undefined): (date: Date) => HTML {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const
  const inZone = (zone: string) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  const show = (format: Intl.DateTimeFormat, note: string) => (date: Date) =>
    html`<time datetime="${date.toISOString()}">${format.format(date)}${note}</time>`
  try {
    if (timeZone !== undefined) return show(inZone(timeZone), '')
  } catch {
    // The cookie does not name a zone.
  }
  return show(inZone('UTC'), ' UTC')
}

const labels: Record<string, string> = {
  current: 'The password that you entered',
  password: 'The new password',
}

function passwordForm(
  { email, passwordHash }: Pick<Account, 'email' | 'passwordHash'>,
  mayReset: boolean,
  problem: FieldError | undefined,
  back: string | undefined,
): HTML {
  const hasPassword = passwordHash !== null
  return html`
<form method="post" action="${paths.password}">
${back !== undefined && html`<input type="hidden" name="continue" value="${back}">`}
<label>Email address <input type="email" autocomplete="username" readonly value="${email}"></label>
${
  hasPassword &&
  !mayReset &&
  html`<label>Current password <input name="current" type="password" autocomplete="current-password" required></label>`
}
<label>New password, at least 12 characters
<input name="password" type="password" autocomplete="new-password" required minlength="12"></label>
${problem && refusal(`${labels[problem.field] ?? problem.field} ${problem.message}.`)}
<button>${hasPassword ? 'Change the password' : 'Set the password'}</button>
</form>
<p>A new password ends your other sessions.</p>
${back !== undefined && html`<p><a href="${back}">Go back without a new password</a></p>`}`
}

/** Where to sign in again, and then return to the account page. */
export function signInAgain(back: string | undefined): string {
  const page = back === undefined ? paths.account : `${paths.account}?continue=${encodeURIComponent(back)}`
  return `/signin?prompt=login&continue=${encodeURIComponent(page)}`
}

function staleSignIn(back: string | undefined): HTML {
  return html`<p>You signed in some time ago. To set a password, sign in again. Then you return to this page.</p>
<p><a class="button" href="${signInAgain(back)}">Sign in again</a></p>`
}

function withoutPasswords(config: Config): HTML {
  const provider = offeredProvider(config)
  return html`<p>Nobody can sign in with a password here. You sign in with ${provider ?? 'a link'}.</p>`
}

export const paths = {
  account: '/account',
  password: '/account/password',
  endSession: '/account/sessions/end',
}
