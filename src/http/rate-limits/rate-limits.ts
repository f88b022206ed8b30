import type { FastifyBaseLogger } from 'fastify'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Config } from '../../config.ts'
import { counters, gauge } from '../../platform/metrics.ts'
import { MemoryCounter, windowSeconds } from './memory-counter.ts'

/** The points that one caller can spend in a minute. A quota of 0 means no limit. */
export type Policy = {
  name: string
  quota: number
  /** The unit of a point. By default, a request. */
  unit?: string
}

/** `points` is a whole number, 1 by default. A charge of 0 points only reads the balance. */
export type Charge = { policy: Policy; key: string; points?: number }

/** The part of a quota that is left after a charge. A refused charge takes nothing. */
export type Balance = { policy: Policy; isRefused: boolean; remaining: number; resetSeconds: number }

/** The result of several charges. If one policy refuses, nothing is charged, and `balances` has only `refused`. */
export type Payment = { balances: Balance[]; refused?: Balance; refund: () => Promise<void> }

const refusals = counters('skein_limit_refusals_total', 'The requests that a limit per minute has refused.', [
  'policy',
])

const isBackendUp = gauge(
  'skein_limit_backend_up',
  '1 if Redis counts the limits, 0 while this process counts them instead.',
)
// Missing without Redis.
isBackendUp.remove()

export class RateLimits {
  readonly #counter: RateLimiterAbstract
  readonly close: () => void

  constructor(counter: RateLimiterAbstract = new MemoryCounter(), close = () => {}) {
    this.#counter = counter
    this.close = close
  }

  async charge({ policy, key, points = 1 }: Charge): Promise<Balance> {
    const { quota } = policy
    if (quota === 0) return { policy, isRefused: false, remaining: Number.POSITIVE_INFINITY, resetSeconds: 0 }
    const name = `${policy.name}:${key}`
    const { consumedPoints, msBeforeNext } = await this.#counter.penalty(name, points)
    const isRefused = consumedPoints > quota
    if (isRefused) {
      refusals({ policy: policy.name }).add()
      await this.#counter.reward(name, points)
    }
    const remaining = Math.max(0, quota - consumedPoints + (isRefused ? points : 0))
    // The library computes `msBeforeNext` with the wall clock. The clock may have been set back.
    const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000)))
    return { policy, isRefused, remaining, resetSeconds }
  }

  /** Charges all policies in order, or none of them. */
  async chargeAll(charges: readonly Charge[]): Promise<Payment> {
    const balances: Balance[] = []
    const paid: Charge[] = []
    const refund = async () => void (await Promise.all(paid.map((charge) => this.refund(charge))))
    for (const charge of charges) {
      if (charge.policy.quota === 0) continue
      const balance = await this.charge(charge)
      if (balance.isRefused) {
        // Does not charge the policies that follow, because other callers may share them.
        await refund()
        return { balances: [balance], refused: balance, refund: async () => {} }
      }
      balances.push(balance)
      paid.push(charge)
    }
    return { balances, refund }
  }

  async refund({ policy, key, points = 1 }: Charge): Promise<void> {
    if (policy.quota > 0) await this.#counter.reward(`${policy.name}:${key}`, points)
  }
}

/** Opens counters in Redis if there is a URL, otherwise in memory. The Redis client is loaded only if needed. */
export async function openRateLimits(
  redisURL: string | undefined,
  log: FastifyBaseLogger,
): Promise<RateLimits> {
  if (redisURL === undefined) return new RateLimits()
  const { redisCounter } = await import('./redis-counter.ts')
  const { counter, close } = await redisCounter(redisURL, log, (isUp) => isBackendUp.set(isUp ? 1 : 0))
  return new RateLimits(counter, close)
}

/** Limits all uploads of one user, through webhooks and with upload tickets. */
export function uploadPolicy({ uploadRatePerMinute }: Config): Policy {
  return { name: 'upload', quota: uploadRatePerMinute }
}
