import type { Context, WebhookActor } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { requireActiveWebhook, requireCurrentSettings } from './authenticate-webhook.ts'

/** Returns what a webhook can read of itself. */
export async function describeOwnWebhook(
  ctx: Context<WebhookActor>,
): Promise<{ name: string; description: string | null; defaultTarget: string | null }> {
  await requireActiveWebhook(ctx.db, ctx.actor)
  return ctx.db.webhook.findUniqueOrThrow({
    where: { workspaceID_id: ownKey(ctx.actor) },
    select: { name: true, description: true, defaultTarget: true },
  })
}

/** Runs `write` in a transaction during which the webhook that calls stays active, and keeps its key and settings. */
export function whileWebhookActive<T>(
  ctx: Context<WebhookActor>,
  write: (inTx: Context<WebhookActor>) => Promise<T>,
): Promise<T> {
  const { workspaceID, id } = ownKey(ctx.actor)
  return inTransaction(ctx.db, async (db) => {
    const inTx = { ...ctx, db }
    await query(
      db,
      Prisma.sql`SELECT id FROM webhooks WHERE workspace_id = ${workspaceID} AND id = ${id} FOR SHARE`,
    )
    await requireCurrentSettings(inTx)
    return write(inTx)
  })
}

function ownKey({ workspaceID, webhook }: WebhookActor): { workspaceID: string; id: string } {
  return { workspaceID, id: webhook.id }
}
