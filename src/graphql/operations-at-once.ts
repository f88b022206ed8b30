import { AppError } from '../errors.ts'
import { FairSlots, TooManyWaiting } from '../platform/fair-slots.ts'

/** How many operations of one caller may wait, for each one that runs. */
const waitingEach = 32
const retryAfterSeconds = 1

/**
 * Runs so many operations of each caller at once; more wait for those. Each caller has its own slots, so nobody waits for
 * the operations of another.
 */
export class OperationsAtOnce {
  readonly #slots: FairSlots
  readonly #max: number

  constructor(max: number) {
    this.#max = max
    this.#slots = new FairSlots({ total: Number.POSITIVE_INFINITY, each: max, waiting: max * waitingEach })
  }

  /**
   * What the work gives. Once the signal aborts, the work counts no longer: nothing of it begins after that, and some of
   * it might never end. Throws `rate_limited` if too many wait already, and the signal's reason if it aborts before.
   */
  async run<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = this.#slots.take(caller) ?? (await this.#wait(caller, signal))
    signal.addEventListener('abort', release)
    try {
      return await work()
    } finally {
      signal.removeEventListener('abort', release)
      release()
    }
  }

  async #wait(caller: string, signal: AbortSignal): Promise<() => void> {
    try {
      return await this.#slots.acquire(caller, signal)
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error
      const message = `${this.#max} operations run at once, and ${this.#max * waitingEach} more wait. Send fewer at a time.`
      throw new AppError('rate_limited', message, {
        retryAfterSeconds,
        limit: { name: 'operationsAtOnce', max: this.#max },
      })
    }
  }
}
