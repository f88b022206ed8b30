import { SkeinError } from '../errors.ts'

/** Reads the rate limits from the responses of one endpoint. Tells when the endpoint accepts the next request. */
export class RateLimitState {
  readonly fetch: typeof globalThis.fetch
  #notBefore = 0

  constructor(fetch: typeof globalThis.fetch) {
    this.fetch = async (...request) => {
      const response = await fetch(...request)
      this.#readLimits(response)
      return response
    }
  }

  get waitMs(): number {
    return Math.max(0, this.#notBefore - performance.now())
  }

  /** Returns the error for a call whose time limit ends before `waitMs` has passed. The call sends nothing. */
  refusal(): SkeinError {
    const retryAfterSeconds = Math.ceil(this.waitMs / 1000)
    const message = `The rate limit allows the next request in ${retryAfterSeconds} s. This request was not sent.`
    return new SkeinError('RATE_LIMITED', message, { retryAfterSeconds })
  }

  #readLimits({ status, headers }: Response): void {
    const retryAfter = status === 429 ? Number(headers.get('retry-after') ?? 0) : 0
    const seconds = Math.max(
      Number.isFinite(retryAfter) ? retryAfter : 0,
      ...exhausted(headers.get('ratelimit')),
    )
    if (seconds > 0) this.#notBefore = Math.max(this.#notBefore, performance.now() + seconds * 1000)
  }
}

/** Returns the seconds until each used-up quota is reset (draft-ietf-httpapi-ratelimit-headers). */
function exhausted(rateLimit: string | null): number[] {
  const items = rateLimit?.match(/"(?:[^"\\]|\\.)*"[^,"]*/g) ?? []
  return items
    .filter((item) => /;\s*r=0(?=;|\s*$)/.test(item))
    .map((item) => Number(/;\s*t=(\d+)/.exec(item)?.[1] ?? 0))
}
