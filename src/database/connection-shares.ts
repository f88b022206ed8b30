import { FairSlots } from '../platform/fair-slots.ts'

/** What a connection is used for: a statement of a few milliseconds, a longer statement, or several statements. */
export type Use = 'short' | 'long' | 'transaction'

/** Work of the service itself, or for several callers, has no caller. */
export type Taking = { caller?: string | undefined; use: Use; signal?: AbortSignal | undefined }

/**
 * Divides connections between callers, who take turns. Short statements never wait for long ones or transactions,
 * which get a part each. One caller's long statements leave a connection of their part to others, if it has several.
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
