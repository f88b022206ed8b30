import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { EventDetails, EventType } from './event-types.ts'

/** `position` counts the events of a workspace from 1. `objectID` is what changed. */
export type LoggedEvent = {
  workspaceID: string
  position: number
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
  part.object_id AS "objectID", part.details, part.created_at AS "createdAt"`

type Read = { events: LoggedEvent[]; upto: number }
type Filter = { types?: readonly EventType[] | undefined; threadIDs?: readonly string[] | undefined }
type Row = Omit<LoggedEvent, 'position' | 'type'> & { position: bigint; type: EventType | null; upto: bigint }

/** Reads the events after a position that match the filter. `upto` is the position to which the log was read. */
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
    SELECT ${workspaceID} AS "workspaceID", upto.position AS upto, e.*
    FROM (SELECT max(last_position) AS position FROM batch) AS upto LEFT JOIN (
      SELECT ${eventColumns} FROM batch b ${joinEvents}
    ) AS e ON e.position > ${after}::bigint
      AND (${types ?? null}::text[] IS NULL OR e.type = ANY (${types ?? null}::text[]))
      AND (${threadIDs ?? null}::text[] IS NULL OR e."threadID" = ANY (${threadIDs ?? null}::text[]))
    WHERE upto.position IS NOT NULL ORDER BY e.position`,
    { isLong: true },
  )
  const events = rows.flatMap(({ upto, position, type, ...event }) =>
    type === null ? [] : [{ ...event, type, position: Number(position) }],
  )
  return { events, upto: rows[0] ? Number(rows[0].upto) : after }
}

type NewBatches = { events: LoggedEvent[]; number: bigint; isEnd: boolean }
type NewRow = Omit<LoggedEvent, 'position'> & { number: bigint; position: bigint }

/** Reads the next batches of all workspaces after the batch `after`. `number` is the number of the last batch read. */
export async function readNewBatches(db: Database, after: bigint): Promise<NewBatches> {
  const rows = await query<NewRow>(
    db,
    Prisma.sql`
    SELECT b.number, b.workspace_id AS "workspaceID", ${eventColumns}
    FROM (
      SELECT * FROM event_batches WHERE number > ${after} ORDER BY number LIMIT ${newBatchesPerRead}
    ) AS b ${joinEvents} ORDER BY b.number, part.place`,
  )
  const events = rows.map(({ number: _number, position, ...event }) => ({
    ...event,
    position: Number(position),
  }))
  const number = rows.at(-1)?.number ?? after
  const batches = new Set(rows.map((row) => row.number)).size
  return { events, number, isEnd: batches < newBatchesPerRead }
}

/** Returns the number of the latest batch. Batches that are committed later have higher numbers. */
export async function latestBatch(db: Database): Promise<bigint> {
  const [latest] = await query<{ number: bigint }>(
    db,
    Prisma.sql`SELECT number FROM event_batches ORDER BY number DESC LIMIT 1`,
  )
  return latest?.number ?? 0n
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
