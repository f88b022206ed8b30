import { createHmac, randomBytes } from 'node:crypto'
import type { Unidentified } from '../../audit/record.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret } from '../../platform/secrets/secrets.ts'
import type { Scope } from '../../scopes.ts'
import { withIncluded } from '../../scopes.ts'
import { endGrantOfApp } from './end-grant.ts'
import {
  type GrantTokens,
  graceSeconds,
  issueTokens,
  type LockedGrant,
  lockGrant,
  type Refusal,
  refreshTokenPrefix,
  scopesOf,
} from './issue-tokens.ts'

const saltBytes = 32

export type RefreshRequest = {
  appID: string
  refreshToken: string
  /** By default, all scopes of the grant. */
  scopes: readonly Scope[] | undefined
  ttlSeconds: number
}

/** Exchanges a refresh token for new tokens, and replaces it (RFC 6749 6, RFC 9700 4.14.2). */
export function refreshTokens(ctx: Unidentified, request: RefreshRequest): Promise<GrantTokens | Refusal> {
  const hash = hashSecret(request.refreshToken)
  return inTransaction(ctx.db, async (tx) => {
    const grant = await lockGrant(
      tx,
      request.appID,
      Prisma.sql`(g.workspace_id, g.id) = (SELECT workspace_id, grant_id FROM refresh_tokens WHERE token_hash = ${hash})`,
    )
    if (!grant) return refusal('The refresh token is invalid, has expired or was revoked.')
    const reused = await query(
      tx,
      Prisma.sql`
      SELECT token_hash FROM refresh_tokens WHERE workspace_id = ${grant.workspaceID} AND token_hash = ${hash}
        AND replaced_at < now() - make_interval(secs => ${graceSeconds})`,
    )
    // The grace period is over, or a newer token has been used. Somebody else may have stolen this token.
    if (reused.length > 0) {
      await endGrantOfApp({ ...ctx, db: tx }, grant, { isTheft: true })
      return refusal('The refresh token was replaced before. All tokens of the grant are revoked.')
    }
    const allowed = scopesOf(grant)
    if (request.scopes?.some((scope) => !withIncluded(allowed).includes(scope)))
      return { error: 'invalid_scope', message: `The grant has only the scopes ${allowed.join(', ')}.` }
    const salt = await replace(tx, grant, hash)
    const refreshToken = successorOf(request.refreshToken, salt)
    const scopes = request.scopes ? [...request.scopes] : allowed
    return issueTokens(tx, grant, { scopes, refreshToken, ttlSeconds: request.ttlSeconds })
  })
}

/**
 * Replaces a token, and returns the salt of its successor. The first use of a token makes all other refresh tokens of the
 * grant unusable, as if their grace period had ended.
 */
async function replace(tx: Database, { workspaceID, id }: LockedGrant, hash: Buffer): Promise<Uint8Array> {
  // Long ago, because now() can be older in a transaction that waits for the lock of the grant.
  const graceIsOver = Prisma.sql`now() - interval '1 hour'`
  const [used] = await query<{ salt: Uint8Array }>(
    tx,
    Prisma.sql`
    WITH ended AS (
      UPDATE refresh_tokens t SET replaced_at = least(t.replaced_at, ${graceIsOver}), successor_salt = NULL
      FROM refresh_tokens used
      WHERE used.workspace_id = ${workspaceID} AND used.token_hash = ${hash} AND used.replaced_at IS NULL
        AND t.workspace_id = ${workspaceID} AND t.grant_id = ${id} AND t.token_hash <> ${hash}
        AND (t.replaced_at IS NULL OR t.replaced_at > ${graceIsOver} OR t.successor_salt IS NOT NULL)
    )
    UPDATE refresh_tokens SET replaced_at = coalesce(replaced_at, now()),
      successor_salt = coalesce(successor_salt, ${randomBytes(saltBytes)})
    WHERE workspace_id = ${workspaceID} AND token_hash = ${hash} RETURNING successor_salt AS salt`,
  )
  if (!used) throw new Error('The refresh token is missing')
  return used.salt
}

/** Derives the next token. The database alone does not reveal it, because it has neither of the two tokens. */
function successorOf(token: string, salt: Uint8Array): string {
  return `${refreshTokenPrefix}${createHmac('sha256', salt).update(token).digest('base64url')}`
}

function refusal(message: string): Refusal {
  return { error: 'invalid_grant', message }
}
