import { type Context, requireOperator } from '../../context.ts'
import type { Value } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'

/** Finds a webhook that is not deleted. Only the operator can see webhooks. */
export async function findWebhook(ctx: Context, id: string): Promise<Webhook | null> {
  requireOperator(ctx)
  return prefixOf(id) === 'wbh' ? ctx.db.webhook.findFirst({ where: { id, deletedAt: null } }) : null
}

export async function accessWebhook(ctx: Context, id: string): Promise<Webhook> {
  const webhook = await findWebhook(ctx, id)
  if (!webhook) throw notFound('webhook')
  return webhook
}

/** Returns the condition that a row with `webhook_id` and `key_hash` has no webhook, or has a webhook that can post. */
export function canPost(workspaceID: Value, row: string): Prisma.Sql {
  const [id, keyHash] = [Prisma.raw(`${row}.webhook_id`), Prisma.raw(`${row}.key_hash`)]
  return Prisma.sql`(${id} IS NULL OR ${isWebhookActive(workspaceID, { id, keyHash })})`
}

/** Returns the condition that the webhook is active and has this key. The hash is in hexadecimal. */
export function isWebhookActive(
  workspaceID: Value,
  { id, keyHash }: { id: Prisma.Sql; keyHash: Prisma.Sql },
): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM active_webhooks
    WHERE workspace_id = ${workspaceID} AND id = ${id} AND key_hash = decode(${keyHash}, 'hex') OFFSET 0)`
}
