import { z } from 'zod'
import { type Context, requireOperator } from '../../context.ts'
import type { Webhook } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { inTransaction } from '../../platform/database.ts'
import { hashSecret, newSecret } from '../../platform/secrets.ts'
import { removeUser } from '../../workspaces/remove-user.ts'
import { accessWebhook } from './access.ts'
import { type WebhookWithURL, webhookURL } from './create-webhook.ts'

const input = z.object({ webhookID: id })
type Input = z.input<typeof input>

/** Gives a webhook a new key; the old URL ends at once. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function rotateWebhookKey(ctx: Context, given: Input): Promise<WebhookWithURL> {
  const key = newSecret()
  const webhook = await change(ctx, given, { keyHash: hashSecret(key) })
  return { webhook, url: webhookURL(ctx, webhook, key) }
}

/** Switches a webhook off: its URL answers as if it did not exist. Throws `invalid_input`, `forbidden`, `not_found`. */
export function disableWebhook(ctx: Context, given: Input): Promise<Webhook> {
  return change(ctx, given, { disabledAt: new Date() })
}

/** Switches a webhook on again. Throws `invalid_input`, `forbidden`, `not_found`. */
export function enableWebhook(ctx: Context, given: Input): Promise<Webhook> {
  return change(ctx, given, { disabledAt: null })
}

/** Deletes a webhook for good; its messages and its name stay. Throws `invalid_input`, `forbidden`, `not_found`. */
export function deleteWebhook(ctx: Context, given: Input): Promise<Webhook> {
  return inTransaction(ctx.db, async (tx) => {
    const webhook = await change({ ...ctx, db: tx }, given, { deletedAt: new Date() })
    await removeUser(tx, { workspaceID: webhook.workspaceID, id: webhook.userID })
    return webhook
  })
}

type Change = { keyHash?: Buffer<ArrayBuffer>; disabledAt?: Date | null; deletedAt?: Date }

async function change(ctx: Context, given: Input, data: Change): Promise<Webhook> {
  requireOperator(ctx)
  const { workspaceID, id } = await accessWebhook(ctx, parseInput(input, given).webhookID)
  return ctx.db.webhook.update({ where: { workspaceID_id: { workspaceID, id } }, data })
}
