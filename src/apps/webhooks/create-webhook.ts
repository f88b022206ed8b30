import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { Webhook } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { id, name, parseInput } from '../../input.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { createUser } from '../../workspaces/users/create-user.ts'
import { requireCreator } from '../require-creator.ts'
import { type HasThread, requireSettings, settingFields } from './settings.ts'
import { encryptSignatureSecret } from './signature-secret.ts'

const inputSchema = z.object({ workspaceID: id, name, ...settingFields })

export type WebhookWithURL = { webhook: Webhook; url: string }

/**
 * Creates a webhook with a user of its own. Only this result contains the URL, which holds the key. Without `hasThread`,
 * no thread can be a target.
 */
export async function createWebhook(
  ctx: Context,
  input: z.input<typeof inputSchema>,
  hasThread: HasThread = async () => false,
): Promise<WebhookWithURL> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'webhooks:write')
  const { name, workspaceID: ofInput, templates, ...settings } = parseInput(inputSchema, input)
  const key = newSecret()
  const webhook = await inTransaction(ctx.db, async (tx) => {
    const { userID: creatorID } = await requireCreator({ ...ctx, db: tx }, 'membersMayCreateWebhooks')
    const workspaceID = workspaceIDFor(ctx, ofInput)
    const { id: userID } = await createUser(tx, { workspaceID, kind: 'webhook', name })
    await requireSettings({ ...ctx, db: tx }, { workspaceID, userID }, { templates, ...settings }, hasThread)
    const keyHash = hashSecret(key)
    const id = newID('wbh')
    await noteEvents(tx, workspaceID, [{ type: 'webhook.created', objectID: id }])
    await record({ ...ctx, db: tx }, { action: 'createWebhook', workspaceID, object: { id, name } })
    const signatureSecret = encryptSignatureSecret(ctx.config, id, settings.signatureSecret)
    return tx.webhook.create({
      data: {
        ...{ workspaceID, id, userID, name, keyHash, creatorID, ...settings, signatureSecret },
        ...(templates && { templates }),
      },
    })
  })
  return { webhook, url: webhookURL(ctx, webhook, key) }
}

export function webhookURL(ctx: Context, { id }: Webhook, key: string): string {
  return `${ctx.config.webhookBaseURL}/webhook/${id}/${key}`
}
