import { LRUCache } from 'lru-cache'
import type { Context, UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { execute } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import { secretMatches } from '../../platform/secrets/secrets.ts'

type ActiveWebhook = { id: string; workspaceID: string; userID: string; keyHash: Uint8Array }

const scopes: UserActor['scopes'] = new Set(['threads.messages:write', 'threads:write'])
const cached = new LRUCache<string, { keyHash: Uint8Array; actor: UserActor }>({ max: 10_000 })

/** Returns the user of a cached webhook. The statement that writes the message checks that the webhook is active. */
export function cachedWebhook(id: string, key: string): UserActor | undefined {
  const known = cached.get(id)
  return known && secretMatches(key, known.keyHash) ? known.actor : undefined
}

/** Returns the user of the active webhook with this ID and key. Caches the webhook even if the key is wrong. */
export async function authenticateWebhook(
  db: Database,
  id: string,
  key: string,
): Promise<UserActor | undefined> {
  const found = await findActiveWebhook(db, id)
  const actor = found && cacheWebhook(found)
  return secretMatches(key, found?.keyHash) ? actor : undefined
}

/** Caches a webhook. This process then accepts its key even if the limit on wrong guesses is exceeded. */
export function cacheWebhook(webhook: ActiveWebhook): UserActor {
  const actor = actorOf(webhook)
  cached.set(webhook.id, { keyHash: webhook.keyHash, actor })
  return actor
}

/** Throws if the caller is a webhook that was disabled or deleted, or that has a new key. */
export async function requireActiveWebhook({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<void> {
  if (actor.kind !== 'user' || !actor.webhook) return
  const found = await findActiveWebhook(db, actor.webhook.id)
  if (!found || hex(found.keyHash) !== actor.webhook.keyHash) throw notFound('webhook')
}

/** Returns the user of a webhook for a call that the service itself sends. */
export async function activeWebhookActor(db: Database, id: string): Promise<UserActor | undefined> {
  const found = await findActiveWebhook(db, id)
  return found && actorOf(found)
}

async function findActiveWebhook(db: Database, id: string): Promise<ActiveWebhook | undefined> {
  return prefixOf(id) === 'wbh' ? loadWebhook(db, id) : undefined
}

const loadWebhook = callerLoader<ActiveWebhook>(
  (ids) => Prisma.sql`
    SELECT workspace_id AS "workspaceID", id, user_id AS "userID", key_hash AS "keyHash" FROM active_webhooks
    WHERE id = ANY(${ids}::text[])`,
)

function actorOf({ workspaceID, userID, id, keyHash }: ActiveWebhook): UserActor {
  return { kind: 'user', workspaceID, userID, scopes, webhook: { id, keyHash: hex(keyHash) } }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
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
