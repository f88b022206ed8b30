import { z } from 'zod'
import type { AuditAction } from '../../audit/actions.ts'
import { type Entry, record, setFields } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import type { EventType } from '../../events/event-types.ts'
import { noteEvents } from '../../events/note-events.ts'
import { avatarFileID, requireAvatarFile } from '../../files/avatar-file.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { id, name, parseInput } from '../../input.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { changeProgram } from '../../users/write-user.ts'
import { deleteUser } from '../../workspaces/users/delete-user.ts'
import { accessWebhook } from './access.ts'
import { cacheWebhook } from './authenticate-webhook.ts'
import { type WebhookWithURL, webhookURL } from './create-webhook.ts'
import { webhookColumns } from './rows.ts'
import { type HasThread, requireSettings, settingChanges, settingFields } from './settings.ts'
import { encryptSignatureSecret } from './signature-secret.ts'

const maxOverlapHours = 168
const overlap = `must be a whole number from 0 to ${maxOverlapHours}`

const inputSchema = z.object({ webhookID: id })
type Input = z.input<typeof inputSchema>
const updateInput = inputSchema.extend({ name: name.nullish(), avatarFileID, ...settingFields })
const rotateInput = inputSchema.extend({
  overlapHours: z.int(overlap).min(0, overlap).max(maxOverlapHours, overlap).nullish(),
})

/** Changes a webhook. A new name or picture is also shown with its earlier messages. */
export async function updateWebhook(
  ctx: Context,
  input: z.input<typeof updateInput>,
  hasThread: HasThread,
): Promise<Webhook> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'webhooks:write')
  const { webhookID, name, avatarFileID, ...settings } = parseInput(updateInput, input)
  return inTransaction(ctx.db, async (tx) => {
    const own = { ...ctx, db: tx }
    const before = await accessWebhook(own, webhookID, 'webhooks:write')
    await requireSettings(own, before, settings, hasThread)
    await requireAvatarFile(own, avatarFileID)
    const signatureSecret = encryptSignatureSecret(ctx.config, before.id, settings.signatureSecret)
    const newSettings = settingChanges({ ...settings, signatureSecret })
    const changes = Prisma.sql`name = coalesce(${name ?? null}, h.name), ${newSettings}`
    const details = setFields({ name, avatarFileID, ...settings })
    const webhook = await change(own, { webhookID }, { action: 'updateWebhook', details }, changes)
    if (name != null || avatarFileID !== undefined) {
      const user = { workspaceID: webhook.workspaceID, id: webhook.userID }
      await changeProgram(tx, user, { name, avatarFileID })
    }
    return webhook
  })
}

/** Gives a webhook a new key. The old key works for `overlapHours`. The key before the old key stops working now. */
export async function rotateWebhookKey(
  ctx: Context,
  input: z.input<typeof rotateInput>,
): Promise<WebhookWithURL> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'webhooks:write')
  const { webhookID, overlapHours } = parseInput(rotateInput, input)
  const key = newSecret()
  const previous = overlapHours
    ? Prisma.sql`previous_key_hash = h.key_hash,
        previous_key_ends_at = clock_timestamp() + make_interval(hours => ${overlapHours})`
    : noPreviousKey
  const changes = Prisma.sql`key_hash = ${hashSecret(key)}, ${previous}`
  const webhook = await change(ctx, { webhookID }, { action: 'rotateWebhookKey' }, changes)
  cacheWebhook(webhook)
  return { webhook, url: webhookURL(ctx, webhook, key) }
}

const noPreviousKey = Prisma.sql`previous_key_hash = NULL, previous_key_ends_at = NULL`

/** Ends the key that still works after a rotation. Changes nothing if there is none. */
export function endPreviousWebhookKey(ctx: Context, input: Input): Promise<Webhook> {
  return change(ctx, input, { action: 'endPreviousWebhookKey' }, noPreviousKey)
}

/** Disables a webhook. Its URL then answers as if the webhook did not exist. */
export function disableWebhook(ctx: Context, input: Input): Promise<Webhook> {
  return change(ctx, input, { action: 'disableWebhook' }, Prisma.sql`disabled_at = clock_timestamp()`)
}

export function enableWebhook(ctx: Context, input: Input): Promise<Webhook> {
  return change(ctx, input, { action: 'enableWebhook' }, Prisma.sql`disabled_at = NULL`)
}

/** Deletes a webhook permanently. Its messages and its name stay. */
export function deleteWebhook(ctx: Context, input: Input): Promise<Webhook> {
  return inTransaction(ctx.db, async (tx) => {
    const deletion = Prisma.sql`deleted_at = clock_timestamp()`
    const webhook = await change({ ...ctx, db: tx }, input, { action: 'deleteWebhook' }, deletion)
    await deleteUser(tx, { workspaceID: webhook.workspaceID, id: webhook.userID })
    return webhook
  })
}

/** The types of the events that tell of a change. Other changes are updates. */
const eventTypes: Partial<Record<AuditAction, EventType>> = {
  disableWebhook: 'webhook.disabled',
  deleteWebhook: 'webhook.deleted',
}

async function change(
  ctx: Context,
  input: Input,
  entry: Pick<Entry, 'action' | 'details'>,
  changes: Prisma.Sql,
): Promise<Webhook> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'webhooks:write')
  const { webhookID } = parseInput(inputSchema, input)
  const { workspaceID, id } = await accessWebhook(ctx, webhookID, 'webhooks:write')
  return inTransaction(ctx.db, async (tx) => {
    const [webhook] = await query<Webhook>(
      tx,
      Prisma.sql`
      UPDATE webhooks h SET ${changes}
      WHERE h.workspace_id = ${workspaceID} AND h.id = ${id} AND h.deleted_at IS NULL RETURNING ${webhookColumns}`,
    )
    if (!webhook) throw notFound('webhook')
    const type = eventTypes[entry.action] ?? 'webhook.updated'
    await noteEvents(tx, workspaceID, [{ type, objectID: id }])
    await record({ ...ctx, db: tx }, { ...entry, workspaceID, object: webhook })
    return webhook
  })
}
