import { mayResetPassword } from '../../accounts/passwords/set-password.ts'
import { browserName } from '../../accounts/sessions/browser-name.ts'
import { type ActiveSession, listSessions } from '../../accounts/sessions/session.ts'
import type { Database } from '../../database/database.ts'
import type { FieldError } from '../../errors.ts'
import type { Account, Session } from '../../generated/prisma/client.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { peopleOfAccount } from '../../workspaces/users/people-of-account.ts'

/** What the account page shows besides the account. `back` is the page from which the person came. */
export type AccountNotes = {
  problem?: FieldError
  back?: string | undefined
  passwordNotice?: string | undefined
}

export async function accountView(
  db: Database,
  { id, accountID, email }: ActiveSession,
  { problem, back, passwordNotice }: AccountNotes = {},
): Promise<HTML> {
  const [people, sessions, account, mayReset] = await Promise.all([
    peopleOfAccount(db, accountID),
    listSessions(db, accountID),
    db.account.findUniqueOrThrow({ where: { id: accountID } }),
    mayResetPassword(db, id),
  ])
  return html`<h1>Your account</h1>
${passwordNotice !== undefined && html`<p class="done" role="status">${passwordNotice}</p>`}
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
${passwordForm(account, mayReset, problem, back)}
<h2>Sessions</h2>
<ul class="rows">${sessions.map((session) => sessionRow(session, session.id === id))}</ul>
`
}

function sessionRow({ id, userAgent, createdAt, lastUsedAt }: Session, isCurrent: boolean): HTML {
  const browser = browserName(userAgent)
  return html`<li><div><strong>${browser}</strong>${isCurrent && ' (this browser)'}<br>
Signed in ${timeOf(createdAt)}, last used ${timeOf(lastUsedAt)}</div>
<form method="post" action="${paths.endSession}"><input type="hidden" name="session" value="${id}">
<button class="plain" aria-label="End the session: ${browser}">End</button></form></li>
`
}

function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
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
${problem && html`<p class="error" role="alert">${labels[problem.field] ?? problem.field} ${problem.message}.</p>`}
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
<button>${hasPassword ? 'Change the password' : 'Set the password'}</button>
</form>
<p>A new password ends your other sessions.</p>
${back !== undefined && html`<p><a href="${back}">Go back without a new password</a></p>`}`
}

export const paths = {
  account: '/account',
  password: '/account/password',
  endSession: '/account/sessions/end',
}
