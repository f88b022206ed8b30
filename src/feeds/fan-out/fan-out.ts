import type { Context, UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { execute, query } from '../../database/query.ts'
import { endsOfLog, type LoggedEvent, readEvents } from '../../events/read-events.ts'
import { type EventEndpoint, type EventListener, Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { databaseTime } from '../database-time.ts'
import { eventEndpointColumns } from '../endpoints/rows.ts'
import { listenerOf, type Shared, typesOf, wants } from './listener.ts'

const checkedAtOnce = 100

/**
 * Creates an endpoint's deliveries for the next part of a workspace's log. Resolves to the number of their events.
 * Several processes can run it.
 */
export async function fanOut(shared: Shared, listener: EventListener): Promise<number> {
  const { db } = shared
  const endpoint = await activeEndpointOf(db, listener)
  if (!endpoint) return 0
  const { eventWorkspaceID: workspaceID } = listener
  const after = Number(listener.position)
  const read = await readEvents(db, { workspaceID, after, types: typesOf(endpoint) })
  // Old events may have been deleted before the listener could read them.
  const upto = read.upto?.position ?? Math.max(after, (await endsOfLog(db, workspaceID)).kept)
  const actor = await listenerOf(db, endpoint, workspaceID)
  const events = actor ? await wantedOf({ ...shared, actor }, endpoint, read.events) : []
  await advanceListener(db, listener, { upto, events })
  return events.length
}

async function activeEndpointOf(
  db: Database,
  { workspaceID, endpointID }: EventListener,
): Promise<EventEndpoint | undefined> {
  const [endpoint] = await query<EventEndpoint>(
    db,
    Prisma.sql`
    SELECT ${eventEndpointColumns} FROM event_endpoints e
    WHERE workspace_id = ${workspaceID} AND id = ${endpointID} AND state = 'active' AND deleted_at IS NULL`,
  )
  return endpoint
}

async function wantedOf(
  ctx: Context<UserActor>,
  endpoint: EventEndpoint,
  events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
  const wanted: LoggedEvent[] = []
  for (let begin = 0; begin < events.length; begin += checkedAtOnce) {
    const part = events.slice(begin, begin + checkedAtOnce)
    const isWanted = await Promise.all(part.map((event) => wants(ctx, endpoint, event)))
    wanted.push(...part.filter((_event, index) => isWanted[index]))
  }
  return wanted
}

type Advance = { upto: number; events: readonly LoggedEvent[] }

/** Creates deliveries of events, and moves the listener to `upto`. Does nothing if another process has moved it. */
async function advanceListener(
  db: Database,
  { workspaceID, endpointID, eventWorkspaceID, position }: EventListener,
  { upto, events }: Advance,
): Promise<void> {
  const counts = new Map<string, number>()
  for (const key of events.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  await execute(
    db,
    Prisma.sql`
    WITH moved AS (
      UPDATE event_listeners SET position = ${upto}::bigint, is_resuming = FALSE
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND event_workspace_id = ${eventWorkspaceID}
        AND position = ${position}::bigint
      RETURNING workspace_id, endpoint_id, event_workspace_id
    ), delivered AS (
      INSERT INTO event_deliveries (workspace_id, endpoint_id, event_workspace_id, id, key, position, tag, type,
        thread_id, object_id, details, event_created_at, started_at, created_at)
      SELECT moved.*, d.*, ${databaseTime}, ${databaseTime}
      FROM moved CROSS JOIN unnest(
        ${events.map(() => newID('dlv'))}::text[], ${events.map(keyOf)}::text[],
        ${events.map(({ position }) => position)}::bigint[], ${events.map(({ tag }) => tag)}::integer[],
        ${events.map(({ type }) => type)}::text[],
        ${events.map(({ threadID }) => threadID)}::text[], ${events.map(({ objectID }) => objectID)}::text[],
        ${events.map(({ details }) => details && JSON.stringify(details))}::jsonb[],
        ${events.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[]) AS d
    ), queued AS (
      INSERT INTO event_queues AS q (workspace_id, endpoint_id, key, pending, next_attempt_at)
      SELECT workspace_id, endpoint_id, k.key, k.count, ${databaseTime}
      FROM moved CROSS JOIN unnest(
        ${[...counts.keys()]}::text[], ${[...counts.values()]}::integer[]) AS k (key, count)
      ORDER BY k.key COLLATE "C"
      ON CONFLICT (workspace_id, endpoint_id, key) DO UPDATE
      SET pending = q.pending + excluded.pending,
        next_attempt_at = coalesce(q.next_attempt_at, excluded.next_attempt_at)
    )
    SELECT FROM moved`,
  )
}

// Events of one thread, or of one object, are delivered in their order.
function keyOf({ threadID, workspaceID, objectID }: LoggedEvent): string {
  return threadID ?? `${workspaceID} ${objectID}`
}
