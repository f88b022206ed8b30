import type { Database } from '../database/database.ts'
import { execute } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { EventDetails, EventType } from './event-types.ts'

/** `objectID` is the message, thread, group, user, app or webhook that changed. */
export type EventNote = { type: EventType; objectID: string; threadID?: string; details?: EventDetails }

/** Call it after `tx` has locked what it changes, because the order of the notes becomes the order of the events. */
export async function noteEvents(
  tx: Database,
  workspaceID: string,
  notes: readonly EventNote[],
): Promise<void> {
  if (notes.length === 0) return
  const hasDetails = notes.some(({ details }) => details)
  const details = notes.map((note) => (note.details ? JSON.stringify(note.details) : null))
  await execute(
    tx,
    Prisma.sql`
    INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids, details)
    VALUES (${workspaceID}, ${notes.map(({ type }) => type)}::text[],
      ${notes.map(({ threadID }) => threadID ?? null)}::text[], ${notes.map(({ objectID }) => objectID)}::text[],
      ${hasDetails ? details : null}::jsonb[])`,
  )
}

/**
 * Returns a CTE that notes events in the same statement. `events` selects `workspace_id`, `type`, `thread_id` and
 * `object_id`, in the order of the events, and with `hasDetails` also the details as jsonb.
 */
export function notingEvents(events: Prisma.Sql, { hasDetails = false } = {}): Prisma.Sql {
  const [column, all] = hasDetails
    ? [Prisma.sql`, details`, Prisma.sql`, array_agg(details)`]
    : [Prisma.empty, Prisma.empty]
  return Prisma.sql`, noted AS (
      INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids ${column})
      SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id) ${all}
      FROM (${events}) AS event (workspace_id, type, thread_id, object_id ${column}) GROUP BY workspace_id
    )`
}

/** Returns a CTE that notes at most one event in the same statement, without the cost of `GROUP BY`. */
export function notingEvent(event: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`, noted AS (
      INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
      SELECT workspace_id, ARRAY[type], ARRAY[thread_id], ARRAY[object_id]
      FROM (${event}) AS event (workspace_id, type, thread_id, object_id)
    )`
}
