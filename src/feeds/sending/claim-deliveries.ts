import type { Database } from '../../database/database.ts'
import { execute, query } from '../../database/query.ts'
import { type EventDelivery, Prisma } from '../../generated/prisma/client.ts'
import { databaseTimeIn } from '../database-time.ts'
import { eventDeliveryColumns } from '../endpoints/rows.ts'
import {
  type CurrentEndpoint,
  type CurrentEndpointRow,
  currentEndpointColumns,
  currentEndpointIn,
} from './current-endpoint.ts'
import type { EndpointKey } from './due-endpoints.ts'

/** A queue that this process has claimed. Each recorded outcome changes the number of the claim. */
export type ClaimedQueue = EndpointKey & { key: string; claim: number }
/** `ageMs` is the time since the delivery was created or replayed. */
export type ClaimedDelivery = EventDelivery & { ageMs: number }
/** The first deliveries of a queue, in order. */
export type Claim = { queue: ClaimedQueue; endpoint: CurrentEndpoint; deliveries: ClaimedDelivery[] }

/** After this time without a renewal, another process can claim a queue. */
export const leaseMs = 5000

type ClaimLimits = { queues: number; each: number; except: string[] }

type Row = CurrentEndpointRow &
  ClaimedDelivery & { id: string | null; queueKey: string; claim: number; pending: number }

/**
 * Claims up to `queues` queues of an endpoint that are due, with up to `each` deliveries of each, for the time of a lease.
 * Leaves out the queues with the keys `except`.
 */
export async function claimDeliveries(db: Database, own: EndpointKey, limits: ClaimLimits): Promise<Claim[]> {
  const claims = new Map<string, Claim>()
  for (const row of await query<Row>(db, claimStatement(own, limits))) {
    const { queueKey: key, claim, pending, ...delivery } = row
    const queue = { ...own, key, claim }
    if (delivery.id === null) await emptyQueue(db, queue, pending)
    else if (claims.has(key)) claims.get(key)?.deliveries.push(delivery)
    else claims.set(key, { queue, endpoint: currentEndpointIn(row), deliveries: [delivery] })
  }
  return [...claims.values()]
}

function claimStatement(
  { workspaceID, endpointID }: EndpointKey,
  { queues, each, except }: ClaimLimits,
): Prisma.Sql {
  return Prisma.sql`
    WITH endpoint AS MATERIALIZED (
      SELECT * FROM event_endpoints
      WHERE workspace_id = ${workspaceID} AND id = ${endpointID} AND state = 'active' AND deleted_at IS NULL
    ), due AS MATERIALIZED (
      SELECT key FROM event_queues
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID}
        AND next_attempt_at <= now() AND EXISTS (SELECT FROM endpoint) AND key <> ALL (${except}::text[])
      ORDER BY next_attempt_at LIMIT ${queues} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE event_queues q SET claim = q.claim + 1, next_attempt_at = ${databaseTimeIn(leaseMs)}
      FROM due WHERE q.workspace_id = ${workspaceID} AND q.endpoint_id = ${endpointID} AND q.key = due.key
      RETURNING q.key AS "queueKey", q.claim, q.pending
    )
    SELECT ${eventDeliveryColumns}, extract(epoch FROM now() - d.started_at)::float8 * 1000 AS "ageMs",
      ${currentEndpointColumns}, claimed.*
    FROM claimed CROSS JOIN endpoint e LEFT JOIN LATERAL (
      SELECT * FROM event_deliveries
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = claimed."queueKey"
        AND status = 'pending'
      ORDER BY position LIMIT ${each} OFFSET 0
    ) AS d ON TRUE
    ORDER BY d.position`
}

// The sweep deletes old deliveries without updating `pending`. Therefore a queue can have no delivery left.
function emptyQueue(
  db: Database,
  { workspaceID, endpointID, key, claim }: ClaimedQueue,
  pending: number,
): Promise<number> {
  return execute(
    db,
    Prisma.sql`
    UPDATE event_queues SET pending = 0, next_attempt_at = NULL
    WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = ${key}
      AND claim = ${claim} AND pending = ${pending}`,
  )
}

/** Lets a process claim the queue again, after a pause. */
export async function releaseClaim(db: Database, queue: ClaimedQueue, pauseMs: number): Promise<void> {
  const { workspaceID, endpointID, key, claim } = queue
  await execute(
    db,
    Prisma.sql`
    UPDATE event_queues SET next_attempt_at = ${databaseTimeIn(pauseMs)}
    WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = ${key} AND claim = ${claim}
      AND pending > 0`,
  )
}
