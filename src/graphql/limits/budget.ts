import type { FastifyReply } from 'fastify'
import { type Actor, callerKey } from '../../context.ts'
import type { Balance, Policy, RateLimits } from '../../http/rate-limits/rate-limits.ts'
import { refusal, setRateLimitHeaders } from '../../http/rate-limits/spend.ts'
import { counter } from '../../platform/metrics.ts'
import { checkMax } from './limits.ts'

/** `extensions.cost`: the cost of the operation, and the balance of the quota with the fewest remaining points. */
export type CostExtension = { requested: number; limit: number; remaining: number; resetSeconds: number }

/** Points per minute. */
export type Quotas = { installation: number; workspace: number }

const pointsSpent = counter('skein_graphql_points_total', 'The points that GraphQL operations have cost.')

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

  /** Spends the points from both quotas. If one of them has too few points left, throws and spends nothing. */
  async spend(points: number): Promise<void> {
    this.#requested += points
    for (const { policy } of this.#accounts) {
      const { name, quota: max } = policy
      if (max > 0) checkMax({ name, max }, points, `The operation costs ${points} points`)
    }
    const charges = this.#accounts.map((account) => ({ ...account, points }))
    const { balances, refused } = await this.#limits.chargeAll(charges)
    this.#balances = balances
    if (!refused) pointsSpent.add(points)
    if (refused) throw refusal(refused)
  }

  report(reply: FastifyReply): { cost: CostExtension } | undefined {
    setRateLimitHeaders(reply, this.#balances)
    const [least] = this.#balances.toSorted((one, other) => one.remaining - other.remaining)
    if (!least) return undefined
    const { policy, remaining, resetSeconds } = least
    return { cost: { requested: this.#requested, limit: policy.quota, remaining, resetSeconds } }
  }
}
