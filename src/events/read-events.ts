import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { EventDetails, EventType } from './event-types.ts'
import { isLost, type LastBatch } from './last-batch.ts'

/** A place in the log of a workspace. `position` counts the events from 1, and `tag` is the tag of the event's batch. */
export type Place = { position: number; tag: number }

/** `objectID` is what changed. */
export type LoggedEvent = Place & {
  workspaceID: string
  type: EventType
  threadID: string | null
  objectID: string
  details: EventDetails | null
  createdAt: Date
}

/** The maximum number of events that are read at once. A read can exceed it, because a batch is never split. */
const eventsPerRead = 2000
const batchesPerRead = 500
const newBatchesPerRead = 100

// The events of batches `b`, as `part`.
const joinEvents = Prisma.sql`
  CROSS JOIN LATERAL unnest(b.types, b.thread_ids, b.object_ids, b.details, b.times)
    WITH ORDINALITY AS part (type, thread_id, object_id, details, created_at, place)`
const eventColumns = Prisma.sql`
  b.last_position - cardinality(b.types) + part.place AS position, part.type, part.thread_id AS "threadID",
  part.object_id AS "objectID", part.details, part.created_at AS "createdAt", b.tag`

type Read = { events: LoggedEvent[]; from: number; upto: Place | undefined }
type Filter = { types?: readonly EventType[] | undefined; threadIDs?: readonly string[] | undefined }
type Row = Omit<LoggedEvent, 'position' | 'type'> & {
  position: bigint
  type: EventType | null
  from: bigint
  upto: bigint
  uptoTag: number
}

/**
 * Reads the events after a position that match the filter. The log was read up to the place `upto`, which is undefined if
 * there is nothing after the position. If `from` is after the position, the events between them are missing.
 */
export async function readEvents(
  db: Database,
  { workspaceID, after, types, threadIDs }: Filter & { workspaceID: string; after: number },
): Promise<Read> {
  const rows = await query<Row>(
    db,
    Prisma.sql`
    WITH batch AS MATERIALIZED (
      SELECT * FROM (
        SELECT b.*, sum(cardinality(b.types)) OVER (ORDER BY last_position) AS total FROM (
          SELECT * FROM event_batches
          WHERE workspace_id = ${workspaceID} AND last_position > ${after}::bigint
          ORDER BY last_position LIMIT ${Prisma.raw(String(batchesPerRead))}
        ) AS b
      ) AS counted WHERE total - cardinality(types) < ${Prisma.raw(String(eventsPerRead))}
    )
    SELECT ${workspaceID} AS "workspaceID", read.*, e.*
    FROM (
      SELECT min(last_position - cardinality(types)) AS "from", max(last_position) AS upto,
        (array_agg(tag ORDER BY last_position DESC))[1] AS "uptoTag"
      FROM batch
    ) AS read LEFT JOIN (
      SELECT ${eventColumns} FROM batch b ${joinEvents}
    ) AS e ON e.position > ${after}::bigint
      AND (${types ?? null}::text[] IS NULL OR e.type = ANY (${types ?? null}::text[]))
      AND (${threadIDs ?? null}::text[] IS NULL OR e."threadID" = ANY (${threadIDs ?? null}::text[]))
    WHERE read.upto IS NOT NULL ORDER BY e.position`,
    { isLong: true },
  )
  const events = rows.flatMap(({ from: _from, upto: _upto, uptoTag: _tag, position, type, ...event }) =>
    type === null ? [] : [{ ...event, type, position: Number(position) }],
  )
  const [read] = rows
  if (!read) return { events, from: after, upto: undefined }
  return { events, from: Number(read.from), upto: { position: Number(read.upto), tag: read.uptoTag } }
}

/** `ages` are the seconds since each event was written. */
type NewBatches = { events: LoggedEvent[]; ages: number[]; last: LastBatch; isEnd: boolean }
type NewRow = Omit<LoggedEvent, 'position'> & { number: bigint; position: bigint; age: number }

/** Reads the next batches of all workspaces after the batch `after`. Returns undefined if the log has lost this batch. */
export async function readNewBatches(db: Database, after: LastBatch): Promise<NewBatches | undefined> {
  const rows = await query<NewRow>(
    db,
    // The first row is the last event of the batch `after`.
    Prisma.sql`
    SELECT b.number, b.workspace_id AS "workspaceID", ${eventColumns},
      extract(epoch FROM clock_timestamp() - part.created_at)::float8 AS age
    FROM (
      SELECT * FROM event_batches WHERE number >= ${after.number} ORDER BY number LIMIT ${newBatchesPerRead}
    ) AS b ${joinEvents} WHERE b.number > ${after.number} OR part.place = cardinality(b.types)
    ORDER BY b.number, part.place`,
  )
  const read = rows.map((row) => ({ ...row, position: Number(row.position) }))
  const found = read.find(({ number }) => number === after.number)
  if (await isLost(db, after, found)) return undefined
  const batches = new Set(read.map(({ number }) => number)).size
  const events = read.filter((row) => row !== found)
  return {
    events,
    ages: events.map(({ age }) => age),
    last: events.at(-1) ?? after,
    isEnd: batches < newBatchesPerRead,
  }
}

/** Returns the tag of the batch with a position, or 0 if the log does not have this position. */
export async function tagAt(db: Database, workspaceID: string, position: number): Promise<number> {
  const [batch] = await query<{ tag: number }>(
    db,
    Prisma.sql`
    SELECT tag FROM (
      SELECT * FROM event_batches WHERE workspace_id = ${workspaceID} AND last_position >= ${position}::bigint
      ORDER BY last_position LIMIT 1
    ) AS next WHERE last_position - cardinality(types) < ${position}::bigint`,
  )
  return batch?.tag ?? 0
}

/** Returns the position of the last event, and the position after which all events are kept. */
export async function endsOfLog(db: Database, workspaceID: string): Promise<{ head: number; kept: number }> {
  const [ends] = await query<{ head: bigint; kept: bigint }>(
    db,
    Prisma.sql`
    SELECT h.position AS head, coalesce((
      SELECT b.last_position - cardinality(b.types) FROM event_batches b
      WHERE b.workspace_id = ${workspaceID} ORDER BY b.last_position LIMIT 1), h.position) AS kept
    FROM event_heads h WHERE h.workspace_id = ${workspaceID}`,
  )
  return ends ? { head: Number(ends.head), kept: Number(ends.kept) } : { head: 0, kept: 0 }
}
