import type { FastifyReply, FastifyRequest } from 'fastify'
import { Remembered } from '../platform/remembered.ts'
import { hashSecret } from '../platform/secrets.ts'
import { addressKey } from './address-key.ts'
import type { Balance, Charge, RateLimits } from './rate-limits/rate-limits.ts'
import { refusal, reserve, tellBalances } from './rate-limits/spend.ts'

/** What a caller presents: the secret of an ID. */
export type Credentials = { kind: 'webhook' | 'client'; id: string; secret: string }

const addressFactor = 10
const byAddress = 'guesses-by-address'
const maxLookedUp = 10_000

/**
 * Limits how often an address may present wrong credentials: for one ID, and ten times as often for all. An attempt is
 * charged before the database is asked and refunded when it turns out to be right, so guesses in parallel count, too.
 * Transports come here only with credentials that are not known to be right. Therefore an address that guesses does not
 * lock out a caller at the same address who has been right before.
 *
 * Processes may share the counters, but each learns by itself what is right. So a process looks an ID up once although
 * others have counted too many guesses for it. After that it knows the right secret.
 */
export class Guesses {
  readonly #limits: RateLimits
  readonly #perMinute: number
  readonly #lookUps = new Map<string, Promise<unknown>>()
  readonly #lookedUp = new Remembered<true>(maxLookedUp)

  constructor(limits: RateLimits, perMinute: number) {
    this.#limits = limits
    this.#perMinute = perMinute
  }

  /** Returns what the look-up finds, which is undefined for wrong credentials. Throws `rate_limited` instead of asking. */
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
    // A hundred first calls of one caller are one look-up. If they are wrong, each of them counts.
    const found = await asked
    if (found === undefined) refuseIfOver(reply, await reserve(this.#limits, charges))
    return found
  }

  async #ask<T>(reply: FastifyReply, owner: string, charges: Charge[], lookUp: () => Promise<T | undefined>) {
    const balances = await reserve(this.#limits, charges)
    const isByAddress = balances.some(({ isRefused, policy }) => isRefused && policy.name === byAddress)
    if (isByAddress || this.#lookedUp.get(owner)) refuseIfOver(reply, balances)
    this.#lookedUp.set(owner, true)
    let isWrong = false
    try {
      const found = await lookUp()
      isWrong = found === undefined
      return found
    } finally {
      if (isWrong) tellBalances(reply, balances)
      else if (!isOver(balances)) await Promise.all(charges.map((charge) => this.#limits.refund(charge)))
    }
  }

  #remember<T>(name: string, lookUp: Promise<T>): Promise<T> {
    this.#lookUps.set(name, lookUp)
    return lookUp.finally(() => this.#lookUps.delete(name))
  }

  #charges(address: string, ownerAndAddress: string): Charge[] {
    const unit = 'wrong credentials'
    return [
      { policy: { name: 'guesses', quota: this.#perMinute, unit }, key: ownerAndAddress },
      { policy: { name: byAddress, quota: this.#perMinute * addressFactor, unit }, key: address },
    ]
  }
}

function isOver(balances: Balance[]): boolean {
  return balances.some(({ isRefused }) => isRefused)
}

/** Throws `rate_limited` if one of the balances was refused. */
function refuseIfOver(reply: FastifyReply, balances: Balance[]): void {
  if (!isOver(balances)) return
  tellBalances(reply, balances)
  throw refusal(balances)
}

/** A caller may send an ID of any length. */
function hashed(parts: string[]): string {
  return hashSecret(JSON.stringify(parts)).toString('base64url')
}
