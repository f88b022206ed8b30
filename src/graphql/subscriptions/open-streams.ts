import { AppError } from '../../errors.ts'

const retryAfterSeconds = 10

/** The reason of a stream that ends because the process stops. */
export class ProcessStops extends Error {
  override readonly name = 'ProcessStops'
}

export type StreamLimits = { each: number; total: number }

/** Counts the subscriptions of this process, limits them for each caller, and can end all of them. */
export class OpenStreams {
  readonly #limits: StreamLimits
  readonly #callers = new Map<string, number>()
  readonly #open = new Set<AbortController>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Opens a stream of a caller. Aborting the returned controller ends the stream. */
  open(caller: string): AbortController {
    const own = this.#callers.get(caller) ?? 0
    this.#check('subscriptionsPerCaller', own, this.#limits.each)
    this.#check('subscriptions', this.#open.size, this.#limits.total)
    const stream = new AbortController()
    this.#callers.set(caller, own + 1)
    this.#open.add(stream)
    stream.signal.addEventListener('abort', () => this.#close(caller, stream), { once: true })
    return stream
  }

  /** Ends all streams, because the process stops. Clients connect again. */
  closeAll(): void {
    for (const stream of this.#open) stream.abort(new ProcessStops())
  }

  #close(caller: string, stream: AbortController): void {
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
