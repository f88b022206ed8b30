import { installationColumns } from '../../apps/rows.ts'
import { webhookColumns } from '../../apps/webhooks/rows.ts'
import type { Context, UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import type { EventType } from '../../events/event-types.ts'
import type { LoggedEvent } from '../../events/read-events.ts'
import { type EventEndpoint, type Installation, Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { findMessage } from '../../messages/access.ts'
import { isScope } from '../../scopes.ts'
import { threadOf } from '../../threads/access.ts'
import { canHear } from '../can-hear.ts'
import { matches } from '../event-filter.ts'

/** A context without a caller. */
export type Shared = Omit<Context, 'actor' | 'signal'>

/** The scopes of a webhook's endpoint in the threads that the webhook started. */
const webhookScopes: UserActor['scopes'] = new Set(['threads:read'])
const none: UserActor['scopes'] = new Set()

/**
 * Returns the user of the app or webhook. The endpoint receives the events that this user can see. The user
 * has no scopes if the app is uninstalled, or if the webhook is disabled or deleted.
 */
export async function listenerOf(
  db: Database,
  { workspaceID: ownWorkspaceID, appID, webhookID }: EventEndpoint,
  workspaceID: string,
): Promise<UserActor | undefined> {
  if (appID === null) return webhookListener(db, ownWorkspaceID, webhookID ?? '')
  const [installed] = await query<Installation>(
    db,
    Prisma.sql`
    SELECT ${installationColumns} FROM installations i WHERE workspace_id = ${workspaceID} AND app_id = ${appID}`,
  )
  if (!installed) return undefined
  const scopes = installed.uninstalledAt ? none : new Set(installed.scopes.filter(isScope))
  return { kind: 'user', workspaceID, userID: installed.userID, appID, scopes }
}

async function webhookListener(
  db: Database,
  workspaceID: string,
  id: string,
): Promise<UserActor | undefined> {
  const [webhook] = await query<Webhook>(
    db,
    Prisma.sql`SELECT ${webhookColumns} FROM webhooks h WHERE workspace_id = ${workspaceID} AND id = ${id}`,
  )
  if (!webhook) return undefined
  const isActive = !webhook.disabledAt && !webhook.deletedAt
  return { kind: 'user', workspaceID, userID: webhook.userID, scopes: isActive ? webhookScopes : none }
}

/** Returns the types that an endpoint wants, or undefined for all types. */
export function typesOf({ types }: EventEndpoint): EventType[] | undefined {
  return types.length > 0 ? (types as EventType[]) : undefined
}

/** Returns whether the endpoint wants an event and may receive it. */
export async function wants(
  ctx: Context<UserActor>,
  endpoint: EventEndpoint,
  event: LoggedEvent,
): Promise<boolean> {
  const types = typesOf(endpoint)
  const groupID = endpoint.groupID ?? undefined
  if (!(await matches(ctx, { types: types && new Set(types), threadID: undefined, groupID }, event)))
    return false
  return isForOwner(ctx, endpoint, event)
}

export async function mayHear(
  ctx: Context<UserActor>,
  endpoint: EventEndpoint,
  event: LoggedEvent,
): Promise<boolean> {
  return (await canHear(ctx, event)) && isForOwner(ctx, endpoint, event)
}

// The endpoint of a webhook receives only the events of threads that the webhook started, and the presses on its buttons.
async function isForOwner(
  ctx: Context<UserActor>,
  { webhookID }: EventEndpoint,
  { type, objectID, threadID, workspaceID }: LoggedEvent,
): Promise<boolean> {
  if (webhookID === null) return true
  const { userID } = ctx.actor
  if (type === 'message.buttonPressed') return (await findMessage(ctx, objectID))?.authorID === userID
  return threadID !== null && (await threadOf(ctx, workspaceID, threadID)).startedByID === userID
}
