import type { Place } from '../../events/read-events.ts'

/** A thread whose entry in the caller's list changed. Without a thread, the whole list may have changed. */
export type InboxChange = { threadID: string | undefined; upto: Place }

/** If more threads than this have changed, they become one change of the whole list. */
const maxThreads = 500

/** Collects the changes that a subscriber has not received. Several changes of a thread become one. */
export class InboxChanges {
  readonly #threads = new Set<string | undefined>()
  #delivered: Place
  #read: Place
  #isClosed = false
  #wake = () => {}

  /** `upto` is the place in the log up to which the subscriber has received everything. */
  constructor(upto: Place) {
    this.#delivered = upto
    this.#read = upto
  }

  add(threadIDs: readonly (string | undefined)[], upto = this.#read): void {
    for (const threadID of threadIDs) this.#threads.add(threadID)
    if (this.#threads.size > maxThreads) {
      this.#threads.clear()
      this.#threads.add(undefined)
    }
    this.#read = upto
    if (this.#threads.size > 0) this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Waits for changes and takes them. Only the last change has the new place, because a reader may stop earlier. */
  async take(): Promise<InboxChange[] | undefined> {
    while (this.#threads.size === 0 && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (this.#threads.size === 0) return undefined
    const changes = [...this.#threads].map((threadID) => ({ threadID, upto: this.#delivered }))
    this.#threads.clear()
    this.#delivered = this.#read
    return changes.map((change, index) =>
      index < changes.length - 1 ? change : { ...change, upto: this.#delivered },
    )
  }
}
