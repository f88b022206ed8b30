import { mayResetPassword } from '../../accounts/passwords/set-password.ts'
import { browserName } from '../../accounts/sessions/browser-name.ts'
import { type ActiveSession, listSessions } from '../../accounts/sessions/session.ts'
import { listGrants, type PersonalGrant } from '../../apps/grants/list-grants.ts'
import type { Database } from '../../database/database.ts'
import type { FieldError } from '../../errors.ts'
import type { Session } from '../../generated/prisma/client.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { peopleOfAccount } from '../../workspaces/users/people-of-account.ts'
import { latestOf, tokensOf } from './account-tokens.ts'
import { passwordForm } from './password-form.ts'
import { paths } from './paths.ts'
import { timeOf } from './time-of.ts'
import { newTokenForm, type TokenInput, tokenRow } from './token-forms.ts'

/**
 * What the account page shows after a form was sent: a problem in a part of the page, the input for a new token, or a
 * new token, which is shown once. `back` is the page from which the person came.
 */
export type AccountNotes = {
  problem?: FieldError & { part: 'password' | 'tokens' }
  tokenInput?: TokenInput
  accessToken?: string
  back?: string | undefined
  passwordNotice?: string | undefined
}

export async function accountView(
  db: Database,
  { id, accountID, email }: ActiveSession,
  { problem, tokenInput, accessToken, back, passwordNotice }: AccountNotes = {},
): Promise<HTML> {
  const [people, sessions, grants, account, mayReset] = await Promise.all([
    peopleOfAccount(db, accountID),
    listSessions(db, accountID),
    listGrants(db, accountID),
    db.account.findUniqueOrThrow({ where: { id: accountID } }),
    mayResetPassword(db, id),
  ])
  const tokens = await tokensOf(db, people)
  const rows = tokens.map(({ person, token }) => tokenRow(person, token))
  const problemIn = (part: string) => (problem?.part === part ? problem : undefined)
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
<h2 id="password">Password</h2>
${passwordForm(account, mayReset, problemIn('password'), back)}
<h2>Apps that act as you</h2>
${grants.length === 0 ? html`<p>None.</p>` : html`<ul class="rows">${grants.map(grantRow)}</ul>`}
<h2>Personal access tokens</h2>
<p>With a token, your own programs use the API as you.</p>
${accessToken !== undefined && html`<p role="status">Copy the new token now. It is not shown again.<br><code>${accessToken}</code></p>`}
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
${people.length > 0 && newTokenForm(people, latestOf(tokens), problemIn('tokens'), tokenInput)}
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

function grantRow({ id, app, workspace, scopes, createdAt }: PersonalGrant): HTML {
  return html`<li><div><strong>${app}</strong> in ${workspace}, allowed ${timeOf(createdAt)}<br>
${scopes.join(', ')}</div>
<form method="post" action="${paths.endGrant}"><input type="hidden" name="grant" value="${id}">
<button class="plain" aria-label="Revoke the access of ${app} to ${workspace}">Revoke</button></form></li>
`
}
