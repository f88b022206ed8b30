import type { Signal } from '../platform/request-signal.ts'
import { FairSlots } from '../platform/scheduling/fair-slots.ts'

/** The use of a connection: a statement of a few milliseconds, a longer statement, or several statements. */
export type Use = 'short' | 'long' | 'transaction'

/** `caller` is undefined for work of the service itself, and for work for several callers. */
export type ConnectionRequest = { caller?: string | undefined; use: Use; signal?: Signal | undefined }

/** Shares connections between callers. With four or more connections, short statements never wait for other uses. */
export class ConnectionShares {
  readonly #slots: Record<Use, FairSlots>

  constructor(connections: number) {
    this.#slots = {
      short: slots(connections),
      long: slots(connections / 4, 1),
      transaction: slots(connections / 2),
    }
  }

  async run<T>({ caller = '', use, signal }: ConnectionRequest, work: () => Promise<T>): Promise<T> {
    const slots = this.#slots[use]
    const release = slots.tryAcquire(caller) ?? (await slots.acquire(caller, signal))
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
