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

/** `seen` has the digest of each document, and whether the document is cheap. */
type Caller = { seen: Map<string, boolean>; admitted: number; since: number }

/** Admits a document to the cache when a caller repeats it. Documents that are sent only once do not fill the cache. */
export class Admissions {
  readonly #admitted = new Map<string, boolean>()
  readonly #callers = new LRUCache<string, Caller>({ max: maxCallers })
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Returns whether the document is cached, and marks it as the most recently used. */
  has(source: string): boolean {
    const isCheap = this.#admitted.get(source)
    if (isCheap === undefined) return false
    this.#admitted.delete(source)
    this.#admitted.set(source, isCheap)
    return true
  }

  /** Returns whether the document is cached and cheap. */
  isCheap(source: string): boolean {
    return source.length <= maxCharacters && this.#admitted.get(source) === true
  }

  admit(caller: string, source: string): boolean {
    const known = this.#callers.get(caller)
    const digest = digestOf(source)
    const isCheap = known?.seen.get(digest)
    if (!known || isCheap === undefined) return false
    const now = performance.now()
    if (now - known.since >= minuteMs) Object.assign(known, { admitted: 0, since: now })
    if (known.admitted >= perMinute) return false
    known.admitted += 1
    known.seen.delete(digest)
    const [oldest] = this.#admitted.size >= this.#max ? this.#admitted.keys() : []
    if (oldest !== undefined) this.#admitted.delete(oldest)
    this.#admitted.set(source, isCheap)
    return true
  }

  recordSeen(caller: string, source: string, isCheap: boolean): void {
    if (source.length > maxCharacters) return
    const { seen } = this.#callers.get(caller) ?? this.#newCaller(caller)
    seen.set(digestOf(source), isCheap)
    const [oldest] = seen.size > maxSeen ? seen.keys() : []
    if (oldest !== undefined) seen.delete(oldest)
  }

  #newCaller(key: string): Caller {
    const caller = { seen: new Map<string, boolean>(), admitted: 0, since: performance.now() }
    this.#callers.set(key, caller)
    return caller
  }
}

function digestOf(source: string): string {
  return hash('sha256', source, 'base64')
}
