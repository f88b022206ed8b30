import * as oidc from 'openid-client'
import { AppError } from '../../errors.ts'

type Provider = { label: string; issuer: string }

const retryAfterSeconds = 5

/** Returns the error for a provider whose configuration could not be read. It names the setting that is wrong. */
export function discoveryProblem({ label, issuer }: Provider, cause: unknown): AppError {
  const { code, cause: reason } = cause instanceof oidc.ClientError ? cause : {}
  const announced = (reason as { body?: { issuer?: unknown } } | undefined)?.body?.issuer
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && announced !== undefined)
    return misconfigured(
      `${label} has the issuer ${announced}, but OIDC_ISSUER is ${issuer}. The operator of this service must set OIDC_ISSUER to exactly the issuer of the provider.`,
      cause,
    )
  if (!isResponse(cause)) return unreachable(label, cause)
  const status = reason instanceof Response ? ` (status ${reason.status})` : ''
  return misconfigured(
    `${label} did not respond with the configuration of an OpenID Connect provider${status}. The operator of this service must check OIDC_ISSUER, which is ${issuer}.`,
    cause,
  )
}

/** Returns the error for a sign-in that the provider did not complete. */
export function signInProblem({ label }: Provider, cause: unknown): AppError {
  if (refusesClient(cause))
    return misconfigured(
      `${label} does not accept this service as a client. The operator of this service must check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`,
      cause,
    )
  if (!isResponse(cause)) return unreachable(label, cause)
  const checked = cause instanceof oidc.ClientError && cause.cause instanceof Error ? cause.cause : undefined
  if (checked?.message.startsWith('JWT "auth_time"'))
    return misconfigured(
      `${label} did not say when you signed in there. The operator of this service must let the provider put the claim auth_time into its ID tokens.`,
      cause,
    )
  if (Reflect.get(Object(checked?.cause), 'claim') === 'auth_time')
    return new AppError(
      'forbidden',
      `${label} did not ask you to sign in again. Sign out there, and then try again.`,
      { cause },
    )
  return new AppError('forbidden', `The sign-in with ${label} was cancelled, or is not valid. Try again.`, {
    cause,
  })
}

/** An ID token that openid-client accepts, but OpenID Connect Core does not. */
export class InvalidIDToken extends Error {
  override readonly name = 'InvalidIDToken'
}

// RFC 6749 5.2. If the secret was sent with HTTP Basic, the error can be in the challenge of the response.
function refusesClient(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError)
    return ['invalid_client', 'unauthorized_client'].includes(error.error)
  return (
    error instanceof oidc.WWWAuthenticateChallengeError &&
    error.cause.some(({ parameters }) => parameters.error === 'invalid_client')
  )
}

/** Returns whether the provider responded, but not as expected. An outage is not a response. */
function isResponse(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError)
    return error.status < 500
  if (error instanceof oidc.AuthorizationResponseError || error instanceof InvalidIDToken) return true
  if (!(error instanceof oidc.ClientError) || error.code === 'OAUTH_TIMEOUT') return false
  return !(error.cause instanceof Response) || error.cause.status < 500
}

function misconfigured(message: string, cause: unknown): AppError {
  return new AppError('unavailable', message, { cause })
}

function unreachable(label: string, cause: unknown): AppError {
  const message = `${label} cannot be reached. Try again later, or sign in another way.`
  return new AppError('unavailable', message, { cause, retryAfterSeconds })
}
