import { z } from 'zod'
import { appsManagedBy, findApp } from '../../apps/access.ts'
import { findWebhook, webhooksManagedBy } from '../../apps/webhooks/access.ts'
import type { Entry } from '../../audit/record.ts'
import { type Actor, type Context, requireScope } from '../../context.ts'
import { selectLoader } from '../../database/loader.ts'
import { query, rowsBy } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { type App, type EventEndpoint, Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { eventEndpointColumns } from './rows.ts'

type Action = 'read' | 'write'

// A caller who manages an app or a webhook also manages its endpoints.
function isManaged(actor: Actor): Prisma.Sql {
  return Prisma.sql`e.deleted_at IS NULL AND (
    EXISTS (SELECT FROM ${appsManagedBy(actor)} WHERE a.workspace_id = e.workspace_id AND a.id = e.app_id OFFSET 0)
    OR EXISTS (
      SELECT FROM ${webhooksManagedBy(actor)} WHERE h.workspace_id = e.workspace_id AND h.id = e.webhook_id OFFSET 0))`
}

const loadManaged = selectLoader<Context, EventEndpoint>(({ actor }, workspaceID, ids) => {
  const rows = rowsBy('id', ids, { table: 'event_endpoints', alias: 'e', workspaceID })
  return Prisma.sql`SELECT ${eventEndpointColumns} FROM ${rows} WHERE ${isManaged(actor)}`
})

/** Finds an endpoint that the caller manages. For the operator, searches all workspaces. */
export async function findEndpoint(
  ctx: Context,
  id: string,
  action: Action = 'read',
): Promise<EventEndpoint | null> {
  const { db, actor } = ctx
  const isID = prefixOf(id) === 'end'
  if (actor.kind === 'operator') {
    if (!isID) return null
    const [found] = await query<EventEndpoint>(
      db,
      Prisma.sql`
      SELECT ${eventEndpointColumns} FROM (SELECT * FROM event_endpoints WHERE id = ${id} OFFSET 0) AS e
      WHERE ${isManaged(actor)}`,
    )
    return found ?? null
  }
  const found = isID ? await loadManaged(ctx, actor.workspaceID, id) : undefined
  requireScope(ctx, found?.webhookID ? `webhooks:${action}` : `apps:${action}`)
  return found ?? null
}

export async function accessEndpoint(ctx: Context, id: string, action?: Action): Promise<EventEndpoint> {
  const endpoint = await findEndpoint(ctx, id, action)
  if (!endpoint) throw notFound('event endpoint')
  return endpoint
}

const endpointInput = z.object({ endpointID: id })
export type EndpointInput = z.input<typeof endpointInput>

/** Returns the endpoint that the input of a mutation names. The caller must be able to change it. */
export function endpointToChange(ctx: Context, input: EndpointInput): Promise<EventEndpoint> {
  return accessEndpoint(ctx, parseInput(endpointInput, input).endpointID, 'write')
}

type Owner = Pick<EventEndpoint, 'workspaceID' | 'appID' | 'webhookID'>

/** Returns the endpoints of an app in order of creation, or null if the caller does not manage it. */
export async function endpointsOfApp(
  ctx: Context,
  { workspaceID, id }: App,
): Promise<EventEndpoint[] | null> {
  return (await findApp(ctx, id)) && endpointsOf(ctx, { workspaceID, appID: id, webhookID: null })
}

export async function endpointsOfWebhook(
  ctx: Context,
  { workspaceID, id }: Webhook,
): Promise<EventEndpoint[] | null> {
  return (await findWebhook(ctx, id)) && endpointsOf(ctx, { workspaceID, appID: null, webhookID: id })
}

function endpointsOf({ db }: Context, { workspaceID, appID, webhookID }: Owner): Promise<EventEndpoint[]> {
  return db.eventEndpoint.findMany({
    where: { workspaceID, appID, webhookID, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** Returns the entry of the audit log for a change of an endpoint, which has no name. */
export function entryOf(
  action: Entry['action'],
  { workspaceID, id }: Pick<EventEndpoint, 'workspaceID' | 'id'>,
  details: NonNullable<Entry['details']> = {},
): Entry {
  return { action, workspaceID, object: { id }, details }
}
