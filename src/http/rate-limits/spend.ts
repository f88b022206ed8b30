import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { windowSeconds } from './memory-counter.ts'
import type { Balance, Charge, RateLimits } from './rate-limits.ts'

/** Charges a request and tells its caller what is left. If one policy refuses, throws and charges nothing. */
export async function spend(limits: RateLimits, reply: FastifyReply, charges: Charge[]): Promise<void> {
  const balances = await reserve(limits, charges)
  tellBalances(reply, balances)
  if (balances.some(({ isRefused }) => isRefused)) throw refusal(balances)
}

/**
 * Charges under all policies, or under none if one of them refuses. Then only its balance is returned. Charges in order,
 * so that what the first policy refuses never counts under the next one, which other callers may share.
 */
export async function reserve(limits: RateLimits, charges: Charge[]): Promise<Balance[]> {
  const balances: Balance[] = []
  for (const [index, charge] of charges.entries()) {
    if (charge.policy.quota === 0) continue
    const balance = await limits.charge(charge)
    if (balance.isRefused) {
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
  if (!first) throw new Error('No balance was refused')
  const { policy, resetSeconds } = first
  return new AppError(
    'rate_limited',
    `Rate limit exceeded: at most ${policy.quota} ${policy.unit ?? 'requests'} per minute. ` +
      `Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds, limit: { name: policy.name, max: policy.quota } },
  )
}

/** Adds to the `RateLimit-Policy` and `RateLimit` headers of a reply (draft-ietf-httpapi-ratelimit-headers). */
export function tellBalances(reply: FastifyReply, balances: Balance[]): void {
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
