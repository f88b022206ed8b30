import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { windowSeconds } from './memory-counter.ts'
import type { Balance, Charge, RateLimits } from './rate-limits.ts'

/**
 * Charges a request under one or several policies and tells its caller what is left. If one of them refuses, throws
 * `rate_limited` and charges nothing. A later call for the same reply adds its policies to the headers.
 */
export async function spend(limits: RateLimits, reply: FastifyReply, charges: Charge[]): Promise<void> {
  const balances = await reserve(limits, charges)
  tellBalances(reply, balances)
  if (balances.some(({ isRefused }) => isRefused)) throw refusal(balances)
}

/** Charges under all policies, or under none if one of them refuses. */
export async function reserve(limits: RateLimits, charges: Charge[]): Promise<Balance[]> {
  if (charges.every(({ policy }) => policy.quota === 0)) return []
  const balances = await Promise.all(charges.map((charge) => limits.charge(charge)))
  if (balances.some(({ isRefused }) => isRefused)) {
    const paid = charges.filter((_, index) => !balances[index]?.isRefused)
    await Promise.all(paid.map((charge) => limits.refund(charge)))
  }
  return balances
}

/** The error for balances of which one or more are refused. */
export function refusal(balances: Balance[]): AppError {
  const refused = balances.filter(({ isRefused }) => isRefused)
  const [first] = refused.sort((one, other) => other.resetSeconds - one.resetSeconds)
  if (!first) throw new Error('Nothing was refused')
  const { policy, resetSeconds } = first
  return new AppError(
    'rate_limited',
    `More than ${policy.quota} ${policy.unit ?? 'requests'} a minute. Try again in ${resetSeconds} s.`,
    { retryAfterSeconds: resetSeconds, limit: { name: policy.name, max: policy.quota } },
  )
}

/** Adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, structured fields) to a reply. */
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
