import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const maxAgeSeconds = 400 * 24 * 60 * 60

export async function readCookies(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCookie)
}

export function sessionToken(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)]
}

/** The cookie has the longest lifetime that browsers allow, because the service itself ends the session. */
export function setSessionCookie(reply: FastifyReply, token: string): void {
  reply.setCookie(nameFor(reply.request), token, { ...options(reply.request), maxAge: maxAgeSeconds })
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(nameFor(reply.request), options(reply.request))
}

function options(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const
}

/** With __Host-, a browser accepts the cookie only over https, for all paths and only from this host (RFC 6265bis). */
function nameFor(request: FastifyRequest): string {
  return isSecure(request) ? '__Host-skein-session' : 'skein-session'
}

function isSecure({ server }: FastifyRequest): boolean {
  return server.baseURL.startsWith('https:')
}
