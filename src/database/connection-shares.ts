import { FairSlots } from '../platform/fair-slots.ts'

/** What a connection is taken for: one statement that is answered within milliseconds, one that may take longer, or several. */
export type Use = 'short' | 'long' | 'transaction'

/** Who takes a connection, and for what. Work of the service itself, or for several callers, has no caller. */
export type Taking = { caller?: string | undefined; use: Use; signal?: AbortSignal | undefined }

/**
 * Divides the connections of a pool between its callers, who take turns. Long statements and transactions get a part of
 * the connections each, so that short statements never wait for those. One caller's long statements leave one connection
 * of their part to the others, if it has several.
 */
export class ConnectionShares {
  readonly #slots: Record<Use, FairSlots>

  constructor(connections: number) {
    this.#slots = {
      short: slots(connections),
      long: slots(connections / 4, 1),
      transaction: slots(connections / 2),
    }
  }

  /** Runs the work when it is its turn. If the signal aborts before that, the work does not begin. */
  async run<T>({ caller = '', use, signal }: Taking, work: () => Promise<T>): Promise<T> {
    const slots = this.#slots[use]
    const release = slots.take(caller) ?? (await slots.acquire(caller, signal))
    try {
      return await work()
    } finally {
      release()
    }
  }
}

function slots(part: number, leftToOthers = 0): FairSlots {
  const total = Math.max(1, Math.round(part))
  return new FairSlots({ total, each: Math.max(1, total - leftToOthers) })
}
