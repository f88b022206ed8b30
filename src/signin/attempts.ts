import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInMeans } from '../audit/record.ts'
import { recordRefusal } from '../audit/refusals.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { addressKey } from '../http/rate-limits/address-key.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { hashSecret } from '../platform/secrets/secrets.ts'
import { callerOf } from './current-session.ts'
import { knownBrowser } from './known-browser.ts'
import type { SignInParts } from './page.ts'

const addressFactor = 5
const unit = 'attempts'

/**
 * Counts an attempt to sign in for the client address and for the email address, even if no account has this email
 * address. In a browser with which the owner of the address has signed in before, counts only the attempts of this
 * browser, so that attempts from elsewhere do not lock out the owner. Returns a function that refunds the attempt.
 */
export async function limitAttempts(
  parts: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<() => Promise<void>> {
  const { rateLimits: limits, config } = parts
  const { signInAttemptsPerMinute: quota } = config
  const browser = knownBrowser(parts, request, email)
  if (browser !== undefined)
    return spend(limits, reply, [{ policy: { name: 'signin-in-browser', quota, unit }, key: browser }])
  const account = hashSecret(email).toString('base64url')
  const charges = [
    addressCharge('signin-by-address', quota, request),
    { policy: { name: 'signin', quota, unit }, key: account },
  ]
  return spend(limits, reply, charges)
}

/**
 * Counts an attempt to sign in without a password for the client address. Wrong passwords do not count here, so that they
 * do not close the other ways for people at the same address. Returns a function that refunds the attempt.
 */
export async function limitAddress(
  limits: RateLimits,
  { signInAttemptsPerMinute: quota }: Pick<Config, 'signInAttemptsPerMinute'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<() => Promise<void>> {
  return spend(limits, reply, [addressCharge('signin-link-by-address', quota, request)])
}

/** Returns a handler of errors that refunds an attempt that was not checked, and throws the error again. */
export function refundIfUnavailable(refund: () => Promise<void>) {
  return async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.code === 'unavailable') await refund()
    throw error
  }
}

/** Returns a handler of errors that records the refusal of a sign-in, and throws the error again. */
export function refusing(
  parts: SignInParts,
  request: FastifyRequest,
  means: SignInMeans,
  accountID?: string,
) {
  return async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.status < 500)
      await recordRefusal(callerOf(parts, request), { action: 'signIn', means, accountID })
    throw error
  }
}

function addressCharge(name: string, quota: number, { ip }: FastifyRequest) {
  return { policy: { name, quota: quota * addressFactor, unit }, key: addressKey(ip) }
}
