import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { hashSecret } from '../../platform/secrets.ts'
import { addressKey } from './address-key.ts'
import type { Balance, Charge, RateLimits } from './rate-limits.ts'
import { refusal, reserve, tellBalances } from './spend.ts'

export type Credentials = { kind: 'webhook' | 'client'; id: string; secret: string }

const addressFactor = 10
const byAddress = 'guesses-by-address'
const maxLookedUp = 10_000
/** How long an address that has guessed too often waits for the next look-up of an ID. */
const lookUpAgainMs = 1000

/**
 * Limits how often an address can present wrong credentials: for one ID, and ten times as often for all. An attempt is
 * charged before the look-up and refunded if it is right, so parallel guesses count. Cached credentials are not checked
 * here, so guesses do not lock out a caller who has been right before. After too many guesses, each process still looks
 * an ID up once in a second. This fills its cache, so that it soon accepts a credential that another process has seen
 * or changed.
 */
export class Guesses {
  readonly #limits: RateLimits
  readonly #perMinute: number
  readonly #lookUps = new Map<string, Promise<unknown>>()
  readonly #lookedUp = new LRUCache<string, true>({ max: maxLookedUp, ttl: lookUpAgainMs })

  constructor(limits: RateLimits, perMinute: number) {
    this.#limits = limits
    this.#perMinute = perMinute
  }

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
    const asked = this.#lookUps.get(name) as Promise<T | undefined> | undefined
    if (!asked) return this.#remember(name, this.#ask(reply, owner, charges, lookUp))
    // Concurrent calls with the same credentials share a look-up. If they are wrong, each of them counts.
    const found = await asked
    if (found === undefined) refuseIfOver(reply, await reserve(this.#limits, charges))
    return found
  }

  async #ask<T>(reply: FastifyReply, owner: string, charges: Charge[], lookUp: () => Promise<T | undefined>) {
    const balances = await reserve(this.#limits, charges)
    const isByAddress = balances.some(({ isRefused, policy }) => isRefused && policy.name === byAddress)
    if (isByAddress || this.#lookedUp.has(owner)) refuseIfOver(reply, balances)
    this.#lookedUp.set(owner, true)
    let found: T | undefined
    let isWrong = false
    try {
      found = await lookUp()
      isWrong = found === undefined
    } finally {
      if (!isWrong && !isOver(balances))
        await Promise.all(charges.map((charge) => this.#limits.refund(charge)))
    }
    if (isWrong) {
      refuseIfOver(reply, balances)
      tellBalances(reply, balances)
    }
    return found
  }

  #remember<T>(name: string, lookUp: Promise<T>): Promise<T> {
    this.#lookUps.set(name, lookUp)
    return lookUp.finally(() => this.#lookUps.delete(name))
  }

  #charges(address: string, ownerAndAddress: string): Charge[] {
    const unit = 'wrong credentials'
    return [
      { policy: { name: byAddress, quota: this.#perMinute * addressFactor, unit }, key: address },
      { policy: { name: 'guesses', quota: this.#perMinute, unit }, key: ownerAndAddress },
    ]
  }
}

function isOver(balances: Balance[]): boolean {
  return balances.some(({ isRefused }) => isRefused)
}

function refuseIfOver(reply: FastifyReply, balances: Balance[]): void {
  if (!isOver(balances)) return
  tellBalances(reply, balances)
  throw refusal(balances)
}

function hashed(parts: string[]): string {
  return hashSecret(JSON.stringify(parts)).toString('base64url')
}
