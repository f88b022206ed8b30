import type { FastifyReply } from 'fastify'
import { type Actor, callerKey } from '../context.ts'
import type { Balance, Policy, RateLimits } from '../http/rate-limits/rate-limits.ts'
import { refusal, reserve, tellBalances } from '../http/rate-limits/spend.ts'

/** `extensions.cost`: what the operation cost, and what is left of the quota that has least left. */
export type ToldCost = { requested: number; limit: number; remaining: number; resetSeconds: number }

/** Points that may be spent in a minute. */
export type Quotas = { installation: number; workspace: number }

/** What one request spends, for its installation and for its workspace. */
export class Budget {
  readonly #limits: RateLimits
  readonly #accounts: { policy: Policy; key: string }[]
  #requested = 0
  #balances: Balance[] = []

  constructor(limits: RateLimits, quotas: Quotas, actor: Actor) {
    const policyOf = (name: keyof Quotas) => ({ name: `${name}-points`, quota: quotas[name], unit: 'points' })
    this.#limits = limits
    this.#accounts = [{ policy: policyOf('installation'), key: callerKey(actor) }]
    if (actor.kind === 'user') {
      this.#accounts.push({ policy: policyOf('workspace'), key: actor.workspaceID })
    }
  }

  /** Throws `rate_limited`, and spends nothing, if one of the quotas has less left. */
  async spend(points: number): Promise<void> {
    this.#requested += points
    this.#balances = await reserve(
      this.#limits,
      this.#accounts.map((account) => ({ ...account, points })),
    )
    if (this.#balances.some(({ isRefused }) => isRefused)) throw refusal(this.#balances)
  }

  /** Tells the caller in the headers, and returns `extensions`. Undefined if nothing was spent, or if nothing is limited. */
  tell(reply: FastifyReply): { cost: ToldCost } | undefined {
    tellBalances(reply, this.#balances)
    const limited = this.#balances.filter(({ policy }) => policy.quota > 0)
    const [least] = limited.sort((one, other) => one.remaining - other.remaining)
    if (!least) return undefined
    const { policy, remaining, resetSeconds } = least
    return { cost: { requested: this.#requested, limit: policy.quota, remaining, resetSeconds } }
  }
}
