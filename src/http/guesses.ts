import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../platform/secrets.ts'
import { addressKey } from './address-key.ts'
import type { Charge, RateLimits } from './rate-limits/rate-limits.ts'
import { refusal, reserve, tellBalances } from './rate-limits/spend.ts'

/** What a caller presents. A secret that belongs to an ID is counted by it, too. */
export type Credentials = { kind: 'webhook' | 'client' | 'token'; id?: string; secret: string }

const addressFactor = 10

/**
 * Limits how often an address may present wrong credentials: for one ID, and ten times as often for all. An attempt is
 * charged before the database is asked and refunded when it turns out to be right, so guesses in parallel count, too.
 * Transports come here only with credentials that are not known to be right. Therefore an address that guesses does not
 * lock out a caller at the same address who has been right before.
 */
export class Guesses {
  readonly #limits: RateLimits
  readonly #perMinute: number
  readonly #lookUps = new Map<string, Promise<unknown>>()

  constructor(limits: RateLimits, perMinute: number) {
    this.#limits = limits
    this.#perMinute = perMinute
  }

  /** Returns what the look-up finds, which is undefined for wrong credentials. Throws `rate_limited` instead of asking. */
  async check<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    credentials: Credentials,
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const address = addressKey(request.ip)
    const charges = this.#charges(address, credentials)
    const { kind, id = '', secret } = credentials
    const name = `${address} ${hashed([kind, id, secret])}`
    const asked = this.#lookUps.get(name) as Promise<T | undefined> | undefined
    if (!asked) return this.#remember(name, this.#ask(reply, charges, lookUp))
    // A hundred first calls of one caller are one look-up. If they are wrong, each of them counts.
    const found = await asked
    if (found === undefined) await this.#charge(reply, charges)
    return found
  }

  async #ask<T>(reply: FastifyReply, charges: Charge[], lookUp: () => Promise<T | undefined>) {
    const balances = await this.#charge(reply, charges)
    let isWrong = false
    try {
      const found = await lookUp()
      isWrong = found === undefined
      return found
    } finally {
      if (isWrong) tellBalances(reply, balances)
      else await Promise.all(charges.map((charge) => this.#limits.refund(charge)))
    }
  }

  async #charge(reply: FastifyReply, charges: Charge[]) {
    const balances = await reserve(this.#limits, charges)
    if (!balances.some(({ isRefused }) => isRefused)) return balances
    tellBalances(reply, balances)
    throw refusal(balances)
  }

  #remember<T>(name: string, lookUp: Promise<T>): Promise<T> {
    this.#lookUps.set(name, lookUp)
    return lookUp.finally(() => this.#lookUps.delete(name))
  }

  #charges(address: string, { kind, id }: Credentials): Charge[] {
    const unit = 'wrong credentials'
    const all = { name: 'guesses-by-address', quota: this.#perMinute * addressFactor, unit }
    const key = `${kind} ${address}`
    if (id === undefined) return [{ policy: all, key }]
    const one = { name: 'guesses', quota: this.#perMinute, unit }
    return [
      { policy: one, key: `${key} ${hashed([id])}` },
      { policy: all, key },
    ]
  }
}

/** A caller may send an ID of any length. */
function hashed(parts: string[]): string {
  return hashSecret(JSON.stringify(parts)).toString('base64url')
}
