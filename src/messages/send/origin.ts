import type { Context } from '../../context.ts'
import { byID, rowLoader } from '../../database/loader.ts'
import { query, rowsBy } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AuthoredMessage } from '../rows.ts'

export type OriginParent = { message: AuthoredMessage }

const loadOriginIDs = rowLoader(async (ctx: Context, workspaceID, userIDs) =>
  byID(
    await query<{ id: string; appID: string | null; webhookID: string | null }>(
      ctx.db,
      Prisma.sql`
      SELECT u.id, app.app_id AS "appID", webhook.id AS "webhookID"
      FROM ${rowsBy('id', userIDs, { table: 'users', alias: 'u', workspaceID })}
      LEFT JOIN LATERAL (
        SELECT app_id FROM installations WHERE workspace_id = ${workspaceID} AND user_id = u.id OFFSET 0) AS app ON TRUE
      LEFT JOIN LATERAL (
        SELECT id FROM webhooks WHERE workspace_id = ${workspaceID} AND user_id = u.id OFFSET 0) AS webhook ON TRUE`,
    ),
  ),
)

export async function appIDOf(ctx: Context, { message }: OriginParent): Promise<string | null> {
  if (message.authorKind !== 'app') return null
  return (await loadOriginIDs(ctx, message.workspaceID, message.authorID))?.appID ?? null
}

export async function webhookIDOf(ctx: Context, { message }: OriginParent): Promise<string | null> {
  if (message.authorKind !== 'webhook') return null
  return (await loadOriginIDs(ctx, message.workspaceID, message.authorID))?.webhookID ?? null
}
