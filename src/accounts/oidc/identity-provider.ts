import * as oidc from 'openid-client'
import { cachedPerConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { email as emailSchema } from '../email.ts'
import { freshMinutes } from '../sessions/session.ts'
import { discoveryProblem, InvalidIDToken, signInProblem } from './provider-problem.ts'

/**
 * A person who signed in at an identity provider. The issuer and subject never change (OpenID Connect Core 5.7).
 * `authenticatedAt` is when they signed in there, by the clock of the provider. If it does not say this, it is 1970.
 */
export type Identity = { issuer: string; subject: string; email: string; authenticatedAt: Date }

/** The values that protect a sign-in. The browser stores them until it returns from the provider. */
export type SignInChecks = { state: string; nonce: string; codeVerifier: string; prompt: Prompt }

/**
 * `login`: the provider must ask the person to sign in, although they may be signed in there, and say when they did.
 * `select_account`: they may be signed in there with another account.
 */
export const prompts = ['', 'login', 'select_account'] as const
export type Prompt = (typeof prompts)[number]

export type IdentityProvider = {
  label: string
  /** Throws if the configuration of the provider cannot be read, or does not match the settings. */
  check(): Promise<void>
  start(redirectURI: string, prompt: Prompt): Promise<{ url: URL; checks: SignInChecks }>
  finish(callback: URL, checks: SignInChecks): Promise<Identity>
}

const timeoutSeconds = 10
const maxAgeSeconds = freshMinutes * 60
/** In the year 2106. PostgreSQL cannot store all times that fit into a number. */
const latestTime = 2 ** 32

/** Returns the configured OpenID Connect provider, or undefined. Its configuration is read once, at the first call. */
export const identityProviderOf = cachedPerConfig(({ oidc: settings }): IdentityProvider | undefined => {
  if (!settings) return undefined
  const { issuer, clientID, clientSecret, label, allowedDomains } = settings

  let discovered: Promise<oidc.Configuration> | undefined
  const discover = () => {
    const execute = [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ]
    const authentication = clientSecret === undefined ? oidc.None() : secretAuthentication(clientSecret)
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOnNewConnection }
    discovered ??= oidc.discovery(new URL(issuer), clientID, {}, authentication, options).catch((cause) => {
      discovered = undefined
      throw discoveryProblem(settings, cause)
    })
    return discovered
  }

  return {
    label,
    async check() {
      await discover()
    },
    async start(redirectURI, prompt) {
      const provider = await discover()
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
        prompt,
      }
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: redirectURI,
        scope: 'openid email',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: 'S256',
        // Every provider knows `login`, but not every one `select_account`.
        ...(prompt !== '' && { prompt: 'login' }),
        ...(prompt === 'login' && { max_age: String(maxAgeSeconds) }),
      })
      return { url, checks }
    },
    async finish(callback, { state, nonce, codeVerifier, prompt }) {
      const provider = await discover()
      const checks = {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
        // Requires the claim auth_time (OpenID Connect Core 3.1.2.1).
        ...(prompt === 'login' && { maxAge: maxAgeSeconds }),
      }
      const claims = await claimsOf(provider, callback, checks).catch((cause) => {
        throw signInProblem(settings, cause)
      })
      const { sub: subject, email: claimed, email_verified: isVerified, auth_time: authTime = 0 } = claims
      const lowerCase = typeof claimed === 'string' ? claimed.toLowerCase() : claimed
      const parsed = emailSchema.safeParse(lowerCase)
      // The schema repairs some texts, but the provider has not verified the repaired address.
      if (!parsed.success || parsed.data !== lowerCase || isVerified !== true)
        throw new AppError(
          'forbidden',
          `${label} has not verified your email address. Verify it there first.`,
        )
      // toLowerCase() converts only one character outside ASCII to an ASCII letter: the Kelvin sign, to k. The result would
      // be the address of somebody else.
      if (String(claimed).includes('\u212a'))
        throw new AppError('forbidden', 'The email address contains a character that is not allowed.')
      const email = parsed.data
      const domain = email.slice(email.lastIndexOf('@') + 1)
      if (allowedDomains.length > 0 && !allowedDomains.includes(domain))
        throw new AppError(
          'forbidden',
          `Email addresses of ${domain} cannot sign in here. Use another account.`,
        )
      const authenticatedAt = new Date(Math.min(authTime, latestTime) * 1000)
      return { issuer: provider.serverMetadata().issuer, subject, email, authenticatedAt }
    },
  }
})

type Claims = { sub: string; email?: unknown; email_verified?: unknown; auth_time?: number | undefined }

async function claimsOf(
  provider: oidc.Configuration,
  callback: URL,
  checks: oidc.AuthorizationCodeGrantChecks,
): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(provider, callback, { ...checks, idTokenExpected: true })
  const claims = tokens.claims()
  if (!claims) throw new InvalidIDToken('The response of the identity provider has no ID token')
  requireValid(claims, provider.clientMetadata().client_id)
  if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint) return claims
  const { email, email_verified } = await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
  return { sub: claims.sub, email, email_verified, auth_time: claims.auth_time }
}

function requireValid({ sub, azp }: oidc.IDToken, clientID: string): void {
  // OpenID Connect Core 2. An empty subject would make all people of the provider one account.
  if (!/^[\x20-\x7e]{1,255}$/.test(sub) || sub.trim() === '')
    throw new InvalidIDToken('The claim sub must have 1 to 255 printable ASCII characters')
  // OpenID Connect Core 3.1.3.7. openid-client checks this claim only if there are several audiences.
  if (azp !== undefined && azp !== clientID)
    throw new InvalidIDToken('The claim azp must be the client ID of this service')
}

// HTTP Basic is the method that every provider must support (RFC 6749 2.3.1). Some accept the secret only in the body.
function secretAuthentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    return methods && !methods.includes('client_secret_basic')
      ? post(server, ...rest)
      : basic(server, ...rest)
  }
}

// The provider can close a kept connection while a request is sent. An authorization code cannot be sent again, because
// nobody knows whether the provider has received it.
const fetchOnNewConnection: oidc.CustomFetch = (url, { headers, ...options }) =>
  fetch(url, { ...options, headers: { ...headers, connection: 'close' } })
