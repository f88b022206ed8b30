import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { databaseTimeIn } from '../database-time.ts'
import type { RequestResult } from '../requests/read-response.ts'
import type { ClaimedDelivery, ClaimedQueue } from './claim-deliveries.ts'
import {
  type CurrentEndpoint,
  type CurrentEndpointRow,
  currentEndpointColumns,
  currentEndpointIn,
} from './current-endpoint.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'dropped' | 'skipped'
export type Attempt = Omit<RequestResult, 'retryAfter'> & { startedAt: Date; durationMs: number }

/** A dropped delivery has no attempt. The queue is due again after `gapMs`. */
export type Outcome = { status: DeliveryStatus; gapMs: number; attempt?: Attempt }

/** What a recorded outcome leaves: the claim with its new number, and the endpoint as it is now. */
export type Recorded = { queue: ClaimedQueue; endpoint: CurrentEndpoint }

/**
 * Records the outcome of a delivery. If the claim is continued, it keeps its lease. Resolves to undefined if the claim has
 * another number, because another process has claimed the queue or the outcome is already recorded.
 */
export async function recordOutcome(
  db: Database,
  { workspaceID, endpointID, key, claim }: ClaimedQueue,
  { id }: ClaimedDelivery,
  { status, gapMs, attempt, isContinued }: Outcome & { isContinued: boolean },
): Promise<Recorded | undefined> {
  const [done, made] = [status === 'pending' ? 0 : 1, attempt ? 1 : 0]
  const next = isContinued ? Prisma.sql`next_attempt_at` : databaseTimeIn(gapMs)
  const [recorded] = await query<CurrentEndpointRow & { claim: number }>(
    db,
    Prisma.sql`
    WITH own AS (
      UPDATE event_queues SET claim = claim + 1, pending = pending - ${done},
        next_attempt_at = CASE WHEN pending > ${done} THEN ${next} END
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = ${key} AND claim = ${claim}
        AND pending > 0
      RETURNING workspace_id, endpoint_id, claim
    ), delivery AS (
      UPDATE event_deliveries d
      SET status = ${status}, attempt_count = d.attempt_count + ${made}, retry_count = d.retry_count + ${made}
      FROM own WHERE d.workspace_id = own.workspace_id AND d.id = ${id}
      RETURNING d.workspace_id, d.id, d.attempt_count
    ), attempt AS (
      INSERT INTO event_attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response)
      SELECT workspace_id, id, attempt_count, ${attempt?.startedAt.toISOString()}::timestamptz,
        ${attempt?.durationMs}::integer, ${attempt?.status}::smallint, ${attempt?.error}::text, ${attempt?.response}::text
      FROM delivery WHERE ${made} = 1
    )
    SELECT own.claim, ${currentEndpointColumns}
    FROM own JOIN event_endpoints e ON e.workspace_id = own.workspace_id AND e.id = own.endpoint_id`,
  )
  if (!recorded) return undefined
  const queue = { workspaceID, endpointID, key, claim: recorded.claim }
  return { queue, endpoint: currentEndpointIn(recorded) }
}
