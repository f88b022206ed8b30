import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const maxCallers = 2000
/** Longer documents are parsed each time, because they would need too much of the cache. */
const maxCharacters = 8000
/** The number of documents of a caller that are admitted in a minute. */
const perMinute = 32
/** The number of stored digests of documents that a caller has sent once. */
const maxSeen = 32
const minuteMs = 60_000

type Caller = { seen: Set<string>; admitted: number; since: number }

/** Admits a document to the cache when a caller repeats it. Documents that are sent only once do not fill the cache. */
export class Admissions {
  readonly #admitted = new Set<string>()
  readonly #callers = new LRUCache<string, Caller>({ max: maxCallers })
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Returns whether the document is cached, and marks it as the most recently used. */
  has(source: string): boolean {
    if (!this.#admitted.delete(source)) return false
    this.#admitted.add(source)
    return true
  }

  admit(caller: string, source: string): boolean {
    const known = this.#callers.get(caller)
    const digest = digestOf(source)
    if (!known?.seen.has(digest)) return false
    const now = performance.now()
    if (now - known.since >= minuteMs) Object.assign(known, { admitted: 0, since: now })
    if (known.admitted >= perMinute) return false
    known.admitted += 1
    known.seen.delete(digest)
    const [oldest] = this.#admitted.size >= this.#max ? this.#admitted : []
    if (oldest !== undefined) this.#admitted.delete(oldest)
    this.#admitted.add(source)
    return true
  }

  recordSeen(caller: string, source: string): void {
    if (source.length > maxCharacters) return
    const { seen } = this.#callers.get(caller) ?? this.#newCaller(caller)
    seen.add(digestOf(source))
    const [oldest] = seen.size > maxSeen ? seen : []
    if (oldest !== undefined) seen.delete(oldest)
  }

  #newCaller(key: string): Caller {
    const caller = { seen: new Set<string>(), admitted: 0, since: performance.now() }
    this.#callers.set(key, caller)
    return caller
  }
}

function digestOf(source: string): string {
  return hash('sha256', source, 'base64')
}
