import { type Actor, type Context, requireScope, type UserActor } from '../../context.ts'
import { selectLoader } from '../../database/loader.ts'
import { rowsBy, type Value } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import type { Scope } from '../../scopes.ts'
import { permissionsOf } from '../permissions.ts'
import { webhookColumns } from './rows.ts'

/** Returns the FROM item `h`: the webhooks that an actor manages. Members manage only webhooks that they created. */
export function webhooksManagedBy(actor: Actor): Prisma.Sql {
  return actor.kind === 'operator'
    ? Prisma.sql`(SELECT * FROM webhooks WHERE deleted_at IS NULL) AS h`
    : Prisma.sql`(SELECT * FROM managed_webhooks WHERE viewer_id = ${actor.userID}) AS h`
}

const loadManagedWebhook = selectLoader<Context<UserActor>, Webhook>(({ actor }, workspaceID, ids) => {
  const table = { table: 'managed_webhooks', alias: 'h', workspaceID, viewerID: actor.userID }
  return Prisma.sql`SELECT ${webhookColumns} FROM ${rowsBy('id', ids, table)}`
})

export async function findWebhook(
  ctx: Context,
  id: string,
  scope: Scope = 'webhooks:read',
): Promise<Webhook | null> {
  if (ctx.actor.kind === 'user') requireScope(ctx, scope)
  if (prefixOf(id) !== 'wbh') return null
  if (ctx.actor.kind === 'operator') return ctx.db.webhook.findFirst({ where: { id, deletedAt: null } })
  return (await loadManagedWebhook({ ...ctx, actor: ctx.actor }, ctx.actor.workspaceID, id)) ?? null
}

/** Returns whether the caller created this webhook and manages their own webhooks. The webhook may be deleted. */
export async function managesAsCreator(ctx: Context<UserActor>, id: string): Promise<boolean> {
  const { workspaceID, userID: creatorID } = ctx.actor
  const created = await ctx.db.webhook.findFirst({ where: { workspaceID, id, creatorID } })
  return created !== null && (await permissionsOf(ctx)).includes('createWebhooks')
}

export async function accessWebhook(ctx: Context, id: string, scope?: Scope): Promise<Webhook> {
  const webhook = await findWebhook(ctx, id, scope)
  if (!webhook) throw notFound('webhook')
  return webhook
}

/** Returns the condition that a row has no webhook, or has a webhook that can post and still has the settings of `revision`. */
export function canPost(workspaceID: Value, row: string): Prisma.Sql {
  return hasActiveWebhook(workspaceID, row, Prisma.sql`AND h.revision = ${Prisma.raw(row)}.revision`)
}

/**
 * Returns the condition that a row with `webhook_id` and `key_hash` has no webhook, or has an active webhook with this key.
 * During a rotation, a webhook also has its previous key. The hash is in hexadecimal.
 */
export function hasActiveWebhook(workspaceID: Value, row: string, andIf = Prisma.empty): Prisma.Sql {
  const [id, keyHash] = [Prisma.raw(`${row}.webhook_id`), Prisma.raw(`${row}.key_hash`)]
  return Prisma.sql`(${id} IS NULL OR EXISTS (
    SELECT FROM active_webhooks h
    WHERE h.workspace_id = ${workspaceID} AND h.id = ${id} ${andIf}
      AND decode(${keyHash}, 'hex') IN (h.key_hash, h.previous_key_hash) OFFSET 0))`
}
