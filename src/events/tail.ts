import type { Signal } from '../platform/request-signal.ts'
import type { LoggedEvent } from './read-events.ts'

/** The latest events of a workspace in memory, and the readers that wait for more. */
export class Tail {
  readonly #kept: number
  readonly #waiting = new Map<string, Set<(position: number) => void>>()
  #events: LoggedEvent[] = []
  #failure: Error | undefined
  /** The position before the first event that was ever added. */
  start = 0

  constructor(kept: number) {
    this.#kept = kept
  }

  /** Adds events, and wakes the readers that wait for one of them. Returns false if they do not follow the last one. */
  append(events: LoggedEvent[]): boolean {
    const [first] = events
    if (!first) return true
    if (this.#events.length === 0) this.start = first.position - 1
    const [last = { position: this.start }] = this.#events.slice(-1)
    if (events.some(({ position }, index) => position !== last.position + 1 + index)) return false
    this.#events = [...this.#events, ...events].slice(-Math.max(this.#kept, events.length))
    for (const key of new Set([anyThread, ...events.map(({ threadID }) => threadID ?? '')]))
      this.#wake(key, first.position - 1)
    return true
  }

  /** Wakes all readers. From now on, `after` throws this error. */
  fail(failure: Error): void {
    this.#failure = failure
    for (const key of [...this.#waiting.keys()]) this.#wake(key, 0)
  }

  /** Returns the events after a position, or undefined if some of them are no longer in memory. */
  after(position: number): LoggedEvent[] | undefined {
    if (this.#failure) throw this.#failure
    const first = this.#events[0]?.position
    if (first === undefined) return []
    return position < first - 1 ? undefined : this.#events.slice(position - first + 1)
  }

  /**
   * Waits for the next event, or for the next event of a thread. Resolves to undefined after `idleMs`, or when the
   * signal aborts. Otherwise resolves to a position before this event, which skips only events of other threads.
   */
  next(options: {
    threadID: string | undefined
    idleMs: number
    signal: Signal
  }): Promise<number | undefined> {
    const { threadID: key = anyThread, idleMs, signal } = options
    if (signal.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const readers = this.#waiting.get(key) ?? new Set()
      this.#waiting.set(key, readers)
      const finish = (position?: number) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        readers.delete(finish)
        if (readers.size === 0 && this.#waiting.get(key) === readers) this.#waiting.delete(key)
        resolve(position)
      }
      const abort = () => finish()
      const timer = setTimeout(abort, idleMs)
      signal.addEventListener('abort', abort, { once: true })
      readers.add(finish)
    })
  }

  #wake(key: string, position: number): void {
    const readers = this.#waiting.get(key)
    this.#waiting.delete(key)
    for (const wake of readers ?? []) wake(position)
  }
}

const anyThread = '*'
