import { accessApp } from '../../apps/access.ts'
import { requireOwnScopes } from '../../apps/require-creator.ts'
import { accessWebhook } from '../../apps/webhooks/access.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'

export type Owner = Pick<EventEndpoint, 'workspaceID' | 'appID' | 'webhookID'>

/** Returns the named app or webhook. The caller must manage it, and must have the scope to change it. */
export async function accessOwner(
  ctx: Context,
  { appID, webhookID }: { appID?: string | null | undefined; webhookID?: string | null | undefined },
): Promise<Owner> {
  if (appID != null) {
    const { workspaceID } = await accessApp(ctx, appID, 'apps:write')
    return { workspaceID, appID, webhookID: null }
  }
  const { workspaceID, id } = await accessWebhook(ctx, webhookID ?? '', 'webhooks:write')
  return { workspaceID, appID: null, webhookID: id }
}

/** Throws unless the caller has all scopes with which the endpoints of the app or webhook receive events. */
export async function requireHearing(ctx: Context, { workspaceID, appID }: Owner): Promise<void> {
  if (ctx.actor.kind === 'operator') return
  if (appID === null) return requireScope(ctx, 'threads:read')
  const installations = await ctx.db.installation.findMany({
    where: { appWorkspaceID: workspaceID, appID, uninstalledAt: null },
    select: { scopes: true },
  })
  requireOwnScopes(
    ctx,
    installations.flatMap(({ scopes }) => scopes),
  )
}

/** Makes calls that create endpoints of the app or webhook wait for each other, and for calls that install the app. */
export async function lockOwner(tx: Database, { workspaceID, appID, webhookID }: Owner): Promise<void> {
  const locked = await query(
    tx,
    appID === null
      ? Prisma.sql`
        SELECT id FROM webhooks
        WHERE workspace_id = ${workspaceID} AND id = ${webhookID} AND deleted_at IS NULL FOR UPDATE`
      : Prisma.sql`
        SELECT id FROM apps
        WHERE workspace_id = ${workspaceID} AND id = ${appID} AND deleted_at IS NULL FOR UPDATE`,
  )
  if (locked.length === 0) throw notFound(appID === null ? 'webhook' : 'app')
}
