import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Config, cachedPerConfig } from '../config.ts'
import { newSecret } from '../platform/secrets/secrets.ts'
import { deriveKey, sign, verifySignature } from '../platform/secrets/signatures.ts'
import type { SignInParts } from './page.ts'

const maxAgeSeconds = 400 * 24 * 60 * 60

const keyOf = cachedPerConfig(({ signingKey }) => deriveKey(signingKey, 'skein known browsers'))

/** A browser remembers this many addresses, so that its cookie stays small. */
const mostAddresses = 20

/** Marks the browser as one in which the owner of an address has signed in (OWASP: device cookies). */
export function rememberBrowser(
  { config }: SignInParts,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
  email: string,
): void {
  const { id = newSecret(), signatures } = marksIn(config, cookies)
  const signature = sign(keyOf(config), [email, id])
  const kept = [signature, ...signatures.filter((other) => other !== signature)].slice(0, mostAddresses)
  const secure = isSecure(config.baseURL)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: maxAgeSeconds } as const
  reply.setCookie(nameFor(config.baseURL), [id, ...kept].join('.'), options)
}

/** Returns the ID of the browser if the owner of the address has signed in with it before. */
export function knownBrowser(
  { config }: SignInParts,
  { cookies }: FastifyRequest,
  email: string,
): string | undefined {
  const { id = '', signatures } = marksIn(config, cookies)
  const values = [email.toLowerCase(), id]
  return signatures.some((signature) => verifySignature(signature, keyOf(config), values)) ? id : undefined
}

/** The cookie has the ID of the browser, and a signature for each address. */
function marksIn({ baseURL }: Config, cookies: FastifyRequest['cookies']) {
  const [id, ...signatures] = (cookies[nameFor(baseURL)] ?? '').split('.').slice(0, mostAddresses + 1)
  return { id: id || undefined, signatures }
}

function nameFor(baseURL: string): string {
  return isSecure(baseURL) ? '__Host-skein-browser' : 'skein-browser'
}

function isSecure(baseURL: string): boolean {
  return baseURL.startsWith('https:')
}
