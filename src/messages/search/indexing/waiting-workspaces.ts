import type { Database } from '../../../database/database.ts'
import { query } from '../../../database/query.ts'
import { changedWorkspaces } from '../../../events/changed-workspaces.ts'
import type { LastBatch } from '../../../events/last-batch.ts'
import { sequenceEvents } from '../../../events/sequence-events.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { beforeResponse, gauge } from '../../../platform/metrics.ts'

/** A workspace is quiet if nothing was written in it for this long. */
const quietMs = 1000
/** A busy workspace is indexed after at most this time. */
const maxWaitMs = 15_000

const lag = gauge(
  'skein_search_lag_seconds',
  'How long the oldest event waits to be indexed, as far as this process knows.',
)

export type Due = { workspaceID: string; lastNumber: bigint; isQuiet: boolean; waitedMs: number }

/** `since` is about the time of the oldest event that is not indexed, on the monotonic clock of this process. */
type Waiting = { lastNumber: bigint; since: number; changedAt: number }
type Found = { workspaceID: string; number: bigint }

/** The workspaces whose log has events that are not indexed, as far as this process knows. */
export class WaitingWorkspaces {
  readonly #db: Database
  readonly #waiting = new Map<string, Waiting>()
  #last: LastBatch | undefined

  /** Ends the measurement. */
  readonly stop: () => void

  constructor(db: Database) {
    this.#db = db
    this.stop = beforeResponse(() => {
      const waits = [...this.#waiting.values()].map(({ since }) => performance.now() - since)
      lag.set(Math.max(0, ...waits) / 1000)
    })
  }

  /** Returns the workspaces that are quiet, or have waited for `maxWaitMs`. */
  async due(): Promise<Due[]> {
    await sequenceEvents(this.#db)
    const { changed, last } = await changedWorkspaces(this.#db, this.#last)
    const found = changed ?? (await query<Found>(this.#db, notIndexed))
    this.#last = last
    const now = performance.now()
    for (const { workspaceID, number } of found) {
      const since = this.#waiting.get(workspaceID)?.since ?? now
      this.#waiting.set(workspaceID, { lastNumber: number, since, changedAt: now })
    }
    return [...this.#waiting].flatMap(([workspaceID, { lastNumber, since, changedAt }]) => {
      const [isQuiet, waitedMs] = [now - changedAt >= quietMs, now - since]
      return isQuiet || waitedMs >= maxWaitMs ? [{ workspaceID, lastNumber, isQuiet, waitedMs }] : []
    })
  }

  /** Records that the events of a workspace are indexed, except those of the last `behindMs`. */
  advance({ workspaceID }: Due, behindMs: number): void {
    const waiting = this.#waiting.get(workspaceID)
    if (waiting) waiting.since = Math.max(waiting.since, performance.now() - behindMs)
  }

  /** Removes a workspace that was indexed, unless it has changed since `due` returned it. */
  remove({ workspaceID, lastNumber }: Due): void {
    if (this.#waiting.get(workspaceID)?.lastNumber === lastNumber) this.#waiting.delete(workspaceID)
  }
}

// Used for the first look-up, and if the log has lost batches.
const notIndexed = Prisma.sql`
  SELECT h.workspace_id AS "workspaceID", (
    SELECT number FROM event_batches b
    WHERE b.workspace_id = h.workspace_id AND b.last_position <= h.position ORDER BY last_position DESC LIMIT 1
  ) AS number
  FROM event_heads h LEFT JOIN search_progress p ON p.workspace_id = h.workspace_id
  WHERE h.position > coalesce(p.position, 0)`
