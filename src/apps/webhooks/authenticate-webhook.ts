import { LRUCache } from 'lru-cache'
import type { Context, UserActor, WebhookActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { execute } from '../../database/query.ts'
import { AppError, notFound } from '../../errors.ts'
import { Prisma, type Webhook } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import { secretMatches } from '../../platform/secrets/secrets.ts'
import { webhookColumns } from './rows.ts'
import type { WebhookTemplates } from './templates.ts'

type CachedKey = { keyHash: Uint8Array | undefined; actor?: WebhookActor }

const scopes: UserActor['scopes'] = new Set(['threads.messages:write', 'threads:write'])
/** The keys of each webhook. During a rotation, there are two. */
const cached = new LRUCache<string, readonly CachedKey[]>({ max: 10_000 })

/**
 * Returns the user of a cached webhook. The statement that writes the message checks that the webhook is active and has
 * this key.
 */
export function cachedWebhook(id: string, key: string): WebhookActor | undefined {
  return actorWithKey(cached.get(id) ?? [], key)
}

/** Returns the user of the active webhook with this ID and key. Caches the webhook even if the key is wrong. */
export async function authenticateWebhook(
  db: Database,
  id: string,
  key: string,
): Promise<WebhookActor | undefined> {
  const found = await findActiveWebhook(db, id)
  // Without a webhook, the comparison takes the same time.
  return actorWithKey(found ? cacheWebhook(found) : [{ keyHash: undefined }], key)
}

function actorWithKey(keys: readonly CachedKey[], key: string): WebhookActor | undefined {
  return keys.find(({ keyHash }) => secretMatches(key, keyHash))?.actor
}

/** Caches a webhook. This process then accepts its keys even if the limit on wrong guesses is exceeded. */
export function cacheWebhook(webhook: Webhook): readonly CachedKey[] {
  const { id, keyHash, previousKeyHash } = webhook
  const hashes = previousKeyHash ? [keyHash, previousKeyHash] : [keyHash]
  const keys = hashes.map((keyHash) => ({ keyHash, actor: actorOf(webhook, keyHash) }))
  cached.set(id, keys)
  return keys
}

/**
 * Returns the actor with the present settings of its webhook. Throws if the webhook is disabled, deleted or expired, or if
 * the key that the actor used has ended.
 */
export async function requireActiveWebhook(
  db: Database,
  { webhook: { id, keyHash } }: WebhookActor,
): Promise<WebhookActor> {
  const found = await findActiveWebhook(db, id)
  const keys = found ? cacheWebhook(found) : []
  const actor = keys.find((key) => key.actor?.webhook.keyHash === keyHash)?.actor
  if (!actor) throw notFound('webhook')
  return actor
}

/** Returns the user of a webhook for a call that the service itself sends. */
export async function activeWebhookActor(db: Database, id: string): Promise<WebhookActor | undefined> {
  const found = await findActiveWebhook(db, id)
  return found && actorOf(found, found.keyHash)
}

/**
 * Runs a call with the cached settings of its webhook. If the call is refused and the settings have changed since, runs it
 * again with the present ones. Therefore a change counts for every call that begins after it.
 */
export async function withCurrentSettings<Result>(
  ctx: Context<WebhookActor>,
  run: (ctx: Context<WebhookActor>) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(ctx)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const actor = await requireActiveWebhook(ctx.db, ctx.actor)
    if (actor.webhook.revision === ctx.actor.webhook.revision) throw error
    return withCurrentSettings({ ...ctx, actor }, run)
  }
}

/** Throws unless the cached settings are current. Only calls that write nothing need it: statements that write check it. */
export async function requireCurrentSettings({ db, actor }: Context<WebhookActor>): Promise<void> {
  const { webhook } = await requireActiveWebhook(db, actor)
  if (webhook.revision !== actor.webhook.revision) throw notFound('webhook')
}

async function findActiveWebhook(db: Database, id: string): Promise<Webhook | undefined> {
  return prefixOf(id) === 'wbh' ? loadWebhook(db, id) : undefined
}

const loadWebhook = callerLoader<Webhook>(
  (ids) => Prisma.sql`
    SELECT ${webhookColumns} FROM active_webhooks h WHERE h.id = ANY(${ids}::text[])`,
)

function actorOf({ workspaceID, userID, ...row }: Webhook, keyHash: Uint8Array): WebhookActor {
  const { id, revision, defaultTarget, allowedTargets, format, resolvedCalls, restDays, signatureSecret } =
    row
  const templates = row.templates as WebhookTemplates | null
  const plain = { defaultTarget, allowedTargets, format, resolvedCalls, restDays }
  const settings = { ...plain, signatureSecret, templates }
  const webhook = { id, keyHash: Buffer.from(keyHash).toString('hex'), revision, ...settings }
  return { kind: 'user', workspaceID, userID, scopes, webhook }
}

/** Each process stores the time of the last use at most this often, so that most posts do not write it. */
const storedEveryMs = 10 * 60_000
const storedAt = new LRUCache<string, number>({ max: 10_000 })

/** Stores that the webhook has posted a message or uploaded a file. Does not throw, because the use has succeeded. */
export async function recordUse({ db, actor, log }: Context<UserActor>): Promise<void> {
  const { workspaceID, webhook } = actor
  if (!webhook || performance.now() - (storedAt.get(webhook.id) ?? -storedEveryMs) < storedEveryMs) return
  storedAt.set(webhook.id, performance.now())
  try {
    await execute(
      db,
      Prisma.sql`UPDATE webhooks SET last_used_at = now() WHERE workspace_id = ${workspaceID} AND id = ${webhook.id}`,
    )
  } catch (error) {
    storedAt.delete(webhook.id)
    log.warn({ err: error }, 'the last use of a webhook could not be stored')
  }
}
