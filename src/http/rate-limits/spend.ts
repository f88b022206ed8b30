import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { windowSeconds } from './memory-counter.ts'
import type { Balance, Charge, Payment, Policy, RateLimits } from './rate-limits.ts'

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
  setRateLimitHeaders(reply, balances)
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

/**
 * Sets items of the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). A policy has one
 * item, with its last balance.
 */
export function setRateLimitHeaders(reply: FastifyReply, balances: Balance[]): void {
  for (const { policy, remaining, resetSeconds } of balances) {
    const unit = policy.unit === undefined ? '' : `;qu="${policy.unit}"`
    setItem(reply, 'ratelimit-policy', policy, `q=${policy.quota}${unit};w=${windowSeconds}`)
    setItem(reply, 'ratelimit', policy, `r=${remaining};t=${resetSeconds}`)
  }
}

function setItem(reply: FastifyReply, header: string, { name }: Policy, parameters: string): void {
  const before = reply.getHeader(header)?.toString().split(', ') ?? []
  const others = before.filter((item) => !item.startsWith(`"${name}";`))
  reply.header(header, [...others, `"${name}";${parameters}`].join(', '))
}
