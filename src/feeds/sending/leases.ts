import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { databaseTimeIn } from '../database-time.ts'
import { type ClaimedQueue, leaseMs } from './claim-deliveries.ts'

const renewEveryMs = 1000

/** A queue that this process has claimed. `endsAt` is a time of `performance.now()`. */
export type Lease = { queue: ClaimedQueue; endsAt: number }

/** The leases of the claims that this process works on. It renews them while it lives and the database answers. */
export class Leases {
  readonly #held = new Set<Lease>()
  #timer: NodeJS.Timeout | undefined
  #isRenewing = false

  start(db: Database, onError: (error: unknown) => void): void {
    this.#timer ??= setInterval(() => {
      if (this.#isRenewing) return
      this.#isRenewing = true
      void this.#renew(db)
        .catch(onError)
        .finally(() => {
          this.#isRenewing = false
        })
    }, renewEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Returns the keys of the queues of an endpoint that this process still works on, even if their leases have ended. */
  keysOf(endpointID: string): string[] {
    return [...this.#held].flatMap(({ queue }) => (queue.endpointID === endpointID ? [queue.key] : []))
  }

  async hold<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    this.#held.add(lease)
    try {
      return await work()
    } finally {
      this.#held.delete(lease)
    }
  }

  async #renew(db: Database): Promise<void> {
    const due = [...this.#held].filter(
      ({ endsAt }) => endsAt - performance.now() < leaseMs - renewEveryMs / 2,
    )
    if (due.length === 0) return
    const endsAt = performance.now() + leaseMs
    const queues = due.map(({ queue }) => queue)
    const renewed = await query<{ number: bigint }>(db, renewStatement(queues))
    for (const { number } of renewed) {
      const lease = due[Number(number) - 1]
      if (lease) lease.endsAt = endsAt
    }
  }
}

// An outcome that was recorded meanwhile has changed the number of the claim.
function renewStatement(queues: readonly ClaimedQueue[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE event_queues q SET next_attempt_at = ${databaseTimeIn(leaseMs)}
    FROM unnest(
      ${queues.map(({ workspaceID }) => workspaceID)}::text[], ${queues.map(({ endpointID }) => endpointID)}::text[],
      ${queues.map(({ key }) => key)}::text[], ${queues.map(({ claim }) => claim)}::integer[]
    ) WITH ORDINALITY AS own (workspace_id, endpoint_id, key, claim, number)
    WHERE q.workspace_id = own.workspace_id AND q.endpoint_id = own.endpoint_id AND q.key = own.key
      AND q.claim = own.claim AND q.pending > 0
    RETURNING own.number`
}
