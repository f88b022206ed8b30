import type { Scope, UserActor } from '../context.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { query } from '../platform/query.ts'
import { hashSecret, newToken } from '../platform/secrets.ts'

type Installed = { workspaceID: string; appID: string }

/**
 * Makes an access token for an app in a workspace, good for `ttlSeconds` by the database's clock. Undefined where the
 * app is not installed: the installation is locked, so no token outlives an uninstallation that runs at the same time.
 */
export async function issueAccessToken(
  db: Database,
  { workspaceID, appID }: Installed,
  ttlSeconds: number,
): Promise<{ token: string; userID: string; scopes: Scope[] } | undefined> {
  const token = newToken()
  const issued = await query<{ userID: string; scopes: Scope[] }>(
    db,
    Prisma.sql`
    WITH installation AS (
      SELECT workspace_id, app_id, user_id, scopes FROM installations
      WHERE workspace_id = ${workspaceID} AND app_id = ${appID} AND uninstalled_at IS NULL
      FOR SHARE
    ), issued AS (
      INSERT INTO access_tokens (workspace_id, token_hash, app_id, expires_at)
      SELECT workspace_id, ${hashSecret(token)}, app_id, now() + make_interval(secs => ${ttlSeconds}) FROM installation
    )
    SELECT user_id AS "userID", scopes FROM installation`,
  )
  return issued[0] && { token, ...issued[0] }
}

/** Who acts with an access token, or undefined for one that is unknown, expired or revoked. */
export async function findTokenActor(db: Database, token: string): Promise<UserActor | undefined> {
  const [found] = await query<{ workspaceID: string; userID: string; scopes: Scope[] }>(
    db,
    Prisma.sql`
    SELECT i.workspace_id AS "workspaceID", i.user_id AS "userID", i.scopes
    FROM access_tokens t JOIN installations i ON i.workspace_id = t.workspace_id AND i.app_id = t.app_id
    WHERE t.token_hash = ${hashSecret(token)} AND t.expires_at > now() AND i.uninstalled_at IS NULL`,
  )
  return found && { kind: 'user', ...found, scopes: new Set(found.scopes) }
}

/** Ends all access tokens of an app in a workspace. Answers how many had not expired. */
export async function deleteAccessTokens(db: Database, { workspaceID, appID }: Installed): Promise<number> {
  const ended = await query<{ alive: boolean }>(
    db,
    Prisma.sql`
    DELETE FROM access_tokens WHERE workspace_id = ${workspaceID} AND app_id = ${appID}
    RETURNING expires_at > now() AS alive`,
  )
  return ended.filter((token) => token.alive).length
}

/** Deletes what has expired. Several processes may do this at once: each passes over what another has locked. */
export async function sweepAccessTokens(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM access_tokens WHERE (workspace_id, token_hash) IN (
      SELECT workspace_id, token_hash FROM access_tokens WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`
}
