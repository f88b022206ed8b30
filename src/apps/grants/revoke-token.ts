import type { Database } from '../../database/database.ts'
import { hashSecret } from '../../platform/secrets/secrets.ts'

/** Revokes a token of this app (RFC 7009 2.1). For a refresh token, ends its grant with all tokens. */
export async function revokeToken(db: Database, appID: string, token: string): Promise<void> {
  const hash = hashSecret(token)
  await db.$executeRaw`DELETE FROM access_tokens WHERE token_hash = ${hash} AND app_id = ${appID}`
  await db.$executeRaw`
    DELETE FROM grants WHERE app_id = ${appID}
      AND (workspace_id, id) = (SELECT workspace_id, grant_id FROM refresh_tokens WHERE token_hash = ${hash})`
}
