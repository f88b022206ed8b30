import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { histogram } from '../platform/metrics.ts'
import type { Signal } from '../platform/request-signal.ts'
import type { EventType } from './event-types.ts'
import { type LastBatch, latestBatch } from './last-batch.ts'
import { type LoggedEvent, type Place, readEvents, readNewBatches } from './read-events.ts'
import { Tail } from './tail.ts'

/** How many events of a workspace stay in memory while somebody follows it. */
const keptEvents = 1000

const deliveries = histogram(
  'skein_event_delivery_seconds',
  'The time from a write until this process has its event for its subscribers.',
)

type Follow = {
  /** Reads the events that are no longer in memory. */
  db: Database
  workspaceID: string
  after: Place
  types: readonly EventType[] | undefined
  threadID: string | undefined
  /** The time without an event after which an empty batch is returned. */
  idleMs: number
  signal: Signal
}

/** Events in order. Some may not match the filter. `upto` is the place to which the log was read. */
export type FollowedEvents = { events: readonly LoggedEvent[]; upto: Place }

/** Follows the log for all readers in this process. Each event is loaded once, whatever the number of readers. */
export class LiveLog {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  readonly #followed = new Map<string, { tail: Tail; readers: number }>()
  /** All events up to this batch are in the tails, or were in the log before the tails began. */
  #last: Promise<LastBatch> | undefined
  #isReading = false
  #hasMore = false

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
  }

  /** Reads what is new. Call it when the log may have advanced. */
  async advance(): Promise<void> {
    this.#hasMore = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#hasMore && this.#last) {
        this.#hasMore = false
        if (await this.#read(await this.#last)) this.#hasMore = true
      }
    } catch (error) {
      this.#onError(error)
    } finally {
      this.#isReading = false
    }
  }

  /**
   * Yields the events of a workspace, until the signal aborts. Begins with events that are already in the log. Throws
   * `unavailable` if the log has lost events.
   */
  async *follow({ db, workspaceID, after, ...filter }: Follow): AsyncGenerator<FollowedEvents, void, void> {
    const tail = this.#open(workspaceID)
    try {
      // Waits for the latest batch. The tail gets all later batches. Earlier ones are read from the log.
      await this.#last
      let upto = after
      // Can be later than `upto`, if the events between them do not match the filter.
      let { position } = after
      let isBehind = true
      while (!filter.signal.aborted) {
        const isStored: boolean = isBehind
        const batch: FollowedEvents | undefined = isStored
          ? await stored(db, { workspaceID, after: position, tail, ...filter })
          : inMemory(tail, position)
        if (batch && batch.upto.position > position) {
          upto = batch.upto
          position = upto.position
          yield batch
          continue
        }
        isBehind = !isStored && batch === undefined
        // The tail may have grown during a read of the log. Therefore only a look in memory shows that there is nothing.
        if (isStored || isBehind) continue
        const next = await tail.next(filter)
        if (next === undefined && !filter.signal.aborted) yield { events: [], upto }
        // A reader before the start of the tail has missed events. The next read of the log finds them, or a gap.
        if (position >= tail.start) position = Math.max(position, next ?? 0)
      }
    } finally {
      this.#close(workspaceID, tail)
    }
  }

  #open(workspaceID: string): Tail {
    this.#last ??= this.#latest()
    const followed = this.#followed.get(workspaceID) ?? { tail: new Tail(keptEvents), readers: 0 }
    followed.readers += 1
    this.#followed.set(workspaceID, followed)
    return followed.tail
  }

  #close(workspaceID: string, tail: Tail): void {
    const followed = this.#followed.get(workspaceID)
    // A tail that has failed was replaced.
    if (followed?.tail === tail && --followed.readers === 0) this.#forget(workspaceID)
  }

  // Without readers, this process stops reading the log. The next reader begins at the latest batch.
  #forget(workspaceID: string): void {
    this.#followed.delete(workspaceID)
    if (this.#followed.size === 0) this.#last = undefined
  }

  #latest(): Promise<LastBatch> {
    const latest = latestBatch(this.#db)
    // If the promise rejects, all readers that wait for it fail, and the next reader tries again.
    latest.catch(() => {
      if (this.#last === latest) this.#last = undefined
    })
    return latest
  }

  async #read(after: LastBatch): Promise<boolean> {
    const read = await readNewBatches(this.#db, after)
    // The last reader may have left, and a new reader may have begun at a later batch.
    if ((await this.#last) !== after) return true
    if (read) this.#last = Promise.resolve(read.last)
    for (const age of read?.ages ?? []) deliveries.observe(age)
    const failed = [...this.#followed].filter(([workspaceID, { tail }]) => {
      const events = read?.events.filter((event) => event.workspaceID === workspaceID)
      return !events || !tail.append(events)
    })
    for (const [workspaceID, { tail }] of failed) {
      this.#forget(workspaceID)
      tail.fail(logRestored())
    }
    if (failed.length > 0)
      this.#onError(new Error(`The event log has lost events: ended ${failed.length} tails`))
    return read !== undefined && !read.isEnd
  }
}

/** The positions of the lost events can belong to other events now. Clients connect again with their cursors. */
function logRestored(): AppError {
  const message = 'The database was restored to an earlier state. Connect again after your last cursor.'
  return new AppError('unavailable', message, { retryAfterSeconds: 1 })
}

type Stored = Pick<Follow, 'workspaceID' | 'types' | 'threadID'> & { after: number; tail: Tail }

async function stored(
  db: Database,
  { workspaceID, after, types, threadID, tail }: Stored,
): Promise<FollowedEvents | undefined> {
  const isMissing = tail.after(after) === undefined
  const threadIDs = threadID === undefined ? undefined : [threadID]
  const read = await readEvents(db, { workspaceID, after, types, threadIDs })
  // A tail that begins later proves that there were events in between.
  if (read.from > after || (isMissing && !read.upto)) throw logRestored()
  return read.upto && { events: read.events, upto: read.upto }
}

function inMemory(tail: Tail, position: number): FollowedEvents | undefined {
  const events = tail.after(position)
  return events && { events, upto: events.at(-1) ?? { position, tag: 0 } }
}
