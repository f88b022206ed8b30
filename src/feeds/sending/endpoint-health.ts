import type { Context, UserActor } from '../../context.ts'
import { execute, query } from '../../database/query.ts'
import { type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'
import { generalGroupID } from '../../groups/general-group-id.ts'
import { sendMessage } from '../../messages/send/send-message.ts'
import type { Shared } from '../fan-out/listener.ts'
import type { CurrentEndpoint } from './current-endpoint.ts'
import type { DeliveryStatus } from './record-outcome.ts'

/** The outcome of a delivery. `retryCount` is the number of its earlier attempts. */
type AttemptHealth = { status: DeliveryStatus; isGone: boolean; retryCount: number }

/**
 * Returns whether an attempt shows that its endpoint fails. If another delivery has succeeded since the first attempt of
 * this one, the endpoint refuses only this event.
 */
export function failsForAll(
  { failingSince }: EventEndpoint,
  { status, isGone, retryCount }: AttemptHealth,
): boolean {
  return status !== 'succeeded' && (isGone || retryCount === 0 || failingSince !== null)
}

/** Records when an endpoint begins to fail or succeeds again. Pauses it after three days. Disables it after a 410. */
export async function noteOutcome(
  shared: Shared,
  endpoint: CurrentEndpoint,
  health: AttemptHealth,
): Promise<void> {
  const { db } = shared
  const { status, isGone } = health
  if (status === 'dropped') return
  if (status === 'succeeded') {
    if (endpoint.failingSince) await clearFailingSince(db, endpoint)
    return
  }
  if (!failsForAll(endpoint, health)) return
  const since = endpoint.failingSince ?? (await setFailingSince(db, endpoint))
  if (!since) return
  if (isGone) return stop(shared, endpoint, since, 'disabled')
  if (endpoint.hasFailedTooLong) return stop(shared, endpoint, since, 'paused')
}

function clearFailingSince(db: Shared['db'], { workspaceID, id }: EventEndpoint): Promise<number> {
  return execute(
    db,
    Prisma.sql`
    UPDATE event_endpoints SET failing_since = NULL
    WHERE workspace_id = ${workspaceID} AND id = ${id} AND failing_since IS NOT NULL`,
  )
}

/** Returns the stored time, or undefined if the endpoint no longer exists. */
async function setFailingSince(
  db: Shared['db'],
  { workspaceID, id }: EventEndpoint,
): Promise<Date | undefined> {
  const [stored] = await query<{ failingSince: Date }>(
    db,
    Prisma.sql`
    UPDATE event_endpoints SET failing_since = coalesce(failing_since, now())
    WHERE workspace_id = ${workspaceID} AND id = ${id}
    RETURNING failing_since AS "failingSince"`,
  )
  return stored?.failingSince
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

type Stop = { state: 'paused' | 'disabled'; since: Date }

const senderScopes: UserActor['scopes'] = new Set(['threads.messages:write'])

/**
 * Sends a DM about a stopped endpoint to its creator, or to each admin of the workspace if the creator was deleted or
 * is the operator. The sender is the user of the app or of the webhook.
 */
async function tellOwner(shared: Shared, endpoint: EventEndpoint, stop: Stop): Promise<void> {
  const userID = await senderOf(shared, endpoint)
  if (userID === undefined) return
  const { workspaceID, id } = endpoint
  const actor: UserActor = { kind: 'user', workspaceID, userID, scopes: senderScopes }
  const ctx: Context = { ...shared, actor }
  const text = textOf(endpoint, stop, shared.config.eventTTLDays)
  const message = { text, uniqueBy: `${id} ${stop.since.getTime()}` }
  for (const ownerID of await ownersOf(shared, endpoint)) {
    if (ownerID !== userID) await sendMessage(ctx, { thread: { recipients: [ownerID] }, message })
  }
}

async function senderOf(
  { db }: Shared,
  { workspaceID, appID, webhookID }: EventEndpoint,
): Promise<string | undefined> {
  if (webhookID !== null)
    return (await db.webhook.findUnique({ where: { workspaceID_id: { workspaceID, id: webhookID } } }))
      ?.userID
  const key = { workspaceID, appID: appID ?? '' }
  const installed = await db.installation.findUnique({
    where: { workspaceID_appID: key, uninstalledAt: null },
  })
  return installed?.userID
}

async function ownersOf({ db }: Shared, { workspaceID, creatorID }: EventEndpoint): Promise<string[]> {
  const creator =
    creatorID && (await db.user.findFirst({ where: { workspaceID, id: creatorID, deletedAt: null } }))
  if (creator) return [creator.id]
  const where = { workspaceID, groupID: generalGroupID(workspaceID), role: 'admin' }
  return (await db.groupMember.findMany({ where, orderBy: { userID: 'asc' } })).map(({ userID }) => userID)
}

function textOf({ id, url }: EventEndpoint, { state, since }: Stop, keptDays: number): string {
  const host = `\`${new URL(url).host}\``
  const next = `Its new events are kept for ${keptDays === 1 ? 'one day' : `${keptDays} days`}. To continue, call \`enableEventEndpoint\` for \`${id}\`.`
  return state === 'disabled'
    ? `The event endpoint at ${host} answered that it is gone (410). Therefore it was disabled. ${next}`
    : `The event endpoint at ${host} has failed since ${since.toISOString()}. Therefore it was paused. ${next}`
}
