import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

/**
 * How long a request may take, and whether anyone waits for its answer. Its signal aborts when the time is over, and
 * when the client hangs up: that only stops what reads, since a client that sent a change wants it done. Several pieces
 * of work share the time; what passes between them, while the body arrives, does not count.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #seconds: number
  #leftMs: number
  /** Whether the request changes something; known before anything runs. */
  isMutation = false

  constructor(seconds: number) {
    this.#seconds = seconds
    this.#leftMs = seconds * 1000
    // One for each read under way, which may be many: Node warns from the eleventh on.
    setMaxListeners(0, this.signal)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** What the work gives, if it does in time. Throws `timeout`; whatever becomes of the work then, nobody hears. */
  keep<T>(response: ServerResponse, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const abort = (reason: AppError) => {
        this.#controller.abort(reason)
        reject(reason)
      }
      const timer = setTimeout(() => abort(this.#timeout()), this.#leftMs)
      const hangUp = () => {
        if (!this.isMutation) abort(new AppError('invalid_input', 'The request broke off.'))
      }
      response.once('close', hangUp)
      work()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          this.#leftMs -= performance.now() - startedAt
          response.off('close', hangUp)
        })
    })
  }

  #timeout(): AppError {
    const limit = { name: 'seconds', max: this.#seconds } as const
    const what = `The request took longer than ${this.#seconds} s, which is the limit, and was stopped.`
    return this.isMutation
      ? new AppError(
          'timeout',
          `${what} Whether the change was made is not known: look before you send it again.`,
          {
            limit,
          },
        )
      : new AppError('timeout', `${what} Ask for less at a time.`, { limit })
  }
}
