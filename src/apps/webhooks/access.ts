import { type Context, requireOperator } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'

export const webhookColumns = Prisma.sql`h.workspace_id AS "workspaceID", h.id, h.user_id AS "userID", h.name,
  h.description, h.key_hash AS "keyHash", h.created_at AS "createdAt", h.disabled_at AS "disabledAt",
  h.deleted_at AS "deletedAt"`

/** A webhook that is not deleted; webhooks are the operator's to see. Throws `forbidden`. */
export async function findWebhook(ctx: Context, id: string): Promise<Webhook | null> {
  requireOperator(ctx)
  return prefixOf(id) === 'wbh' ? ctx.db.webhook.findFirst({ where: { id, deletedAt: null } }) : null
}

/** The same. Throws `not_found`. */
export async function accessWebhook(ctx: Context, id: string): Promise<Webhook> {
  const webhook = await findWebhook(ctx, id)
  if (!webhook) throw notFound('webhook')
  return webhook
}
