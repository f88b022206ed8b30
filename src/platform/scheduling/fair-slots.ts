import { RequestSignal, type Signal } from '../request-signal.ts'
import { FairQueue } from './fair-queue.ts'

type SlotLimits = {
  total: number
  each: number
  /** The maximum number of requests of one key that wait. By default, any number. */
  waiting?: number
}

type SlotRequest = { key: string; grant: (release: () => void) => void }

export class TooManyWaiting extends Error {}

export class WaitedTooLong extends Error {
  constructor() {
    super('No slot became free in time')
  }
}

/** Slots that keys share fairly. A slot that becomes free goes to the waiting keys in turn. */
export class FairSlots {
  readonly #limits: SlotLimits
  readonly #waiting = new FairQueue<SlotRequest>()
  readonly #heldBy = new Map<string, number>()
  #held = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.size()
  }

  /** Acquires a slot if one is free. Returns the function that releases it, which can be called more than once. */
  tryAcquire(key: string): (() => void) | undefined {
    return this.#isFree(key) ? this.#hold(key) : undefined
  }

  async acquire(key: string, signal?: Signal): Promise<() => void> {
    signal?.throwIfAborted()
    return this.tryAcquire(key) ?? this.#wait(key, signal)
  }

  /** Like `acquire`, but throws `WaitedTooLong` after the time. */
  async acquireWithin(ms: number, key: string): Promise<() => void> {
    const limit = new RequestSignal()
    const timer = setTimeout(() => limit.abort(new WaitedTooLong()), ms)
    return this.acquire(key, limit).finally(() => clearTimeout(timer))
  }

  #wait(key: string, signal: Signal | undefined): Promise<() => void> {
    const { waiting: most = Number.POSITIVE_INFINITY } = this.#limits
    if (this.#waiting.size(key) >= most) throw new TooManyWaiting()
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.remove(key, waiting)
        reject(signal?.reason)
      }
      const grant = (release: () => void) => {
        signal?.removeEventListener('abort', leave)
        resolve(release)
      }
      const waiting = { key, grant }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(key, waiting)
    })
  }

  #isFree = (key: string): boolean =>
    this.#held < this.#limits.total && (this.#heldBy.get(key) ?? 0) < this.#limits.each

  #hold(key: string): () => void {
    this.#held += 1
    this.#heldBy.set(key, (this.#heldBy.get(key) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) this.#release(key)
      isHeld = false
    }
  }

  #release(key: string): void {
    const left = (this.#heldBy.get(key) ?? 1) - 1
    this.#held -= 1
    if (left === 0) this.#heldBy.delete(key)
    else this.#heldBy.set(key, left)
    if (this.#waiting.size() === 0) return
    const next = this.#waiting.shift(this.#isFree)
    next?.grant(this.#hold(next.key))
  }
}
