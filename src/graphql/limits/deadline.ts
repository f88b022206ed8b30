import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { AppError } from '../../errors.ts'

/** The time limit of a request. The time between pieces of work, while the body arrives, does not count. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #seconds: number
  #leftMs: number
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
  run<T>(response: ServerResponse, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const abort = (reason: AppError) => {
        this.#controller.abort(reason)
        reject(reason)
      }
      const timer = setTimeout(() => abort(this.#timeout()), this.#leftMs)
      const onClose = () => {
        // A mutation continues if its client disconnects, because the client expects the change.
        if (!this.isMutation)
          abort(new AppError('invalid_input', 'The connection was closed before the response was sent.'))
      }
      response.once('close', onClose)
      work()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          this.#leftMs -= performance.now() - startedAt
          response.off('close', onClose)
        })
    })
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
