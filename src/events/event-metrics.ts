import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { beforeResponse, gauge } from '../platform/metrics.ts'

const waiting = gauge('skein_event_notes_waiting', 'The writes whose events are not in the event log yet.')
const lag = gauge('skein_event_lag_seconds', 'The age of the oldest of them.')

/** Reads how far the event log is behind, for each response with metrics. The returned function ends that. */
export function measureEventLog(db: Database): () => void {
  return beforeResponse(async () => {
    waiting.remove()
    lag.remove()
    const [found] = await query<{ count: number; seconds: number }>(db, oldestNote)
    waiting.set(found?.count ?? 0)
    lag.set(found?.seconds ?? 0)
  })
}

const oldestNote = Prisma.sql`
  SELECT count(*)::integer AS count,
    coalesce(extract(epoch FROM clock_timestamp() - min(noted_at)), 0)::float8 AS seconds
  FROM event_notes`
