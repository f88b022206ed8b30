import { type Context, requireUser, type UserActor } from '../../context.ts'
import { byID, rowLoader, selectLoader } from '../../database/loader.ts'
import { query, rowsBy } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { MessageOriginKind } from '../../generated/resolver-types.ts'
import { prefixOf } from '../../platform/ids.ts'
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

// The name of an app is the name of its user, which everyone in the workspace can see. The name of a personal access
// token is private to its owner.
const loadProgramName = selectLoader<Context<UserActor>, { id: string; name: string }>(
  ({ actor }, workspaceID, ids) => Prisma.sql`
    SELECT wanted.id, program.name FROM unnest(${ids}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT u.name FROM installations i JOIN users u ON u.workspace_id = i.workspace_id AND u.id = i.user_id
      WHERE i.workspace_id = ${workspaceID} AND i.app_id = wanted.id
      UNION ALL
      SELECT name FROM personal_access_tokens
      WHERE workspace_id = ${workspaceID} AND id = wanted.id AND user_id = ${actor.userID}
    ) AS program`,
)

export function originKindOf({ message: { authorKind, originID } }: OriginParent): MessageOriginKind {
  if (authorKind !== 'person') return authorKind as MessageOriginKind
  if (originID === null) return 'session'
  return prefixOf(originID) === 'app' ? 'app' : 'token'
}

export async function appIDOf(ctx: Context, origin: OriginParent): Promise<string | null> {
  const { originID, workspaceID, authorID } = origin.message
  if (originKindOf(origin) !== 'app') return null
  return originID ?? (await loadOriginIDs(ctx, workspaceID, authorID))?.appID ?? null
}

export async function webhookIDOf(ctx: Context, { message }: OriginParent): Promise<string | null> {
  if (message.authorKind !== 'webhook') return null
  return (await loadOriginIDs(ctx, message.workspaceID, message.authorID))?.webhookID ?? null
}

/** Returns the name of the program that wrote a message, or null if there is none, or if the caller may not see it. */
export async function programNameOf(ctx: Context, { message }: OriginParent): Promise<string | null> {
  const { authorKind, authorName, originID, workspaceID } = message
  if (authorKind !== 'person') return authorName
  if (originID === null) return null
  requireUser(ctx)
  return (await loadProgramName(ctx, workspaceID, originID))?.name ?? null
}

/** Returns whether the caller's own app, webhook or token wrote a message, or, for a session, any session of the person. */
export async function isOwnOrigin(ctx: Context, origin: OriginParent): Promise<boolean> {
  requireUser(ctx)
  const { appID, programID, userID } = ctx.actor
  const { authorID, originID } = origin.message
  if (appID !== undefined) return (await appIDOf(ctx, origin)) === appID
  return authorID === userID && originID === (programID ?? null)
}
