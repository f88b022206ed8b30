import { AppError } from '../../errors.ts'
import type { Signal } from '../../platform/request-signal.ts'
import { FairSlots, TooManyWaiting } from '../../platform/scheduling/fair-slots.ts'

/** How many operations of a caller can wait for each of its slots. */
const waitingEach = 32
const retryAfterSeconds = 1

/** Gives each caller its own slots, so that no caller waits for the operations of another one. */
export class OperationsAtOnce {
  readonly #slots: FairSlots
  readonly #cheapSlots: FairSlots
  readonly #eventSlots: FairSlots
  readonly #max: number

  constructor(max: number) {
    this.#max = max
    const slots = { total: Number.POSITIVE_INFINITY, each: max }
    this.#slots = new FairSlots({ ...slots, waiting: max * waitingEach })
    this.#cheapSlots = new FairSlots({ ...slots, each: max * waitingEach })
    this.#eventSlots = new FairSlots(slots)
  }

  /** Runs work in a slot. An abort releases the slot, because aborted work starts nothing new and may never end. */
  async run<T>(caller: string, signal: Signal, work: () => Promise<T>): Promise<T> {
    const release = this.#slots.tryAcquire(caller) ?? (await this.#wait(caller, signal))
    return runAndRelease(release, signal, work)
  }

  /** Runs cheap work without a slot, so that its look-ups are batched. If too much of it runs, it needs a slot too. */
  async runCheap<T>(caller: string, signal: Signal, work: () => Promise<T>): Promise<T> {
    const release = this.#cheapSlots.tryAcquire(caller)
    return release ? runAndRelease(release, signal, work) : this.run(caller, signal, work)
  }

  /** Runs work for an event of a subscription. Any number can wait, because subscriptions have their own limit. */
  async runEvent<T>(caller: string, signal: Signal, work: () => Promise<T>): Promise<T> {
    return runAndRelease(await this.#eventSlots.acquire(caller, signal), signal, work)
  }

  async #wait(caller: string, signal: Signal): Promise<() => void> {
    try {
      return await this.#slots.acquire(caller, signal)
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error
      const message =
        `Too many concurrent operations: ${this.#max} are running, and ${this.#max * waitingEach} are ` +
        'waiting. Send fewer at a time.'
      throw new AppError('rate_limited', message, {
        retryAfterSeconds,
        limit: { name: 'operationsAtOnce', max: this.#max },
      })
    }
  }
}

async function runAndRelease<T>(release: () => void, signal: Signal, work: () => Promise<T>): Promise<T> {
  signal.addEventListener('abort', release)
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', release)
    release()
  }
}
