import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type Grant, Prisma } from '../../generated/prisma/client.ts'
import { hashSecret, newToken } from '../../platform/secrets/secrets.ts'
import { commonScopes, isScope, type Scope, withIncluded } from '../../scopes.ts'
import { activePersonOf } from '../../users/active-person.ts'
import { grantColumns } from '../rows.ts'

/** A grant that does not change until the end of the transaction, with the user that its tokens act as. */
export type LockedGrant = Grant & { tokenUserID: string; installedScopes: string[] }

export type GrantTokens = {
  workspaceID: string
  userID: string
  scopes: Scope[]
  accessToken: string
  refreshToken: string
}

/** The reason why a code or refresh token is refused, with the error code of RFC 6749 5.2. */
export type Refusal = { error: 'invalid_grant' | 'invalid_scope'; message: string }

/** The beginning of every refresh token. Secret scanners recognize the token by this prefix. */
export const refreshTokenPrefix = 'skrt_'

/**
 * How long a client can use a replaced token again, because the response with the new token may be lost, or two requests
 * may have sent the token at once. Each use gives the same new token. The first use of the new token ends this time.
 */
export const graceSeconds = 30

/** A grant expires if its app gets no token for this long. */
export const idleDays = 90

/** Locks a grant before a change. The person must be active if the code is unused or the tokens act as the person. */
export async function lockGrant(
  tx: Database,
  appID: string,
  condition: Prisma.Sql,
): Promise<LockedGrant | undefined> {
  const [grant] = await query<LockedGrant>(
    tx,
    Prisma.sql`
    SELECT ${grantColumns}, CASE WHEN g.acts_as_user THEN g.user_id ELSE i.user_id END AS "tokenUserID",
      i.scopes AS "installedScopes"
    FROM grants g
    JOIN installations i ON i.workspace_id = g.workspace_id AND i.app_id = g.app_id
    WHERE ${condition} AND g.app_id = ${appID} AND g.expires_at > now() AND i.uninstalled_at IS NULL
      AND (EXISTS (${activePersonOf('g')}) OR (NOT g.acts_as_user AND g.code_used_at IS NOT NULL))
    FOR NO KEY UPDATE OF g`,
  )
  return grant
}

/** Issues an access token, and the refresh token unless an earlier call has issued the same one. */
export async function issueTokens(
  tx: Database,
  grant: LockedGrant,
  { scopes, refreshToken, ttlSeconds }: { scopes: Scope[]; refreshToken: string; ttlSeconds: number },
): Promise<GrantTokens> {
  const { workspaceID, id, appID, actsAsUser, userID } = grant
  const accessToken = newToken()
  const asUser = actsAsUser ? userID : null
  await tx.$executeRaw`
    INSERT INTO access_tokens (workspace_id, token_hash, app_id, grant_id, user_id, scopes, expires_at)
    VALUES (${workspaceID}, ${hashSecret(accessToken)}, ${appID}, ${id}, ${asUser}, ${scopes}::text[],
      now() + make_interval(secs => ${ttlSeconds}))`
  await tx.$executeRaw`
    INSERT INTO refresh_tokens (workspace_id, token_hash, grant_id)
    VALUES (${workspaceID}, ${hashSecret(refreshToken)}, ${id}) ON CONFLICT DO NOTHING`
  await tx.$executeRaw`
    UPDATE grants SET code_used_at = coalesce(code_used_at, now()), expires_at = now() + make_interval(days => ${idleDays})
    WHERE workspace_id = ${workspaceID} AND id = ${id}`
  return { workspaceID, userID: grant.tokenUserID, scopes, accessToken, refreshToken }
}

/** Returns the scopes that the tokens of a grant have. The app user has only scopes of its installation. */
export function scopesOf({ scopes, actsAsUser, installedScopes }: LockedGrant): Scope[] {
  const granted = scopes.filter(isScope)
  if (actsAsUser) return granted
  const common = commonScopes(granted, installedScopes.filter(isScope))
  const kept = granted.filter((scope) => common.includes(scope))
  // Lists an included scope only if the installation has lost the scope that includes it.
  return [...kept, ...common.filter((scope) => !withIncluded(kept).includes(scope))]
}
