import { batcher } from '../database/batches/batcher.ts'
import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { counter } from '../platform/metrics.ts'

const lockKey = 0x736b_6576
/** A pass moves at most about this many events. The events of one note are always moved together. */
const eventsPerPass = 2000
const notesPerPass = 1000

const sequenced = counter(
  'skein_events_sequenced_total',
  'The events that this process has moved into the event log.',
)

/** Moves all events that are committed before the call into the log. Resolves to whether it moved any. */
export function sequenceEvents(db: Database): Promise<boolean> {
  return sequence(db, '', undefined)
}

/** `notes` and `events` count what a pass chose. `moved` counts the notes that no other pass had moved before. */
type Pass = { notes: number; events: number; moved: number }

const sequence = batcher<undefined, boolean>({ running: 1, calls: 10_000 }, async (db, calls) => {
  let hasMoved = false
  for (let isFull = true; isFull; ) {
    const [{ notes, events, moved } = { notes: 0, events: 0, moved: 0 }] = await query<Pass>(
      db,
      passStatement,
    )
    hasMoved ||= moved > 0
    if (moved > 0) sequenced.add(events)
    isFull = notes === notesPerPass || events >= eventsPerPass
  }
  return calls.map(() => hasMoved)
})

// Only one pass runs at a time. Therefore the numbers of the batches have the order of the commits. A pass that waited
// for the lock skips the notes that the other pass has deleted. A statement gets the number of its note after it has
// locked the thread or group. Therefore the notes of one thread are numbered in the order of the commits, and every
// snapshot that has a note also has the earlier notes of the same thread. A pass takes the lowest numbers.
//
// A FULL JOIN is never a nested loop. PostgreSQL expects few workspaces. Therefore it would use a nested loop for an
// inner join, and compare each workspace with all others.
const passStatement = Prisma.sql`
  WITH chosen AS MATERIALIZED (
    SELECT workspace_id, number, size
    FROM (SELECT pg_advisory_xact_lock(${Prisma.raw(String(lockKey))}) IS NULL AS waited OFFSET 0) AS lock
    CROSS JOIN LATERAL (
      SELECT workspace_id, number, sum(cardinality(types)) OVER (ORDER BY number) AS upto, cardinality(types) AS size
      FROM (SELECT * FROM event_notes ORDER BY number LIMIT ${Prisma.raw(String(notesPerPass))}) AS oldest
    ) AS counted WHERE upto - size < ${Prisma.raw(String(eventsPerPass))}
  ), moved AS (
    DELETE FROM event_notes n USING chosen
    WHERE n.workspace_id = chosen.workspace_id AND n.number = chosen.number
    RETURNING n.*
  ), batch AS (
    SELECT workspace_id, count(*) AS count, array_agg(type) AS types, array_agg(thread_id) AS thread_ids,
      array_agg(object_id) AS object_ids, CASE WHEN count(details) > 0 THEN array_agg(details) END AS details,
      array_agg(noted_at) AS times
    FROM (
      SELECT m.workspace_id, m.noted_at, e.*
      FROM moved m CROSS JOIN LATERAL unnest(m.types, m.thread_ids, m.object_ids, m.details)
        WITH ORDINALITY AS e (type, thread_id, object_id, details, place)
      ORDER BY m.workspace_id, m.number, e.place
    ) AS event
    GROUP BY workspace_id
  ), head AS (
    INSERT INTO event_heads AS h (workspace_id, position) SELECT workspace_id, count FROM batch ORDER BY workspace_id
    ON CONFLICT (workspace_id) DO UPDATE SET position = h.position + excluded.position
    RETURNING workspace_id, position
  ), added AS (
    INSERT INTO event_batches (workspace_id, last_position, types, thread_ids, object_ids, details, times)
    SELECT workspace_id, position, types, thread_ids, object_ids, details, times FROM batch FULL JOIN head USING (workspace_id)
  )
  SELECT count(*)::integer AS notes, coalesce(sum(size), 0)::integer AS events,
    (SELECT count(*) FROM moved)::integer AS moved
  FROM chosen`
