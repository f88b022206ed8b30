import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../deployment/requests.ts'
import type { Change, Interval } from '../history.ts'

type Requested = Omit<Change, keyof Interval | 'outcome'> & Partial<Pick<Change, 'outcome'>>

const retryMs = 100
/** The database can continue to run the statement of a killed process for a short time. */
export const settleMs = 500

/** Makes changes, and records what was requested and acknowledged. */
export class Recorder {
  readonly changes: Change[] = []
  /** Returns the URL of a process, for one attempt. */
  readonly url: () => string

  constructor(url: () => string) {
    this.url = url
  }

  /** Makes one attempt. `requested` returns its changes, or all possible changes if there is no answer. */
  async once<Value>(
    attempt: (url: string) => Promise<Answer<Value>>,
    requested: (value: Value | undefined) => Requested[],
  ): Promise<Value | undefined> {
    const startedAt = performance.now()
    const { outcome, value } = await attempt(this.url())
    const endedAt = outcome === 'acknowledged' ? performance.now() : Number.POSITIVE_INFINITY
    this.changes.push(...requested(value).map((change) => ({ ...change, outcome, startedAt, endedAt })))
    if (outcome !== 'acknowledged') await sleep(retryMs)
    return value
  }

  /**
   * Repeats an attempt until it is acknowledged. The attempts make the same changes, because a repetition changes
   * nothing. `requested` returns the changes.
   */
  async untilAcknowledged<Value>(
    attempt: (url: string) => Promise<Answer<Value>>,
    requested: (value: Value, isRepeated: boolean) => Requested[],
  ): Promise<Interval & { value: Value; isRepeated: boolean }> {
    const startedAt = performance.now()
    for (let isRepeated = false; ; isRepeated = true) {
      const { value } = await attempt(this.url())
      if (value === undefined) {
        await sleep(retryMs)
        continue
      }
      const made = { startedAt, endedAt: performance.now() }
      if (isRepeated) await sleep(settleMs)
      const changes = requested(value, isRepeated)
      this.changes.push(
        ...changes.map((change) => ({ outcome: 'acknowledged' as const, ...change, ...made })),
      )
      return { ...made, value, isRepeated }
    }
  }
}
