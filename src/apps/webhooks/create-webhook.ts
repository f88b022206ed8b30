import { z } from 'zod'
import { type Context, requireOperator } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import type { Webhook } from '../../generated/prisma/client.ts'
import { description, id, name, parseInput } from '../../input.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets.ts'
import { createUser } from '../../workspaces/users/create-user.ts'

const inputSchema = z.object({ workspaceID: id, name, description: description.nullish() })

export type WebhookWithURL = { webhook: Webhook; url: string }

/** Creates a webhook with a user of its own. Only this result contains the URL, which holds the key. */
export async function createWebhook(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<WebhookWithURL> {
  requireOperator(ctx)
  const { workspaceID, name, description = null } = parseInput(inputSchema, input)
  const key = newSecret()
  const webhook = await inTransaction(ctx.db, async (tx) => {
    const user = await createUser(tx, { workspaceID, kind: 'webhook', name })
    return tx.webhook.create({
      data: { workspaceID, id: newID('wbh'), userID: user.id, name, description, keyHash: hashSecret(key) },
    })
  })
  return { webhook, url: webhookURL(ctx, webhook, key) }
}

export function webhookURL(ctx: Context, { id }: Webhook, key: string): string {
  return `${ctx.config.webhookBaseURL}/webhook/${id}/${key}`
}
