import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { windowSeconds } from './memory-counter.ts'
import type { Balance, Charge, Payment, RateLimits } from './rate-limits.ts'

/**
 * Charges a request and sets the rate limit headers. If one policy refuses, throws and charges nothing. Returns a
 * function that refunds the charges.
 */
export async function spend(
  limits: RateLimits,
  reply: FastifyReply,
  charges: Charge[],
): Promise<() => Promise<void>> {
  const payment = await limits.chargeAll(charges)
  requirePayment(reply, payment)
  return payment.refund
}

/** Sets the rate limit headers. Throws if a policy has refused. */
export function requirePayment(reply: FastifyReply, { balances, refused }: Payment): void {
  addRateLimitHeaders(reply, balances)
  if (refused) throw refusal(refused)
}

export function refusal({ policy, resetSeconds }: Balance): AppError {
  return new AppError(
    'rate_limited',
    `Rate limit exceeded: at most ${policy.quota} ${policy.unit ?? 'requests'} per minute. ` +
      `Try again in ${resetSeconds} s.`,
    { retryAfterSeconds: resetSeconds, limit: { name: policy.name, max: policy.quota } },
  )
}

/** Adds items to the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
export function addRateLimitHeaders(reply: FastifyReply, balances: Balance[]): void {
  for (const { policy, remaining, resetSeconds } of balances) {
    const unit = policy.unit === undefined ? '' : `;qu="${policy.unit}"`
    append(reply, 'ratelimit-policy', `"${policy.name}";q=${policy.quota}${unit};w=${windowSeconds}`)
    append(reply, 'ratelimit', `"${policy.name}";r=${remaining};t=${resetSeconds}`)
  }
}

function append(reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? item : `${before}, ${item}`)
}
