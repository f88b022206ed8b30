import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { query } from '../../database/query.ts'
import { type FieldError, invalidInput } from '../../errors.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { findGroupUnscoped } from '../../groups/access.ts'
import { recipientID } from '../../groups/general-group-id.ts'
import { description, time } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { signatureSecret } from './signature-secret.ts'
import { templates } from './templates.ts'

/** The bodies that a URL can be for, besides its own. The transport has a reader for each. */
export const webhookFormats = [
  'alertmanager',
  'discord',
  'github',
  'gitlab',
  'grafana',
  'json',
  'sentry',
  'slack',
  'template',
] as const
export type WebhookFormat = (typeof webhookFormats)[number]

const maxTargets = 100
const maxRestDays = 365
const rest = `must be a whole number from 1 to ${maxRestDays}`

/** The settings of a webhook, except its name. A workspace as a target means its General group. */
export const settingFields = {
  description: description.nullish(),
  expiresAt: time.nullish(),
  defaultTarget: recipientID.nullish(),
  allowedTargets: z
    .array(recipientID)
    .max(maxTargets, `must have at most ${maxTargets} IDs`)
    .nullish()
    .transform((ids) => (ids === null ? [] : ids && [...new Set(ids)])),
  format: z.enum(webhookFormats, `must be one of ${webhookFormats.join(', ')}`).nullish(),
  resolvedCalls: z
    .boolean()
    .nullish()
    .transform((value) => value ?? undefined),
  restDays: z.int(rest).min(1, rest).max(maxRestDays, rest).nullish(),
  signatureSecret: signatureSecret.nullish(),
  templates: templates.nullish(),
}
const settings = z.object(settingFields)
type WebhookSettings = z.output<typeof settings>

/** Returns whether a thread exists in the workspace and the caller can see it. */
export type HasThread = (ctx: Context, workspaceID: string, id: string) => Promise<boolean>

/**
 * Throws unless the time is in the future, and the targets are groups and threads of the workspace. The caller must see
 * those that the webhook does not have yet, and the webhook must see a new default target.
 */
export async function requireSettings(
  ctx: Context,
  webhook: Pick<Webhook, 'workspaceID' | 'userID'> & Partial<Webhook>,
  { expiresAt, defaultTarget, allowedTargets = [] }: WebhookSettings,
  hasThread: HasThread,
): Promise<void> {
  const errors: FieldError[] = []
  if (expiresAt && (await isPast(ctx, expiresAt)))
    errors.push({ field: 'expiresAt', message: 'must be in the future' })
  const has = (viewer: Context, id: string) =>
    (prefixOf(id) === 'thr' ? hasThread : hasGroup)(viewer, webhook.workspaceID, id)
  const known = new Set([webhook.defaultTarget, ...(webhook.allowedTargets ?? [])])
  const isMissing = async (id: string) => !known.has(id) && !(await has(ctx, id))
  for (const [index, id] of allowedTargets.entries())
    if (await isMissing(id)) errors.push({ field: `allowedTargets.${index}`, message: unseen })
  if (defaultTarget != null && defaultTarget !== webhook.defaultTarget) {
    if (await isMissing(defaultTarget)) errors.push({ field: 'defaultTarget', message: unseen })
    else if (!(await has(asWebhook(ctx, webhook), defaultTarget)))
      errors.push({ field: 'defaultTarget', message: unseenByWebhook })
  }
  if (errors.length > 0) throw invalidInput(errors)
}

const unseen = 'is not the ID of a group or thread that you can see'
const unseenByWebhook =
  'is a group or thread that the webhook cannot see; add the webhook user to the private group first'

// The statement that posts reads the same views for this user.
function asWebhook(ctx: Context, { workspaceID, userID }: Pick<Webhook, 'workspaceID' | 'userID'>): Context {
  return {
    ...ctx,
    actor: { kind: 'user', workspaceID, userID, scopes: new Set(['groups:read', 'threads:read']) },
  }
}

// The clock of the database also decides when the webhook expires.
async function isPast({ db }: Context, time: Date): Promise<boolean> {
  const [row] = await query<{ isPast: boolean }>(
    db,
    Prisma.sql`SELECT ${time.toISOString()}::timestamptz <= now() AS "isPast"`,
  )
  return row?.isPast === true
}

async function hasGroup(ctx: Context, workspaceID: string, id: string): Promise<boolean> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  return prefixOf(id) === 'grp' && (await findGroupUnscoped(ctx, workspaceID, id)) !== undefined
}

/**
 * Returns the assignments of an UPDATE of `webhooks h`. A setting that is left out keeps its value. The signature secret
 * is encrypted.
 */
export function settingChanges({
  expiresAt,
  ...settings
}: Omit<WebhookSettings, 'signatureSecret'> & {
  signatureSecret: Uint8Array | null | undefined
}): Prisma.Sql {
  return Prisma.join([
    newValue('description', 'text', settings.description),
    newValue('expires_at', 'timestamptz', expiresAt == null ? expiresAt : expiresAt.toISOString()),
    newValue('default_target', 'text', settings.defaultTarget),
    newValue('allowed_targets', 'text[]', settings.allowedTargets),
    newValue('format', 'text', settings.format),
    newValue('resolved_calls', 'boolean', settings.resolvedCalls),
    newValue('rest_days', 'integer', settings.restDays),
    newValue('signature_secret', 'bytea', settings.signatureSecret),
    newValue('templates', 'jsonb', settings.templates && JSON.stringify(settings.templates)),
    Prisma.sql`revision = h.revision + 1`,
  ])
}

function newValue(column: string, type: string, value: unknown): Prisma.Sql {
  const [name, as] = [Prisma.raw(column), Prisma.raw(type)]
  return Prisma.sql`
    ${name} = CASE WHEN ${value !== undefined}::boolean THEN ${value ?? null}::${as} ELSE h.${name} END`
}
