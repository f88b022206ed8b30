import type { FastifyInstance, FastifyReply } from 'fastify'
import { setPassword } from '../../accounts/passwords/set-password.ts'
import { type ActiveSession, endSession } from '../../accounts/sessions/session.ts'
import { revokeOwnGrant } from '../../apps/grants/list-grants.ts'
import { AppError, notFound } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { clearSessionCookie } from '../../http/session-cookie.ts'
import { createPersonalToken } from '../../users/tokens/create-personal-token.ts'
import { revokePersonalToken } from '../../users/tokens/personal-tokens.ts'
import { peopleOfAccount } from '../../workspaces/users/people-of-account.ts'
import { limitAttempts } from '../attempts.ts'
import { asSignedIn } from '../current-session.ts'
import { field, fields, formRoute, optionalField } from '../forms.ts'
import { sendForms } from '../page.ts'
import type { SignInParts } from '../parts.ts'
import { type AccountNotes, accountView } from './account-view.ts'
import { paths } from './paths.ts'

export function accountPage(app: FastifyInstance, { db, config, rateLimits }: SignInParts): void {
  const send = async (reply: FastifyReply, session: ActiveSession, notes?: AccountNotes) =>
    sendForms(reply, 'Your account', await accountView(db, session, notes))

  /** Sends the page again with the problem if the input is not valid or not allowed. Throws other errors. */
  const sendProblem = (
    reply: FastifyReply,
    session: ActiveSession,
    error: unknown,
    part: 'password' | 'tokens',
  ) => {
    if (!(error instanceof AppError) || error.code === 'unauthenticated') throw error
    const problem = error.errors[0] ?? { field: '', message: error.message }
    return send(reply.code(error.status), session, { problem: { ...problem, part } })
  }

  const post = (path: string, handle: Parameters<typeof asSignedIn>[1]) => {
    allowOnly(app, path, ['POST'])
    app.post(path, formRoute, asSignedIn(db, handle))
  }

  const personIn = async ({ accountID }: ActiveSession, workspaceID: string) => {
    const people = await peopleOfAccount(db, accountID)
    const person = people.find((known) => known.workspaceID === workspaceID)
    if (!person) throw notFound('workspace')
    return person
  }

  allowOnly(app, paths.account, ['GET', 'HEAD'])
  app.get(
    paths.account,
    { exposeHeadRoute: true },
    asSignedIn(db, (session, _request, reply) => send(reply, session)),
  )

  post(paths.password, async (session, request, reply) => {
    const password = field(request.body, 'password')
    const current = optionalField(request.body, 'current')
    const forget = await limitAttempts(rateLimits, config, request, reply, session.email)
    try {
      await setPassword(db, session, { password, current })
    } catch (error) {
      return sendProblem(reply, session, error, 'password')
    }
    await forget()
    return reply.redirect(paths.account, 303)
  })

  post(paths.createToken, async (session, { body }, reply) => {
    const person = await personIn(session, field(body, 'workspace'))
    const input = {
      name: optionalField(body, 'name') ?? '',
      scopes: fields(body, 'scope'),
      expiresInDays: Number(optionalField(body, 'days')),
    }
    try {
      const { accessToken } = await createPersonalToken(db, { ...person, session }, input)
      return send(reply, session, { accessToken })
    } catch (error) {
      return sendProblem(reply, session, error, 'tokens')
    }
  })

  post(paths.revokeToken, async (session, { body }, reply) => {
    await revokePersonalToken(db, await personIn(session, field(body, 'workspace')), field(body, 'token'))
    return reply.redirect(paths.account, 303)
  })

  post(paths.endGrant, async (session, { body }, reply) => {
    await revokeOwnGrant(db, session.accountID, field(body, 'grant'))
    return reply.redirect(paths.account, 303)
  })

  post(paths.endSession, async (session, { body }, reply) => {
    const given = field(body, 'session')
    const id = given === 'current' ? session.id : given
    await endSession(db, session.accountID, id)
    if (id !== session.id) return reply.redirect(paths.account, 303)
    clearSessionCookie(reply)
    return reply.redirect('/signin', 303)
  })
}
