import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'

const name = 'skein-continue'
const maxAgeSeconds = 60 * 60
/** Browsers accept cookies of 4096 bytes. The value is compressed, because escapes make it long. */
const maxLength = 3800
/** Other characters cannot be in a header, and somebody else may have set the cookie. */
const pages = /^\/(oauth\/authorize\?|wks_\w+(\/|$))[\x21-\x7e]*$/
const options = { path: '/signin', httpOnly: true, sameSite: 'lax' } as const

/** Stores a path in a cookie, unless it is too long. The browser returns to it if it signs in within an hour. */
export function continueLater(reply: FastifyReply, path: string): void {
  const secure = isSecure(reply)
  const value = deflateRawSync(path).toString('base64url')
  if (value.length > maxLength) reply.clearCookie(name, { ...options, secure })
  else reply.setCookie(name, value, { ...options, secure, maxAge: maxAgeSeconds })
}

/** Redirects a browser that has signed in, by default to the stored path. The start page replaces any other page. */
export function redirectSignedIn(reply: FastifyReply, wanted?: string): FastifyReply {
  const value = reply.request.cookies[name] ?? ''
  if (value !== '') reply.clearCookie(name, { ...options, secure: isSecure(reply) })
  const path = wanted ?? pathIn(value)
  return reply.redirect(pages.test(path) ? path : '/', 303)
}

function pathIn(value: string): string {
  try {
    return inflateRawSync(Buffer.from(value, 'base64url'), { maxOutputLength: 64 * 1024 }).toString()
  } catch {
    return ''
  }
}

function isSecure(reply: FastifyReply): boolean {
  return reply.server.baseURL.startsWith('https:')
}
