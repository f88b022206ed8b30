import { storeCalls } from './store-calls.ts'
import { callsPerWebhook, type NewCall } from './webhook-call.ts'

type Shared = Omit<Parameters<typeof storeCalls>[0], 'calls'>

const writtenEveryMs = 1000
/** Limits of what one statement writes. */
const mostCalls = 200
const mostCharacters = 4 * 1024 * 1024

/**
 * Collects the last calls of each webhook, and writes them at most once a second in one statement, so that a post costs
 * almost nothing more. Calls beyond the limits, and calls whose statement fails, are not stored.
 */
export class CallLog {
  readonly #shared: Shared
  readonly #onError: (error: unknown) => void
  #collected = new Map<string, NewCall[]>()
  #count = 0
  #characters = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(shared: Shared, onError: (error: unknown) => void) {
    this.#shared = shared
    this.#onError = onError
  }

  record(call: NewCall): void {
    const calls = this.#collected.get(call.webhook.id) ?? []
    const share = Math.floor(mostCalls / Math.max(this.#collected.size, 1))
    if (calls.length >= Math.min(callsPerWebhook, Math.max(share, 1))) this.#removeOldest(calls)
    else if (this.#count === mostCalls) this.#removeOldest(this.#most(calls))
    if (this.#count === mostCalls) return
    const isTooLong = this.#characters + charactersOf(call) > mostCharacters
    const kept = isTooLong ? { ...call, content: null } : call
    calls.push(kept)
    this.#collected.set(call.webhook.id, calls)
    this.#count += 1
    this.#characters += charactersOf(kept)
    this.#schedule()
  }

  #removeOldest(calls: NewCall[]): void {
    const oldest = calls.shift()
    if (!oldest) return
    this.#count -= 1
    this.#characters -= charactersOf(oldest)
    if (calls.length === 0) this.#collected.delete(oldest.webhook.id)
  }

  /** Returns the calls of the webhook with the most calls, so that one busy webhook does not hide the others. */
  #most(calls: NewCall[]): NewCall[] {
    let most = calls
    for (const others of this.#collected.values()) if (others.length > most.length) most = others
    return most
  }

  /** Writes what has been collected. Never throws. */
  async flush(): Promise<void> {
    await this.#writing
    clearTimeout(this.#timer)
    this.#timer = undefined
    const calls = [...this.#collected.values()].flat()
    // Another caller may have started a write meanwhile.
    if (calls.length === 0) return this.#writing
    this.#collected = new Map()
    this.#count = 0
    this.#characters = 0
    this.#writing = storeCalls({ ...this.#shared, calls })
      .catch(this.#onError)
      .finally(() => {
        this.#writing = undefined
        this.#schedule()
      })
    return this.#writing
  }

  #schedule(): void {
    if (this.#timer || this.#writing || this.#count === 0) return
    this.#timer = setTimeout(() => void this.flush(), writtenEveryMs)
    this.#timer.unref()
  }
}

function charactersOf({ content }: NewCall): number {
  return content ? content.query.length + content.body.length : 0
}
