import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

export const windowSeconds = 60

const maxKeys = 100_000

/**
 * Counts points by key in this process, for a minute from the first point on. Holds at most 100,000 keys and forgets the
 * one that was used least recently. A timer ends each window, so a wall clock that is set back prolongs none.
 */
export class MemoryCounter extends RateLimiterMemory {
  readonly #keys = new Set<string>()

  constructor() {
    super({ keyPrefix: '', points: 0, duration: windowSeconds })
  }

  override penalty(key: string, points: number): Promise<RateLimiterRes> {
    this.#keys.delete(key)
    this.#keys.add(key)
    const [oldest] = this.#keys.size > maxKeys ? this.#keys : []
    if (oldest !== undefined) {
      this.#keys.delete(oldest)
      void this.delete(oldest)
    }
    return super.penalty(key, points)
  }
}
