import type { Database } from '../../database/database.ts'
import { execute, query } from '../../database/query.ts'
import { type PrefixedRow, prefixRemover } from '../../database/rows.ts'
import { type EventDelivery, type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'
import { eventDeliveryColumns, prefixedEndpointColumns } from '../endpoints/rows.ts'
import type { EndpointKey } from './due-endpoints.ts'

/** A claim lasts this much longer than a request can last. After that, another process can claim the queue. */
const overheadMs = 20_000
/** The pause after a failure of the service itself, for example because the database is unavailable. */
const pauseAfterFailureMs = 5000

/** A claim of this process on a queue. It is valid until another process claims the queue. */
export type Claim = EndpointKey & { key: string; claim: number; pending: number }
export type ClaimedDelivery = { endpoint: EventEndpoint; queue: Claim; delivery: EventDelivery }

type Row = Omit<Claim, keyof EndpointKey> & EventDelivery & PrefixedRow<EventEndpoint, 'endpoint'>

const endpointIn = prefixRemover<EventEndpoint>('EventEndpoint', 'endpoint')

/** Claims up to `count` queues of an endpoint that are due, and returns the first delivery of each. */
export async function claimDeliveries(
  db: Database,
  own: EndpointKey,
  { count, now, timeoutMs }: { count: number; now: Date; timeoutMs: number },
): Promise<ClaimedDelivery[]> {
  const until = new Date(now.getTime() + timeoutMs + overheadMs)
  const statement = claimStatement(own, { count, now, until })
  const rows = await query<Row & { id: string | null }>(db, statement)
  const claims = rows.map(({ key, claim, pending, ...delivery }) => ({
    endpoint: endpointIn(delivery),
    queue: { ...own, key, claim, pending },
    delivery: { ...delivery, key },
  }))
  const empty = claims.filter(({ delivery }) => delivery.id === null)
  for (const { queue } of empty) await emptyQueue(db, queue)
  return claims.filter(({ delivery }) => delivery.id !== null)
}

function claimStatement(
  { workspaceID, endpointID }: EndpointKey,
  { count, now, until }: { count: number; now: Date; until: Date },
): Prisma.Sql {
  return Prisma.sql`
    WITH endpoint AS MATERIALIZED (
      SELECT * FROM event_endpoints
      WHERE workspace_id = ${workspaceID} AND id = ${endpointID} AND state = 'active' AND deleted_at IS NULL
    ), due AS MATERIALIZED (
      SELECT key FROM event_queues
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID}
        AND next_attempt_at <= ${now.toISOString()}::timestamptz AND EXISTS (SELECT FROM endpoint)
      ORDER BY next_attempt_at LIMIT ${count} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE event_queues q SET claim = q.claim + 1, next_attempt_at = ${until.toISOString()}::timestamptz
      FROM due WHERE q.workspace_id = ${workspaceID} AND q.endpoint_id = ${endpointID} AND q.key = due.key
      RETURNING q.key, q.claim, q.pending
    )
    SELECT ${eventDeliveryColumns}, ${prefixedEndpointColumns}, claimed.*
    FROM claimed CROSS JOIN endpoint e LEFT JOIN LATERAL (
      SELECT * FROM event_deliveries
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = claimed.key AND status = 'pending'
      ORDER BY position LIMIT 1 OFFSET 0
    ) AS d ON TRUE`
}

// The sweep deletes old deliveries without updating `pending`. Therefore a queue can have no delivery left.
function emptyQueue(db: Database, { workspaceID, endpointID, key, claim, pending }: Claim) {
  return execute(
    db,
    Prisma.sql`
    UPDATE event_queues SET pending = 0, next_attempt_at = NULL
    WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = ${key}
      AND claim = ${claim} AND pending = ${pending}`,
  )
}

/** Lets a process claim the queue again: immediately, or after a moment if the service failed. */
export async function releaseClaim(db: Database, queue: Claim, isImmediate: boolean): Promise<void> {
  const { workspaceID, endpointID, key, claim } = queue
  const next = new Date(Date.now() + (isImmediate ? 0 : pauseAfterFailureMs))
  await execute(
    db,
    Prisma.sql`
    UPDATE event_queues SET next_attempt_at = ${next.toISOString()}::timestamptz
    WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = ${key} AND claim = ${claim}
      AND pending > 0`,
  )
}
