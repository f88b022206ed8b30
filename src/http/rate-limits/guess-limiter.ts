import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { hashSecret } from '../../platform/secrets/secrets.ts'
import { addressKey } from './address-key.ts'
import type { Balance, Charge, RateLimits } from './rate-limits.ts'
import { requirePayment, spend } from './spend.ts'

export type Credentials = { kind: 'webhook' | 'client'; id: string; secret: string }

const addressFactor = 10
const byAddress = 'guesses-by-address'
const maxLookedUp = 10_000
const lookUpAgainMs = 1000

/** Limits the wrong guesses of an address for one ID. The limit for all IDs together is ten times as high. */
export class GuessLimiter {
  readonly #limits: RateLimits
  readonly #perMinute: number
  readonly #lookUpsInFlight = new Map<string, Promise<unknown>>()
  readonly #recentlyLookedUp = new LRUCache<string, true>({ max: maxLookedUp, ttl: lookUpAgainMs })

  constructor(limits: RateLimits, perMinute: number) {
    this.#limits = limits
    this.#perMinute = perMinute
  }

  /** Do not call this for cached credentials, because wrong guesses must not lock out a caller who has them. */
  async check<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind, id, secret }: Credentials,
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const address = addressKey(request.ip)
    const owner = `${kind} ${hashed([id])}`
    const charges = this.#charges(`${kind} ${address}`, `${owner} ${address}`)
    const name = `${address} ${hashed([kind, id, secret])}`
    const inFlight = this.#lookUpsInFlight.get(name) as Promise<T | undefined> | undefined
    if (!inFlight) return this.#shareLookUp(name, this.#chargeAndLookUp(reply, owner, charges, lookUp))
    // Concurrent calls with the same credentials share a look-up. If the credentials are wrong, each call counts.
    const found = await inFlight
    if (found === undefined) await spend(this.#limits, reply, charges)
    return found
  }

  async #chargeAndLookUp<T>(
    reply: FastifyReply,
    owner: string,
    charges: Charge[],
    lookUp: () => Promise<T | undefined>,
  ) {
    // Charges before the look-up, so that parallel guesses count. Refunds the charge unless the credentials are wrong.
    const payment = await this.#limits.chargeAll(charges)
    if (payment.refused && !this.#mayLookUpAgain(payment.refused, owner)) requirePayment(reply, payment)
    this.#recentlyLookedUp.set(owner, true)
    let isWrong = false
    try {
      const found = await lookUp()
      isWrong = found === undefined
      if (isWrong) requirePayment(reply, payment)
      return found
    } finally {
      if (!isWrong) await payment.refund()
    }
  }

  // If only the limit of the ID is exceeded, each process still makes one look-up for the ID each second. A correct
  // secret is then cached, and cached secrets are not limited. Therefore guesses do not lock out a caller whose
  // secret this process does not know yet, for example because another process has changed it.
  #mayLookUpAgain({ policy }: Balance, owner: string): boolean {
    return policy.name !== byAddress && !this.#recentlyLookedUp.has(owner)
  }

  #shareLookUp<T>(name: string, lookUp: Promise<T>): Promise<T> {
    this.#lookUpsInFlight.set(name, lookUp)
    return lookUp.finally(() => this.#lookUpsInFlight.delete(name))
  }

  #charges(address: string, ownerAndAddress: string): Charge[] {
    const unit = 'wrong credentials'
    return [
      { policy: { name: byAddress, quota: this.#perMinute * addressFactor, unit }, key: address },
      { policy: { name: 'guesses', quota: this.#perMinute, unit }, key: ownerAndAddress },
    ]
  }
}

function hashed(parts: string[]): string {
  return hashSecret(JSON.stringify(parts)).toString('base64url')
}
