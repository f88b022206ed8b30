import type { Unidentified } from '../../audit/record.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type Grant, Prisma } from '../../generated/prisma/client.ts'
import { hashSecret } from '../../platform/secrets/secrets.ts'
import type { Scope } from '../../scopes.ts'
import { findTokenActor } from '../tokens/access-tokens.ts'
import { endGrantOfApp } from './end-grant.ts'
import { lockGrant, scopesOf } from './issue-tokens.ts'

export type InspectedToken = {
  kind: 'access' | 'refresh'
  workspaceID: string
  userID: string
  scopes: Scope[]
  /** Missing for refresh tokens. */
  issuedAt?: Date
  expiresAt: Date
}

/** Returns what a valid token of an app allows, or undefined (RFC 7662 2.2). */
export async function inspectToken(
  db: Database,
  appID: string,
  token: string,
): Promise<InspectedToken | undefined> {
  return (await inspectAccessToken(db, appID, token)) ?? inspectRefreshToken(db, appID, token)
}

async function inspectAccessToken(
  db: Database,
  appID: string,
  token: string,
): Promise<InspectedToken | undefined> {
  const actor = await findTokenActor(db, token)
  if (!actor || actor.appID !== appID) return undefined
  const { workspaceID, userID, scopes } = actor
  const where = { workspaceID_tokenHash: { workspaceID, tokenHash: hashSecret(token) } }
  const found = await db.accessToken.findUnique({ where })
  if (!found) return undefined
  const { createdAt: issuedAt, expiresAt } = found
  return { kind: 'access', workspaceID, userID, scopes: [...scopes], issuedAt, expiresAt }
}

async function inspectRefreshToken(
  db: Database,
  appID: string,
  token: string,
): Promise<InspectedToken | undefined> {
  const hash = hashSecret(token)
  const condition = Prisma.sql`(g.workspace_id, g.id) = (
    SELECT workspace_id, grant_id FROM refresh_tokens WHERE token_hash = ${hash} AND replaced_at IS NULL)`
  const grant = await inTransaction(db, (tx) => lockGrant(tx, appID, condition))
  if (!grant) return undefined
  const { workspaceID, tokenUserID: userID, expiresAt } = grant
  return { kind: 'refresh', workspaceID, userID, scopes: scopesOf(grant), expiresAt }
}

/** Revokes a token of this app (RFC 7009 2.1). For a refresh token, ends its grant with all tokens. */
export async function revokeToken(ctx: Unidentified, appID: string, token: string): Promise<void> {
  const { db } = ctx
  const hash = hashSecret(token)
  await db.$executeRaw`DELETE FROM access_tokens WHERE token_hash = ${hash} AND app_id = ${appID}`
  await inTransaction(db, async (tx) => {
    const condition = Prisma.sql`
      (workspace_id, id) = (SELECT workspace_id, grant_id FROM refresh_tokens WHERE token_hash = ${hash})`
    const [grant] = await query<Pick<Grant, 'workspaceID' | 'id' | 'appID'>>(
      tx,
      Prisma.sql`
      SELECT workspace_id AS "workspaceID", id, app_id AS "appID" FROM grants WHERE app_id = ${appID} AND ${condition}`,
    )
    if (grant) await endGrantOfApp({ ...ctx, db: tx }, grant, { isTheft: false })
  })
}
