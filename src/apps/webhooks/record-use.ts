import { LRUCache } from 'lru-cache'
import type { Context, UserActor } from '../../context.ts'
import { execute } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

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
