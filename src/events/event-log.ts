import type { Database } from '../database/database.ts'
import type { Notifications } from '../database/notifications.ts'
import { inOwnTrace, type linkTo } from '../platform/tracing.ts'
import { sequenceEvents } from './sequence-events.ts'

const channel = 'skein_events'
/** The minimum time between the starts of two passes, and therefore between two notifications. */
const pauseMs = 20
/** The time after which a pass runs without a wake-up. */
const pollMs = 1000

/** A pass links to at most this many of the requests that have woken it. */
const maxLinks = 32

type Options = {
  notifications: Notifications
  onError: (error: unknown) => void
}

/** Moves the events of all processes into the log, and tells the readers in this process about new events. */
export class EventLog {
  readonly #db: Database
  readonly #options: Options
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isAwake = false
  #links: ReturnType<typeof linkTo>[] = []
  #isFailing = false
  #lastPassAt = 0
  #isStopped = false

  constructor(db: Database, options: Options) {
    this.#db = db
    this.#options = options
    options.notifications.on(channel, () => this.#tell())
  }

  start(): void {
    if (this.#isStopped || this.#timer) return
    this.#schedule(0)
    this.#options.notifications.start()
  }

  /**
   * Call it after a commit that may have noted events. A call is cheap, because it only sets a timer. The trace of the next
   * pass has the link.
   */
  wake(link?: ReturnType<typeof linkTo>): void {
    if (link && this.#links.length < maxLinks) this.#links.push(link)
    if (!this.#timer || this.#isAwake) return
    this.#isAwake = true
    if (!this.#running) this.#schedule(Math.max(0, this.#lastPassAt + pauseMs - performance.now()))
  }

  /** Calls a listener when the log may have new events. Returns a function that removes the listener. */
  onAdvance(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#options.notifications.stop()
    await this.#running
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#running = this.#run().finally(() => {
        this.#running = undefined
        this.#schedule(this.#isAwake ? pauseMs : pollMs)
      })
    }, ms).unref()
  }

  async #run(): Promise<void> {
    this.#isAwake = false
    this.#lastPassAt = performance.now()
    try {
      const links = this.#links
      this.#links = []
      const pass = () => sequenceEvents(this.#db)
      // A poll without a request is no trace, because there is one each second.
      const hasMoved = await (links.length > 0 ? inOwnTrace('sequencer pass', { links }, pass) : pass())
      this.#isFailing = false
      // A poll also tells the listeners, because a notification of another process can be lost.
      this.#tell()
      if (hasMoved) this.#options.notifications.send(channel)
    } catch (error) {
      // While the database is unavailable, every pass fails. Only the first failure is reported.
      if (!this.#isFailing) this.#options.onError(error)
      this.#isFailing = true
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
