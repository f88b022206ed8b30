import type { Context, UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { endsOfLog, type LoggedEvent, readEvents } from '../../events/read-events.ts'
import { type EventEndpoint, type EventListener, Prisma } from '../../generated/prisma/client.ts'
import { eventEndpointColumns } from '../endpoints/rows.ts'
import { advanceListener } from './advance-listener.ts'
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
  const upto = read.upto > after ? read.upto : Math.max(after, (await endsOfLog(db, workspaceID)).kept)
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
