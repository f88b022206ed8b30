import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { identityProviderOf, type SignInChecks } from '../accounts/oidc/identity-provider.ts'
import { AppError } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { signInWithIdentity } from '../users/accounts/sign-in.ts'
import { limitAddress } from './attempts.ts'
import { redirectSignedIn } from './continue.ts'
import { replaceSession } from './current-session.ts'
import type { SignInParts } from './page.ts'

export const oidcPath = '/signin/oidc'
const callbackPath = '/signin/oidc/callback'
const maxAgeSeconds = 10 * 60

export function oidcPage(app: FastifyInstance, { db, config, rateLimits }: SignInParts): void {
  const provider = identityProviderOf(config)
  if (!provider) return
  // The service does not wait for the provider, and also starts without it.
  app.addHook('onReady', async () => {
    void provider.check().catch((err) => app.log.warn({ err }, 'OpenID Connect does not work yet'))
  })
  allowOnly(app, oidcPath, ['GET'])
  app.get(oidcPath, async (request, reply) => {
    await limitAddress(rateLimits, config, request, reply)
    const { url, checks } = await provider.start(`${config.baseURL}${callbackPath}`)
    keepChecks(reply, checks)
    return reply.redirect(url.href, 303)
  })

  allowOnly(app, callbackPath, ['GET'])
  app.get(callbackPath, async (request, reply) => {
    await limitAddress(rateLimits, config, request, reply)
    const checks = takeChecks(request, reply)
    if (!checks)
      throw new AppError('forbidden', 'This sign-in has expired, or began in another browser. Sign in again.')
    const identity = await provider.finish(new URL(request.url, config.baseURL), checks).catch((err) => {
      // The page does not say why the response of the provider is not valid. The operator finds the reason in the log.
      request.log.info({ err }, 'the sign-in with the identity provider failed')
      throw err
    })
    const token = await signInWithIdentity(db, identity, request.headers['user-agent'])
    await replaceSession(db, request, reply, token)
    return redirectSignedIn(reply)
  })
}

/** Stores the checks in a cookie. Therefore only the browser that began a sign-in can complete it. */
function keepChecks(reply: FastifyReply, { state, nonce, codeVerifier }: SignInChecks): void {
  const value = [state, nonce, codeVerifier].join('.')
  reply.setCookie(nameFor(reply), value, { ...optionsFor(reply), maxAge: maxAgeSeconds })
}

function takeChecks({ cookies }: FastifyRequest, reply: FastifyReply): SignInChecks | undefined {
  const [state, nonce, codeVerifier] = (cookies[nameFor(reply)] ?? '').split('.')
  if (!state || !nonce || !codeVerifier) return undefined
  reply.clearCookie(nameFor(reply), optionsFor(reply))
  return { state, nonce, codeVerifier }
}

function optionsFor(reply: FastifyReply) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(reply) } as const
}

function nameFor(reply: FastifyReply): string {
  return isSecure(reply) ? '__Host-skein-oidc' : 'skein-oidc'
}

function isSecure({ server }: FastifyReply): boolean {
  return server.baseURL.startsWith('https:')
}
