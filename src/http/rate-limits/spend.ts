import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { windowSeconds } from './memory-counter.ts'
import type { Balance, Charge, RateLimits } from './rate-limits.ts'

/** Charges a request and sets the rate limit headers. If one policy refuses, throws and charges nothing. */
export async function spend(limits: RateLimits, reply: FastifyReply, charges: Charge[]): Promise<void> {
  const balances = await chargeAll(limits, charges)
  addRateLimitHeaders(reply, balances)
  if (balances.some(({ isRefused }) => isRefused)) throw refusal(balances)
}

/** Charges all policies in order. If one refuses, refunds the earlier charges and returns only the refused balance. */
export async function chargeAll(limits: RateLimits, charges: Charge[]): Promise<Balance[]> {
  const balances: Balance[] = []
  for (const [index, charge] of charges.entries()) {
    if (charge.policy.quota === 0) continue
    const balance = await limits.charge(charge)
    if (balance.isRefused) {
      // Does not charge the policies that follow, because other callers may share them.
      await Promise.all(charges.slice(0, index).map((paid) => limits.refund(paid)))
      return [balance]
    }
    balances.push(balance)
  }
  return balances
}

export function refusal(balances: Balance[]): AppError {
  const refused = balances.filter(({ isRefused }) => isRefused)
  const [first] = refused.sort((one, other) => other.resetSeconds - one.resetSeconds)
  if (!first) throw new Error('No charge was refused')
  const { policy, resetSeconds } = first
  return new AppError(
    'rate_limited',
    `Rate limit exceeded: at most ${policy.quota} ${policy.unit ?? 'requests'} per minute. ` +
      `Try again in ${resetSeconds} s.`,
    { retryAfterSeconds: resetSeconds, limit: { name: policy.name, max: policy.quota } },
  )
}

/** Adds items to the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
export function addRateLimitHeaders(reply: FastifyReply, balances: Balance[]): void {
  const limited = balances.filter(({ policy }) => policy.quota > 0)
  for (const { policy, remaining, resetSeconds } of limited) {
    const unit = policy.unit === undefined ? '' : `;qu="${policy.unit}"`
    append(reply, 'ratelimit-policy', `"${policy.name}";q=${policy.quota}${unit};w=${windowSeconds}`)
    append(reply, 'ratelimit', `"${policy.name}";r=${remaining};t=${resetSeconds}`)
  }
}

function append(reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? item : `${before}, ${item}`)
}
