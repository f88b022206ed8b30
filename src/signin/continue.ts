import type { FastifyReply } from 'fastify'

const name = 'skein-continue'
const maxAgeSeconds = 60 * 60
/** Browsers accept cookies of 4096 bytes. */
const maxLength = 3800
const options = { path: '/signin', httpOnly: true, sameSite: 'lax' } as const

/**
 * Remembers a path of this service to which the browser returns after it has signed in, within an hour. Forgets it if
 * it is too long.
 */
export function continueLater(reply: FastifyReply, path: string): void {
  const secure = isSecure(reply)
  if (encodeURIComponent(path).length > maxLength) reply.clearCookie(name, { ...options, secure })
  else reply.setCookie(name, path, { ...options, secure, maxAge: maxAgeSeconds })
}

/** Redirects a browser that has signed in to the remembered path, or to the account. */
export function redirectSignedIn(reply: FastifyReply): FastifyReply {
  const path = reply.request.cookies[name] ?? ''
  if (path !== '') reply.clearCookie(name, { ...options, secure: isSecure(reply) })
  return reply.redirect(path.startsWith('/oauth/authorize?') ? path : '/account', 303)
}

function isSecure(reply: FastifyReply): boolean {
  return reply.server.baseURL.startsWith('https:')
}
