import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ActiveSession, endSession, findSession } from '../accounts/sessions/session.ts'
import type { Database } from '../database/database.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { sessionToken, setSessionCookie } from '../http/session-cookie.ts'

export async function currentSession(
  db: Database,
  request: FastifyRequest,
): Promise<ActiveSession | undefined> {
  const token = sessionToken(request)
  return token === undefined ? undefined : findSession(db, token)
}

export async function replaceSession(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  const replaced = await currentSession(db, request)
  if (replaced) await endSession(db, replaced.accountID, replaced.id)
  setSessionCookie(reply, token)
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
