import { setMaxListeners } from 'node:events'
import { AppError } from '../../errors.ts'

/** A response or a WebSocket. */
type Connection = {
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

export function connectionClosed(): AppError {
  return new AppError('invalid_input', 'The connection was closed before the response was sent.')
}

/** The time limit of a request. The time between pieces of work, while the body arrives, does not count. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #seconds: number
  #leftMs: number
  /** Rejects the result of the work in progress. This costs less than a listener of the signal. */
  #reject: ((reason: unknown) => void) | undefined
  isMutation = false

  constructor(seconds: number) {
    this.#seconds = seconds
    this.#leftMs = seconds * 1000
    // Each read in flight adds a listener. Node warns from the eleventh on.
    setMaxListeners(0, this.signal)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Returns the result of the work, or throws `timeout`. Later results of the work are ignored. */
  limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason)
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      this.#reject = reject
      const timer = setTimeout(() => this.#abort(this.#timeout()), this.#leftMs)
      work()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          this.#leftMs -= performance.now() - startedAt
        })
    })
  }

  /** Like `limit`. Also aborts a read if its client disconnects. */
  run<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    const onClose = () => {
      // A mutation continues if its client disconnects, because the client expects the change.
      if (this.isMutation) return
      this.#abort(connectionClosed())
    }
    connection.once('close', onClose)
    return this.limit(work).finally(() => connection.off('close', onClose))
  }

  #abort(reason: AppError): void {
    this.#controller.abort(reason)
    this.#reject?.(reason)
  }

  #timeout(): AppError {
    const limit = { name: 'seconds', max: this.#seconds } as const
    const what = `The request exceeded the time limit of ${this.#seconds} s and was stopped.`
    return this.isMutation
      ? new AppError(
          'timeout',
          `${what} It is unknown whether the change was made. Check before you send the request again.`,
          {
            limit,
          },
        )
      : new AppError('timeout', `${what} Send a smaller request.`, { limit })
  }
}
