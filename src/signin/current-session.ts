import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ActiveSession, endSession, findSession } from '../accounts/sessions/session.ts'
import type { Database } from '../database/database.ts'
import { sourceOf } from '../http/request-source.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { sessionToken, setSessionCookie } from '../http/session-cookie.ts'
import { rememberBrowser } from './known-browser.ts'
import type { SignInParts } from './page.ts'

/** Returns the context of a request before its caller is known. */
export function callerOf({ db, config }: Pick<SignInParts, 'db' | 'config'>, request: FastifyRequest) {
  return { db, config, source: sourceOf(request) }
}

export async function currentSession(
  db: Database,
  request: FastifyRequest,
): Promise<ActiveSession | undefined> {
  const token = sessionToken(request)
  return token === undefined ? undefined : findSession(db, token)
}

export async function replaceSession(
  parts: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  const replaced = await currentSession(parts.db, request)
  if (replaced) await endSession(callerOf(parts, request), replaced, replaced.id)
  setSessionCookie(reply, token)
  const started = await findSession(parts.db, token)
  if (started) rememberBrowser(parts, request, reply, started.email)
}

/** Returns a handler for people who are signed in. It redirects all others to the sign-in page. */
export function asSignedIn(
  db: Database,
  handle: (session: ActiveSession, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method === 'POST') requireSameOrigin(request)
    const session = await currentSession(db, request)
    return session ? handle(session, request, reply) : reply.redirect('/signin', 303)
  }
}
