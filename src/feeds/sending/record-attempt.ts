import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RequestResult } from '../requests/read-response.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'dropped'
export type Attempt = Omit<RequestResult, 'retryAfter'> & { startedAt: Date; durationMs: number }

/** `nextAttemptAt` is the time of the next attempt for the queue. A dropped delivery has no attempt. */
type Outcome = { status: DeliveryStatus; nextAttemptAt: Date; attempt?: Attempt }

/** Records the outcome of a delivery. Resolves to false if another process has claimed the queue. */
export async function recordAttempt(
  db: Database,
  { queue, delivery }: ClaimedDelivery,
  { status, nextAttemptAt, attempt }: Outcome,
): Promise<boolean> {
  const { workspaceID, endpointID, key, claim } = queue
  const [done, made] = [status === 'pending' ? 0 : 1, attempt ? 1 : 0]
  const recorded = await query(
    db,
    Prisma.sql`
    WITH own AS (
      UPDATE event_queues SET pending = pending - ${done},
        next_attempt_at = CASE WHEN pending > ${done} THEN ${nextAttemptAt.toISOString()}::timestamptz END
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = ${key} AND claim = ${claim}
        AND pending > 0
      RETURNING workspace_id
    ), delivery AS (
      UPDATE event_deliveries d
      SET status = ${status}, attempt_count = d.attempt_count + ${made}, retry_count = d.retry_count + ${made}
      FROM own WHERE d.workspace_id = own.workspace_id AND d.id = ${delivery.id}
      RETURNING d.workspace_id, d.id, d.attempt_count
    ), attempt AS (
      INSERT INTO event_attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response)
      SELECT workspace_id, id, attempt_count, ${attempt?.startedAt.toISOString()}::timestamptz,
        ${attempt?.durationMs}::integer, ${attempt?.status}::smallint, ${attempt?.error}::text, ${attempt?.response}::text
      FROM delivery WHERE ${made} = 1
    )
    SELECT FROM own`,
  )
  return recorded.length > 0
}
