import { AppError } from '../../errors.ts'

const retryAfterSeconds = 10

/** The abort reason of a stream that ends because the process stops. */
export class ProcessStops extends Error {
  override readonly name = 'ProcessStops'
}

export type StreamLimits = { each: number; total: number }

/** Counts the subscriptions of this process, limits them for each caller, and can end all of them. */
export class OpenStreams {
  readonly #limits: StreamLimits
  readonly #callers = new Map<string, number>()
  readonly #open = new Set<AbortController>()
  #isClosing = false

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Counts a stream of a caller until its controller aborts. Aborting the controller ends the stream. */
  add(caller: string, stream: AbortController): void {
    stream.signal.throwIfAborted()
    if (this.#isClosing)
      throw new AppError('unavailable', 'The service is stopping. Connect again.', { retryAfterSeconds: 1 })
    const own = this.#callers.get(caller) ?? 0
    this.#check('subscriptionsPerCaller', own, this.#limits.each)
    this.#check('subscriptions', this.#open.size, this.#limits.total)
    this.#callers.set(caller, own + 1)
    this.#open.add(stream)
    stream.signal.addEventListener('abort', () => this.#remove(caller, stream), { once: true })
  }

  /** Ends all streams and refuses new ones, because the process stops. Clients connect again. */
  closeAll(): void {
    this.#isClosing = true
    for (const stream of this.#open) stream.abort(new ProcessStops())
  }

  #remove(caller: string, stream: AbortController): void {
    const left = (this.#callers.get(caller) ?? 1) - 1
    if (left === 0) this.#callers.delete(caller)
    else this.#callers.set(caller, left)
    this.#open.delete(stream)
  }

  #check(name: string, open: number, max: number): void {
    if (open < max) return
    const message = `Too many subscriptions: ${open} are open, and the limit is ${max}. End one of them first.`
    throw new AppError('rate_limited', message, { retryAfterSeconds, limit: { name, max } })
  }
}
