import { record, type Unidentified } from '../../audit/record.ts'
import type { Database } from '../../database/database.ts'
import type { Grant } from '../../generated/prisma/client.ts'
import { graceSeconds } from './issue-tokens.ts'

/** Ends a grant with all its tokens. Returns false if the grant has already ended. */
export async function endGrant(
  db: Database,
  { workspaceID, id }: Pick<Grant, 'workspaceID' | 'id'>,
): Promise<boolean> {
  const { count } = await db.grant.deleteMany({ where: { workspaceID, id } })
  return count > 0
}

/** Ends a grant for its app. The entry of the audit log says whether somebody may have stolen a token. */
export async function endGrantOfApp(
  ctx: Unidentified,
  { workspaceID, id, appID }: Pick<Grant, 'workspaceID' | 'id' | 'appID'>,
  { isTheft }: { isTheft: boolean },
): Promise<void> {
  const actor = { kind: 'app', appID } as const
  const details = { isTheft }
  if (await endGrant(ctx.db, { workspaceID, id }))
    await record({ ...ctx, actor }, { action: 'endGrant', workspaceID, object: { id }, details })
}

/** Deletes expired grants, old tokens, and the salts of tokens whose grace period has ended. */
export async function sweepGrants(db: Database): Promise<number> {
  const grants = await db.$executeRaw`DELETE FROM grants WHERE expires_at < now()`
  const tokens =
    await db.$executeRaw`DELETE FROM refresh_tokens WHERE replaced_at < now() - interval '90 days'`
  // Waits twice as long, because a request that began within the grace period may still use the salt.
  await db.$executeRaw`
    UPDATE refresh_tokens SET successor_salt = NULL WHERE (workspace_id, token_hash) IN (
      SELECT workspace_id, token_hash FROM refresh_tokens
      WHERE successor_salt IS NOT NULL AND replaced_at < now() - make_interval(secs => ${2 * graceSeconds})
      FOR NO KEY UPDATE SKIP LOCKED)`
  return grants + tokens
}
