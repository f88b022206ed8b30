import { AppError } from '../../errors.ts'
import { RequestSignal } from '../../platform/request-signal.ts'

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
  readonly signal = new RequestSignal()
  readonly #seconds: number
  #leftMs: number
  isMutation = false

  constructor(seconds: number) {
    this.#seconds = seconds
    this.#leftMs = seconds * 1000
  }

  /** Returns the result of the work, or throws `timeout`. Later results of the work are ignored. */
  limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason)
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(this.signal.reason)
      this.signal.addEventListener('abort', onAbort)
      const timer = setTimeout(() => this.signal.abort(this.#timeout()), this.#leftMs)
      work()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          this.signal.removeEventListener('abort', onAbort)
          this.#leftMs -= performance.now() - startedAt
        })
    })
  }

  /** Like `limit`. Also aborts a read if its client disconnects. */
  run<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    const onClose = () => {
      // A mutation continues if its client disconnects, because the client expects the change.
      if (this.isMutation) return
      this.signal.abort(connectionClosed())
    }
    connection.once('close', onClose)
    return this.limit(work).finally(() => connection.off('close', onClose))
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
