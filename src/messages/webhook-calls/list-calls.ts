import { webhooksManagedBy } from '../../apps/webhooks/access.ts'
import { type Actor, type Context, requireScope, type UserActor } from '../../context.ts'
import { byID, rowLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { columnsExcept } from '../../database/rows.ts'
import { Prisma, type Webhook, type WebhookCall } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import { charactersPerNode, inTurns } from '../../platform/scheduling/in-turns.ts'
import { findEncryptionKeys } from '../../platform/secrets/encryption-keys.ts'
import type { Scope } from '../../scopes.ts'
import { decodeContent, type StoredContent } from './call-content.ts'
import { type CallOutcome, callsPerWebhook } from './webhook-call.ts'

/** `isVisible` says that the caller can see what was sent, and to which target. */
export type VisibleCall = Omit<WebhookCall, 'content' | 'outcome'> & {
  outcome: CallOutcome
  isVisible: boolean
}

const columns = columnsExcept('WebhookCall', 'c', 'content')

const loadCalls = rowLoader(async ({ db, actor }: Context, workspaceID, webhookIDs) => {
  const calls = await query<VisibleCall>(
    db,
    Prisma.sql`
    SELECT ${columns}, ${isVisibleTo(actor)} AS "isVisible"
    FROM unnest(${webhookIDs}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT h.id, h.creator_id FROM ${webhooksManagedBy(actor)}
      WHERE h.workspace_id = ${workspaceID} AND h.id = wanted.id OFFSET 0) AS h
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_calls WHERE workspace_id = ${workspaceID} AND webhook_id = h.id
      ORDER BY id DESC LIMIT ${callsPerWebhook}::integer) AS c
    ORDER BY c.id DESC`,
  )
  return byID(webhookIDs.map((id) => ({ id, calls: calls.filter(({ webhookID }) => webhookID === id) })))
})

/** Returns the last calls of a webhook that the caller manages, newest first. */
export async function listCalls(ctx: Context, { workspaceID, id }: Webhook): Promise<VisibleCall[]> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'webhooks:read')
  const { calls = [] } = (await loadCalls(ctx, workspaceID, id)) ?? {}
  return inTurns(ctx.db, charactersPerNode * calls.length, () => calls)
}

/** Finds a call of a webhook that the caller manages. */
export async function findCall(
  ctx: Context,
  id: string,
  scope: Scope = 'webhooks:read',
): Promise<VisibleCall | undefined> {
  requireScope(ctx, scope)
  if (prefixOf(id) !== 'whc') return undefined
  const { workspaceID } = ctx.actor
  const [call] = await query<VisibleCall>(
    ctx.db,
    Prisma.sql`
    SELECT ${columns}, ${isVisibleTo(ctx.actor)} AS "isVisible"
    FROM webhook_calls c CROSS JOIN LATERAL (
      SELECT h.id, h.creator_id FROM ${webhooksManagedBy(ctx.actor)}
      WHERE h.workspace_id = c.workspace_id AND h.id = c.webhook_id OFFSET 0) AS h
    WHERE c.workspace_id = ${workspaceID} AND c.id = ${id}`,
  )
  return call
}

const loadContent = rowLoader(async ({ db, config, actor }: Context<UserActor>, workspaceID, ids) => {
  const rows = await query<{ id: string; content: Uint8Array }>(
    db,
    Prisma.sql`
    SELECT c.id, c.content FROM unnest(${ids}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM webhook_calls WHERE workspace_id = ${workspaceID} AND id = wanted.id OFFSET 0) AS c
    CROSS JOIN LATERAL (
      SELECT h.id, h.creator_id FROM ${webhooksManagedBy(actor)}
      WHERE h.workspace_id = ${workspaceID} AND h.id = c.webhook_id OFFSET 0) AS h
    WHERE c.content IS NOT NULL AND c.created_at > now() - interval '24 hours' AND ${isVisibleTo(actor)}
      AND NOT EXISTS (
        SELECT FROM messages
        WHERE workspace_id = c.workspace_id AND id = ANY(c.message_ids) AND deleted_at IS NOT NULL OFFSET 0)`,
  )
  const keys = findEncryptionKeys(config)
  const decoded = await Promise.all(
    rows.map(async ({ id, content }) => ({
      id,
      content: await inTurns(db, content.length, () => decodeContent(content, id, keys)),
    })),
  )
  return byID(decoded)
})

/** Returns what was sent, or null if it is not stored or the caller cannot see it. The operator sees no messages. */
export async function contentOf(
  ctx: Context,
  { workspaceID, id }: VisibleCall,
): Promise<StoredContent | null> {
  if (ctx.actor.kind === 'operator') return null
  requireScope(ctx, 'threads.messages:read')
  return (await loadContent(ctx, workspaceID, id))?.content ?? null
}

/**
 * Returns the condition that the actor can see the threads of all messages that a call `c` of a webhook `h` wrote. If it
 * wrote nothing, the actor must see its target. If it named none, the actor must be the creator of the webhook.
 */
function isVisibleTo(actor: Actor): Prisma.Sql {
  if (actor.kind === 'operator') return Prisma.sql`FALSE`
  const visible = (view: string, id: string) => Prisma.sql`EXISTS (
    SELECT FROM ${Prisma.raw(view)}
    WHERE viewer_id = ${actor.userID} AND workspace_id = c.workspace_id AND id = ${Prisma.raw(id)} OFFSET 0)`
  return Prisma.sql`CASE
    WHEN c.thread_ids <> '{}' THEN NOT EXISTS (
      SELECT FROM unnest(c.thread_ids) AS written (id) WHERE NOT ${visible('visible_threads', 'written.id')})
    WHEN c.target_id IS NULL THEN coalesce(h.creator_id = ${actor.userID}, FALSE)
    ELSE ${visible('visible_groups', 'c.target_id')} OR ${visible('visible_threads', 'c.target_id')} END`
}
