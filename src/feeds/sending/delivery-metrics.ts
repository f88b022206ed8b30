import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { beforeResponse, counterBy, gauge, histogram } from '../../platform/metrics.ts'
import type { Outcome } from './record-outcome.ts'

const outcomes = ['succeeded', 'retried', 'failed', 'dropped'] as const
const deliveries = counterBy(
  'skein_deliveries_total',
  'The attempts to deliver an event to an endpoint.',
  'outcome',
  outcomes,
)
const durations = histogram('skein_delivery_duration_seconds', 'The time of a request to an endpoint.')
const backlog = gauge('skein_delivery_backlog', 'The deliveries of active endpoints that are pending.')
const oldest = gauge('skein_delivery_oldest_seconds', 'The age of the oldest of them.')
const endpoints = gauge('skein_endpoints', 'The event endpoints.', ['state'])

export function countDelivery({ status, attempt }: Outcome): void {
  if (attempt) durations.observe(attempt.durationMs / 1000)
  if (status === 'pending') deliveries.retried.add()
  else if (status !== 'skipped') deliveries[status].add()
}

type Row = { state: string; endpoints: number; pending: number; seconds: number }

/** Reads the endpoints and their backlog for each response with metrics. The returned function ends that. */
export function measureDeliveries(db: Database): () => void {
  return beforeResponse(async () => {
    for (const each of [backlog, oldest]) each.remove()
    endpoints.reset()
    const rows = await query<Row>(db, byState, { isLong: true })
    for (const { state, endpoints: count } of rows) endpoints.set({ state }, count)
    const active = rows.find(({ state }) => state === 'active')
    backlog.set(active?.pending ?? 0)
    oldest.set(active?.seconds ?? 0)
  })
}

const byState = Prisma.sql`
  SELECT e.state, count(*)::integer AS endpoints, coalesce(sum(q.pending), 0)::float8 AS pending,
    coalesce(max(extract(epoch FROM now() - d.started_at)), 0)::float8 AS seconds
  FROM event_endpoints e CROSS JOIN LATERAL (
    SELECT sum(pending) AS pending FROM event_queues
    WHERE workspace_id = e.workspace_id AND endpoint_id = e.id AND next_attempt_at IS NOT NULL OFFSET 0
  ) AS q LEFT JOIN LATERAL (
    SELECT started_at FROM event_deliveries
    WHERE workspace_id = e.workspace_id AND endpoint_id = e.id AND status = 'pending'
    ORDER BY created_at, id LIMIT 1 OFFSET 0
  ) AS d ON TRUE
  WHERE e.deleted_at IS NULL GROUP BY e.state`
