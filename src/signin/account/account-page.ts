import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setPassword } from '../../accounts/passwords/set-password.ts'
import { type ActiveSession, endSession } from '../../accounts/sessions/session.ts'
import { AppError } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { clearSessionCookie } from '../../http/session-cookie.ts'
import { limitAttempts, refundIfUnavailable } from '../attempts.ts'
import { allowedPath, isTooOld } from '../continue.ts'
import { asSignedIn, callerOf } from '../current-session.ts'
import { field, formRoute, optionalField } from '../forms.ts'
import { type SignInParts, sendForms } from '../page.ts'
import { type AccountNotes, accountView, paths, signInAgain } from './account-view.ts'

/** The web app also reads and clears this cookie, so that the page after the change can say that it succeeded. */
const name = 'skein-notice'
const texts = new Map([
  ['password-saved', 'Your password was saved.'],
  ['password-saved-sessions-ended', 'Your password was saved. Your other sessions were ended.'],
])
const maxAgeSeconds = 60

function noticePasswordSaved(reply: FastifyReply, { hasEndedSessions }: { hasEndedSessions: boolean }): void {
  const value = hasEndedSessions ? 'password-saved-sessions-ended' : 'password-saved'
  const secure = reply.server.baseURL.startsWith('https:')
  reply.setCookie(name, value, { path: '/', sameSite: 'lax', secure, maxAge: maxAgeSeconds })
}

/** Returns what the page must say about a new password. Only the first page after the change says it. */
function takePasswordNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const text = texts.get(request.cookies[name] ?? '')
  if (text !== undefined) reply.clearCookie(name, { path: '/' })
  return text
}

export function accountPage(app: FastifyInstance, parts: SignInParts): void {
  const { db } = parts
  const send = async (reply: FastifyReply, session: ActiveSession, notes?: AccountNotes) => {
    // The web app sets this cookie, because only a script knows the zone of the browser.
    const timeZone = reply.request.cookies['time-zone']
    const view = await accountView(parts, session, { ...notes, timeZone })
    return sendForms(reply, 'Your account', view, { isWide: true })
  }

  /** Sends the page again with the problem if the password is not valid or not allowed. Throws other errors. */
  const sendProblem = (reply: FastifyReply, session: ActiveSession, error: unknown) => {
    if (isTooOld(error)) return reply.redirect(signInAgain(backFrom(reply.request.body)), 303)
    if (!(error instanceof AppError) || ['unauthenticated', 'conflict'].includes(error.code)) throw error
    const problem = error.errors[0] ?? { field: '', message: error.message }
    const back = backFrom(reply.request.body)
    return send(reply.code(error.status), session, { back, problem })
  }

  const post = (path: string, handle: Parameters<typeof asSignedIn>[1]) => {
    allowOnly(app, path, ['POST'])
    app.post(path, formRoute, asSignedIn(db, handle))
  }

  allowOnly(app, paths.account, ['GET', 'HEAD'])
  app.get(
    paths.account,
    { exposeHeadRoute: true },
    asSignedIn(db, (session, request, reply) => {
      const passwordNotice = takePasswordNotice(request, reply)
      return send(reply, session, { back: backFrom(request.query), passwordNotice })
    }),
  )

  post(paths.password, async (session, request, reply) => {
    const password = field(request.body, 'password')
    const current = optionalField(request.body, 'current')
    const forget = await limitAttempts(parts, request, reply, session.email)
    let endedSessions: string[]
    try {
      endedSessions = await setPassword(callerOf(parts, request), session, { password, current }).catch(
        refundIfUnavailable(forget),
      )
    } catch (error) {
      return sendProblem(reply, session, error)
    }
    await forget()
    noticePasswordSaved(reply, { hasEndedSessions: endedSessions.length > 0 })
    return reply.redirect(backFrom(request.body) ?? paths.account, 303)
  })

  post(paths.endSession, async (session, request, reply) => {
    const given = field(request.body, 'session')
    const id = given === 'current' ? session.id : given
    await endSession(callerOf(parts, request), session, id)
    if (id !== session.id) return reply.redirect(paths.account, 303)
    clearSessionCookie(reply)
    // Another person may use this browser next. The browser stores drafts and, for the explorer, a token.
    reply.header('clear-site-data', '"storage"')
    return reply.redirect('/signin', 303)
  })
}

/** Returns the page to which the person returns after they have set the password. */
function backFrom(given: unknown): string | undefined {
  return allowedPath(optionalField(given, 'continue'))
}
