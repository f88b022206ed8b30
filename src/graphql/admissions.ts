import { hash } from 'node:crypto'
import { Remembered } from '../platform/remembered.ts'

const maxCallers = 2000
/** A longer document is parsed each time: it takes more of the cache than it saves. */
const maxCharacters = 8000
/** How many documents of one caller are admitted in a minute, and how many are remembered until they come again. */
const perMinute = 32
const maxSeen = 32
const minuteMs = 60_000

/** What a caller sent is kept as a hash. */
type Caller = { seen: Set<string>; admitted: number; since: number }

/**
 * Decides which documents the cache holds, so that no caller fills it with documents of which it sends each once. A caller's
 * document is admitted when it has run before, and a few of each caller are in a minute. The documents in here are those
 * used last, and no more than the cache holds.
 */
export class Admissions {
  readonly #admitted = new Set<string>()
  readonly #callers = new Remembered<Caller>(maxCallers)
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Whether the cache has this document. */
  has(source: string): boolean {
    if (!this.#admitted.delete(source)) return false
    this.#admitted.add(source)
    return true
  }

  /** Admits a document that ran for this caller before, if the caller has not had too many admitted. */
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

  /** Remembers that a document ran. */
  note(caller: string, source: string): void {
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
