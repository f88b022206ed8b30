import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

export const windowSeconds = 60

const maxKeys = 100_000

/** Counts points in the minute after the first points of a key. Uses timers, because the wall clock can be set back. */
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
