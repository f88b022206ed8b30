import { histogram } from '../platform/metrics.ts'
import type { Signal } from '../platform/request-signal.ts'
import { FairSlots } from '../platform/scheduling/fair-slots.ts'

/** The use of a connection: a statement of a few milliseconds, a longer statement, several statements, or background. */
export type Use = 'short' | 'long' | 'transaction' | 'background'

/** `caller` is undefined for work of the service itself, and for work for several callers. */
export type ConnectionRequest = { caller?: string | undefined; use: Use; signal?: Signal | undefined }

const waits = histogram(
  'skein_db_wait_seconds',
  'The time that a statement or transaction of a request waits for a connection.',
)

/** At most so many statements are in flight on the background connection, so that a new caller waits only for these. */
const backgroundStatements = 8

/**
 * Shares connections between callers. Work without a signal fails if it waits longer than `maxWaitMs`. With four or more
 * connections, short statements never wait for other uses.
 */
export class ConnectionShares {
  readonly #slots: Record<Use, FairSlots>
  readonly #maxWaitMs: number

  constructor(connections: number, maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
    this.#slots = {
      short: slots(connections),
      long: slots(connections / 4, 1),
      transaction: slots(connections / 2),
      background: slots(backgroundStatements, 1),
    }
  }

  /** The number of statements and transactions that wait for one of the connections for requests. */
  get waiting(): number {
    const { background: _, ...forRequests } = this.#slots
    return Object.values(forRequests).reduce((sum, { waiting }) => sum + waiting, 0)
  }

  async run<T>({ caller = '', use, signal }: ConnectionRequest, work: () => Promise<T>): Promise<T> {
    const slots = this.#slots[use]
    const began = performance.now()
    const wait = () => (signal ? slots.acquire(caller, signal) : slots.acquireWithin(this.#maxWaitMs, caller))
    const release = slots.tryAcquire(caller) ?? (await wait())
    if (use !== 'background') waits.observeSince(began)
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
