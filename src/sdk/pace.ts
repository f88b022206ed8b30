import { SkeinError } from './errors.ts'

/** Learns from the answers of one address when it takes the next request, and has that respected. */
export class Pace {
  /** The same `fetch`, from whose answers this learns. */
  readonly fetch: typeof globalThis.fetch
  #notBefore = 0

  constructor(fetch: typeof globalThis.fetch) {
    this.fetch = async (...request) => {
      const answer = await fetch(...request)
      this.#learn(answer)
      return answer
    }
  }

  /** How long the address takes no request, in milliseconds. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - performance.now())
  }

  /** The error of a call that cannot wait that long. Nothing was sent. */
  refusal(): SkeinError {
    const retryAfterSeconds = Math.ceil(this.waitMs / 1000)
    const message = `The service takes no more requests like this for ${retryAfterSeconds} s, so none was sent.`
    return new SkeinError('RATE_LIMITED', message, { retryAfterSeconds })
  }

  #learn({ status, headers }: Response): void {
    const retryAfter = status === 429 ? Number(headers.get('retry-after') ?? 0) : 0
    const seconds = Math.max(
      Number.isFinite(retryAfter) ? retryAfter : 0,
      ...exhausted(headers.get('ratelimit')),
    )
    if (seconds > 0) this.#notBefore = Math.max(this.#notBefore, performance.now() + seconds * 1000)
  }
}

/** The seconds until the quotas are reset of which nothing remains (draft-ietf-httpapi-ratelimit-headers). */
function exhausted(rateLimit: string | null): number[] {
  const items = rateLimit?.match(/"(?:[^"\\]|\\.)*"[^,"]*/g) ?? []
  return items
    .filter((item) => /;\s*r=0(?=;|\s*$)/.test(item))
    .map((item) => Number(/;\s*t=(\d+)/.exec(item)?.[1] ?? 0))
}
