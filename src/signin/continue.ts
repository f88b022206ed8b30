import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'

const name = 'skein-continue'
const maxAgeSeconds = 60 * 60
/** Browsers accept cookies of up to 4096 bytes. The path is compressed, because percent-encoding makes it long. */
const maxLength = 3800
/**
 * Somebody else may have set the cookie. Therefore, only these paths are allowed, and only characters that are valid in
 * a header.
 */
const pages = /^\/(oauth\/authorize\?|wks_\w+(\/|$))[\x21-\x7e]*$/
/** Pages on which a person is asked to sign in, and to which they return. */
const signInPages = /^\/(account(\?[\x21-\x7e]*)?|signin\/link\/[\w-]+)$/
const options = { path: '/signin', httpOnly: true, sameSite: 'lax' } as const

/** Stores a path in a cookie, unless it is too long. A person who signs in within an hour is redirected to the path. */
export function continueLater(reply: FastifyReply, path: string): void {
  const secure = isSecure(reply)
  const value = deflateRawSync(path).toString('base64url')
  if (value.length > maxLength) reply.clearCookie(name, { ...options, secure })
  else reply.setCookie(name, value, { ...options, secure, maxAge: maxAgeSeconds })
}

/** Redirects a browser that has signed in, by default to the stored path. If the path is not allowed, uses `/`. */
export function redirectSignedIn(reply: FastifyReply, wanted?: string): FastifyReply {
  const value = reply.request.cookies[name] ?? ''
  if (value !== '') reply.clearCookie(name, { ...options, secure: isSecure(reply) })
  const path = wanted ?? pathIn(value)
  return reply.redirect(signInPages.test(path) ? path : (allowedPath(path) ?? '/'), 303)
}

export function allowedPath(path: string | undefined): string | undefined {
  return path !== undefined && pages.test(path) ? path : undefined
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

/** Returns whether a request failed only because the person must sign in again. */
export function isTooOld(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'sign_in_too_old'
}
