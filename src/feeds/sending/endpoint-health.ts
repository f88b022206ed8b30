import { execute, query } from '../../database/query.ts'
import { type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'
import type { Shared } from '../fan-out/listener.ts'
import type { DeliveryStatus } from './record-attempt.ts'
import { givingUpMs } from './retry-schedule.ts'
import { tellOwner } from './tell-owner.ts'

/**
 * An endpoint is paused if it has failed for `givingUpMs` minus this time. The last attempt of a delivery is
 * `givingUpMs` after its start. The first delivery that fails starts slightly before `failingSince`. Without the
 * tolerance, the last attempt of this delivery would be too early to pause the endpoint.
 */
const toleranceMs = 5 * 60_000

/** Records when an endpoint begins to fail or succeeds again. Pauses it after three days. Disables it after a 410. */
export async function noteOutcome(
  shared: Shared,
  endpoint: EventEndpoint,
  { status, isGone }: { status: DeliveryStatus; isGone: boolean },
): Promise<void> {
  const { db } = shared
  if (status === 'succeeded') {
    if (endpoint.failingSince) await clearFailingSince(db, endpoint)
    return
  }
  const now = new Date()
  const since = endpoint.failingSince ?? (await setFailingSince(db, endpoint, now))
  if (isGone) return stop(shared, endpoint, since, 'disabled')
  if (now.getTime() - since.getTime() >= givingUpMs - toleranceMs)
    return stop(shared, endpoint, since, 'paused')
}

function clearFailingSince(db: Shared['db'], { workspaceID, id }: EventEndpoint): Promise<number> {
  return execute(
    db,
    Prisma.sql`
    UPDATE event_endpoints SET failing_since = NULL
    WHERE workspace_id = ${workspaceID} AND id = ${id} AND failing_since IS NOT NULL`,
  )
}

/** Returns the stored time. It is earlier than `since` if another delivery has just failed too. */
async function setFailingSince(
  db: Shared['db'],
  { workspaceID, id }: EventEndpoint,
  since: Date,
): Promise<Date> {
  const [stored] = await query<{ failingSince: Date }>(
    db,
    Prisma.sql`
    UPDATE event_endpoints SET failing_since = coalesce(failing_since, ${since.toISOString()}::timestamptz)
    WHERE workspace_id = ${workspaceID} AND id = ${id}
    RETURNING failing_since AS "failingSince"`,
  )
  return stored?.failingSince ?? since
}

// Sends the message before it changes the state. If the process ends in between, the next failure stops the
// endpoint, and updates the message, because the time in its uniqueBy is stored.
async function stop(
  shared: Shared,
  endpoint: EventEndpoint,
  since: Date,
  state: 'paused' | 'disabled',
): Promise<void> {
  const { workspaceID, id } = endpoint
  await tellOwner(shared, endpoint, { state, since }).catch((err: unknown) =>
    shared.log.warn({ err, endpointID: id }, 'the owner of an event endpoint could not be notified'),
  )
  await execute(
    shared.db,
    Prisma.sql`
    UPDATE event_endpoints SET state = ${state}, failing_since = ${since.toISOString()}::timestamptz
    WHERE workspace_id = ${workspaceID} AND id = ${id} AND state = 'active'`,
  )
  shared.log.warn({ endpointID: id, state }, 'an event endpoint was stopped')
}
