import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { addressKey } from '../http/rate-limits/address-key.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { hashSecret } from '../platform/secrets/secrets.ts'

const addressFactor = 5
const unit = 'attempts'

/**
 * Counts an attempt to sign in for the client address and for the email address, even if no account has this email
 * address. Returns a function that refunds the attempt.
 */
export async function limitAttempts(
  limits: RateLimits,
  { signInAttemptsPerMinute: quota }: Pick<Config, 'signInAttemptsPerMinute'>,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<() => Promise<void>> {
  const account = hashSecret(email).toString('base64url')
  const charges = [addressCharge(quota, request), { policy: { name: 'signin', quota, unit }, key: account }]
  return spend(limits, reply, charges)
}

/** Counts an attempt to sign in for the client address only. Returns a function that refunds the attempt. */
export async function limitAddress(
  limits: RateLimits,
  { signInAttemptsPerMinute: quota }: Pick<Config, 'signInAttemptsPerMinute'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<() => Promise<void>> {
  return spend(limits, reply, [addressCharge(quota, request)])
}

function addressCharge(quota: number, { ip }: FastifyRequest) {
  return { policy: { name: 'signin-by-address', quota: quota * addressFactor, unit }, key: addressKey(ip) }
}
