import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findAccountIDOfIdentity } from '../accounts/oidc/account-of-identity.ts'
import {
  identityProviderOf,
  type Prompt,
  prompts,
  type SignInChecks,
} from '../accounts/oidc/identity-provider.ts'
import { requireSignInMethod } from '../accounts/sign-in-methods.ts'
import { AppError } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { addToLog } from '../http/request-log.ts'
import { signInWithIdentity } from '../users/accounts/sign-in.ts'
import { limitAddress, refusing } from './attempts.ts'
import { continueLater, redirectSignedIn } from './continue.ts'
import { countSignIn } from './count-sign-ins.ts'
import { callerOf, replaceSession } from './current-session.ts'
import { optionalField } from './forms.ts'
import type { SignInParts } from './page.ts'

export const oidcPath = '/signin/oidc'
const callbackPath = '/signin/oidc/callback'
const maxAgeSeconds = 10 * 60

export function oidcPage(app: FastifyInstance, parts: SignInParts): void {
  const { config, rateLimits } = parts
  const provider = identityProviderOf(config)
  if (!provider) return
  // The service does not wait for the provider, and also starts without it.
  app.addHook('onReady', async () => {
    if (!config.signInMethods.includes('oidc')) return
    void provider.check().catch((err) => app.log.warn({ err }, 'OpenID Connect does not work yet'))
  })
  allowOnly(app, oidcPath, ['GET'])
  app.get(oidcPath, async (request, reply) => {
    requireSignInMethod(config, 'oidc')
    const wanted = optionalField(request.query, 'continue')
    if (wanted !== undefined) continueLater(reply, wanted)
    await limitAddress(rateLimits, config, request, reply)
    const { url, checks } = await provider.start(`${config.baseURL}${callbackPath}`, promptOf(request))
    keepChecks(reply, checks)
    return reply.redirect(url.href, 303)
  })

  const finish = async (request: FastifyRequest, reply: FastifyReply) => {
    await limitAddress(rateLimits, config, request, reply)
    const checks = takeChecks(request, reply)
    if (!checks)
      throw new AppError('forbidden', 'This sign-in has expired, or began in another browser. Sign in again.')
    const identity = await provider.finish(new URL(request.url, config.baseURL), checks).catch((err) => {
      // The page does not say why the response of the provider is not valid. The operator finds the reason in the log.
      request.log.info({ err }, 'the sign-in with the identity provider failed')
      return refusing(parts, request, 'identityProvider')(err)
    })
    const accountID = await findAccountIDOfIdentity(parts.db, identity)
    addToLog(request, { accountID })
    return signInWithIdentity(callerOf(parts, request), identity).catch(
      refusing(parts, request, 'identityProvider', accountID),
    )
  }
  allowOnly(app, callbackPath, ['GET'])
  app.get(callbackPath, async (request, reply) => {
    const token = await countSignIn('oidc', () => finish(request, reply))
    await replaceSession(parts, request, reply, token)
    return redirectSignedIn(reply)
  })
}

/** Returns the parameter `prompt` of a page, or '' if it has another value. */
export function promptOf({ query }: FastifyRequest): Prompt {
  const wanted = optionalField(query, 'prompt')
  return prompts.find((prompt) => prompt === wanted) ?? ''
}

/** Stores the checks in a cookie. Therefore only the browser that began a sign-in can complete it. */
function keepChecks(reply: FastifyReply, { state, nonce, codeVerifier, prompt }: SignInChecks): void {
  const value = [state, nonce, codeVerifier, prompt].join('.')
  reply.setCookie(nameFor(reply), value, { ...optionsFor(reply), maxAge: maxAgeSeconds })
}

function takeChecks({ cookies }: FastifyRequest, reply: FastifyReply): SignInChecks | undefined {
  const [state, nonce, codeVerifier, kept] = (cookies[nameFor(reply)] ?? '').split('.')
  if (!state || !nonce || !codeVerifier) return undefined
  reply.clearCookie(nameFor(reply), optionsFor(reply))
  return { state, nonce, codeVerifier, prompt: prompts.find((prompt) => prompt === kept) ?? '' }
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
