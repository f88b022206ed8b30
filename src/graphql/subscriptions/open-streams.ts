import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { gauge } from '../../platform/metrics.ts'

const retryAfterSeconds = 10

const subscriptions = gauge('skein_subscriptions', 'The open subscriptions.', ['transport'])
export type Transport = 'sse' | 'websocket'

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
  add(caller: string, stream: AbortController, transport: Transport): void {
    stream.signal.throwIfAborted()
    if (this.#isClosing)
      throw new AppError('unavailable', 'The service is stopping. Connect again.', { retryAfterSeconds: 1 })
    const own = this.#callers.get(caller) ?? 0
    this.#check('subscriptionsPerCaller', own, this.#limits.each)
    this.#check('subscriptions', this.#open.size, this.#limits.total)
    this.#callers.set(caller, own + 1)
    this.#open.add(stream)
    subscriptions.inc({ transport })
    stream.signal.addEventListener('abort', () => this.#remove(caller, stream, transport), { once: true })
  }

  /**
   * Refuses new streams and ends all, because the process stops. Clients connect again. Spreads the ends over a time, so
   * that the clients do not all come back at once.
   */
  async closeAll(overMs: number): Promise<void> {
    this.#isClosing = true
    const [streams, begun] = [[...this.#open], performance.now()]
    for (const [index, stream] of streams.entries()) {
      const waitMs = begun + (overMs * index) / streams.length - performance.now()
      if (waitMs > 1) await sleep(waitMs)
      stream.abort(new ProcessStops())
    }
  }

  #remove(caller: string, stream: AbortController, transport: Transport): void {
    subscriptions.dec({ transport })
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
