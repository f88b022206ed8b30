import type { FastifyInstance } from 'fastify'
import { setPassword } from '../accounts/passwords/set-password.ts'
import { type ActiveSession, endSession, listSessions } from '../accounts/sessions/session.ts'
import { listGrants, type PersonalGrant, revokeOwnGrant } from '../apps/grants/list-grants.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import type { Session } from '../generated/prisma/client.ts'
import { allowOnly } from '../http/allow-only.ts'
import { type HTML, html } from '../http/pages/html.ts'
import { clearSessionCookie } from '../http/session-cookie.ts'
import { peopleOfAccount } from '../workspaces/users/people-of-account.ts'
import { limitAttempts } from './attempts.ts'
import { browserName } from './browser-name.ts'
import { asSignedIn } from './current-session.ts'
import { field, formRoute, optionalField } from './forms.ts'
import { sendForms } from './page.ts'
import type { SignInParts } from './parts.ts'

const paths = {
  account: '/account',
  password: '/account/password',
  endSession: '/account/sessions/end',
  endGrant: '/account/grants/end',
}

/** Serves the page on which people see their workspaces, set their password and end their sessions. */
export function accountPage(app: FastifyInstance, { db, config, rateLimits }: SignInParts): void {
  allowOnly(app, paths.account, ['GET', 'HEAD'])
  app.get(
    paths.account,
    { exposeHeadRoute: true },
    asSignedIn(db, async (session, _request, reply) =>
      sendForms(reply, 'Your account', await pageFor(db, session)),
    ),
  )

  allowOnly(app, paths.password, ['POST'])
  app.post(
    paths.password,
    formRoute,
    asSignedIn(db, async (session, request, reply) => {
      const password = field(request.body, 'password')
      const current = optionalField(request.body, 'current')
      const forget = await limitAttempts(rateLimits, config, request, reply, session.email)
      try {
        await setPassword(db, session, { password, current })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const page = await pageFor(db, session, error.errors[0])
        return sendForms(reply.code(error.status), 'Your account', page)
      }
      await forget()
      return reply.redirect(paths.account, 303)
    }),
  )

  allowOnly(app, paths.endGrant, ['POST'])
  app.post(
    paths.endGrant,
    formRoute,
    asSignedIn(db, async (session, request, reply) => {
      await revokeOwnGrant(db, session.accountID, field(request.body, 'grant'))
      return reply.redirect(paths.account, 303)
    }),
  )

  allowOnly(app, paths.endSession, ['POST'])
  app.post(
    paths.endSession,
    formRoute,
    asSignedIn(db, async (session, request, reply) => {
      const given = field(request.body, 'session')
      const id = given === 'current' ? session.id : given
      await endSession(db, session.accountID, id)
      if (id !== session.id) return reply.redirect(paths.account, 303)
      clearSessionCookie(reply)
      return reply.redirect('/signin', 303)
    }),
  )
}

type Problem = { field: string; message: string }

const labels: Record<string, string> = {
  current: 'The password that you entered',
  password: 'The new password',
}

async function pageFor(
  db: Database,
  { id, accountID, email }: ActiveSession,
  problem?: Problem,
): Promise<HTML> {
  const [people, sessions, grants, account] = await Promise.all([
    peopleOfAccount(db, accountID),
    listSessions(db, accountID),
    listGrants(db, accountID),
    db.account.findUniqueOrThrow({ where: { id: accountID } }),
  ])
  return html`<h1>Your account</h1>
<p>You are signed in as <strong>${email}</strong>.</p>
<form method="post" action="${paths.endSession}"><input type="hidden" name="session" value="current">
<button class="plain">Sign out</button></form>
<h2>Workspaces</h2>
<ul>${people.map(({ workspace, name }) => html`<li>${workspace}, as ${name}</li>`)}</ul>
<h2>Password</h2>
${problem && html`<p class="error" role="alert">${labels[problem.field] ?? problem.field} ${problem.message}.</p>`}
<form method="post" action="${paths.password}">
<label>Email address <input type="email" autocomplete="username" readonly value="${email}"></label>
${
  account.passwordHash !== null &&
  html`<label>Current password <input name="current" type="password" autocomplete="current-password" required></label>`
}
<label>New password, at least 12 characters
<input name="password" type="password" autocomplete="new-password" required minlength="12"></label>
<button>${account.passwordHash === null ? 'Set the password' : 'Change the password'}</button>
</form>
<p>A new password ends your other sessions.</p>
<h2>Apps that act as you</h2>
${grants.length === 0 ? html`<p>None.</p>` : html`<ul class="rows">${grants.map(grantRow)}</ul>`}
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

function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
