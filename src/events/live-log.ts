import type { Database } from '../database/database.ts'
import type { EventType } from './event-types.ts'
import { type LoggedEvent, latestBatch, readEvents, readNewBatches } from './read-events.ts'
import { Tail } from './tail.ts'

/** How many events of a workspace stay in memory while somebody follows it. */
const keptEvents = 1000

type Follow = {
  /** Reads the events that are no longer in memory. */
  db: Database
  workspaceID: string
  after: number
  types: readonly EventType[] | undefined
  threadID: string | undefined
  /** The time without an event after which an empty batch is returned. */
  idleMs: number
  signal: AbortSignal
}

/** Events in order. Some may not match the filter. `upto` is the position to which the log was read. */
export type FollowedEvents = { events: readonly LoggedEvent[]; upto: number }

/** Follows the log for all readers in this process. Each event is loaded once, whatever the number of readers. */
export class LiveLog {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  readonly #followed = new Map<string, { tail: Tail; readers: number }>()
  #number: Promise<bigint> | undefined
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
      while (this.#hasMore && this.#number) {
        this.#hasMore = false
        if (await this.#read(await this.#number)) this.#hasMore = true
      }
    } catch (error) {
      this.#onError(error)
    } finally {
      this.#isReading = false
    }
  }

  /** Yields the events of a workspace, until the signal aborts. Begins with events that are already in the log. */
  async *follow({ db, workspaceID, after, ...filter }: Follow): AsyncGenerator<FollowedEvents, void, void> {
    const tail = this.#open(workspaceID)
    try {
      // Waits for the number of the latest batch. The tail gets all later batches. Earlier ones are read from the log.
      await this.#number
      let position = after
      let isBehind = true
      while (!filter.signal.aborted) {
        const batch: FollowedEvents | undefined = isBehind
          ? await stored(db, workspaceID, position, filter)
          : inMemory(tail, position)
        isBehind = batch === undefined || (isBehind && batch.upto > position)
        if (!batch) continue
        if (batch.upto > position) yield batch
        position = batch.upto
        if (isBehind || (tail.after(position)?.length ?? 1) > 0) continue
        const next = await tail.next(filter)
        if (next === undefined && !filter.signal.aborted) yield { events: [], upto: position }
        position = Math.max(position, next ?? 0)
      }
    } finally {
      this.#close(workspaceID)
    }
  }

  #open(workspaceID: string): Tail {
    this.#number ??= this.#latest()
    const followed = this.#followed.get(workspaceID) ?? { tail: new Tail(keptEvents), readers: 0 }
    followed.readers += 1
    this.#followed.set(workspaceID, followed)
    return followed.tail
  }

  #close(workspaceID: string): void {
    const followed = this.#followed.get(workspaceID)
    if (followed && --followed.readers === 0) this.#followed.delete(workspaceID)
    // Without readers, this process stops reading the log. The next reader begins at the latest batch.
    if (this.#followed.size === 0) this.#number = undefined
  }

  #latest(): Promise<bigint> {
    const latest = latestBatch(this.#db)
    // If the promise rejects, all readers that wait for it fail, and the next reader tries again.
    latest.catch(() => {
      if (this.#number === latest) this.#number = undefined
    })
    return latest
  }

  async #read(after: bigint): Promise<boolean> {
    const { events, number, isEnd } = await readNewBatches(this.#db, after)
    // The last reader may have left, and a new reader may have begun at a later batch.
    if ((await this.#number) !== after) return true
    this.#number = Promise.resolve(number)
    for (const [workspaceID, { tail }] of this.#followed)
      tail.append(events.filter((event) => event.workspaceID === workspaceID))
    return !isEnd
  }
}

function stored(
  db: Database,
  workspaceID: string,
  after: number,
  { types, threadID }: Pick<Follow, 'types' | 'threadID'>,
): Promise<FollowedEvents> {
  const threadIDs = threadID === undefined ? undefined : [threadID]
  return readEvents(db, { workspaceID, after, types, threadIDs })
}

function inMemory(tail: Tail, position: number): FollowedEvents | undefined {
  const events = tail.after(position)
  return events && { events, upto: events.at(-1)?.position ?? position }
}
