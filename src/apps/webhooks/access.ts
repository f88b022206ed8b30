import { type Context, requireOperator } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import type { Value } from '../../platform/query.ts'

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

/** A condition on rows of this name with a `webhook_id` and a `key_hash`: `keyStands`, or there is no webhook. */
export function webhookStands(workspaceID: Value, row: string): Prisma.Sql {
  const [id, keyHash] = [Prisma.raw(`${row}.webhook_id`), Prisma.raw(`${row}.key_hash`)]
  return Prisma.sql`(${id} IS NULL OR ${keyStands(workspaceID, { id, keyHash })})`
}

/** A condition: the webhook is on, and this is still its key, by a hash in hexadecimal. */
export function keyStands(
  workspaceID: Value,
  { id, keyHash }: { id: Prisma.Sql; keyHash: Prisma.Sql },
): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM webhooks h
    WHERE h.workspace_id = ${workspaceID} AND h.id = ${id} AND h.key_hash = decode(${keyHash}, 'hex')
      AND h.disabled_at IS NULL AND h.deleted_at IS NULL OFFSET 0)`
}
