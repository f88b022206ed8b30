import type { Context, UserActor } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { requireActiveWebhook } from './authenticate-webhook.ts'

/** Returns what a webhook can read of itself. */
export async function describeOwnWebhook(
  ctx: Context<UserActor>,
): Promise<{ name: string; description: string | null }> {
  await requireActiveWebhook(ctx)
  return ctx.db.webhook.findUniqueOrThrow({
    where: { workspaceID_id: ownKey(ctx.actor) },
    select: { name: true, description: true },
  })
}

/** Runs `write` in a transaction during which the webhook that calls stays active and keeps its key. */
export function whileWebhookActive<T>(
  ctx: Context<UserActor>,
  write: (inTx: Context<UserActor>) => Promise<T>,
): Promise<T> {
  const { workspaceID, id } = ownKey(ctx.actor)
  return inTransaction(ctx.db, async (db) => {
    const inTx = { ...ctx, db }
    await query(
      db,
      Prisma.sql`SELECT id FROM webhooks WHERE workspace_id = ${workspaceID} AND id = ${id} FOR SHARE`,
    )
    await requireActiveWebhook(inTx)
    return write(inTx)
  })
}

function ownKey({ workspaceID, webhook }: UserActor): { workspaceID: string; id: string } {
  if (!webhook) throw new Error('The caller is not a webhook')
  return { workspaceID, id: webhook.id }
}
