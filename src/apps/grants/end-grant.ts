import type { Database } from '../../database/database.ts'
import type { Grant } from '../../generated/prisma/client.ts'

/** Ends a grant with all its tokens. Returns false if the grant has already ended. */
export async function endGrant(
  db: Database,
  { workspaceID, id }: Pick<Grant, 'workspaceID' | 'id'>,
): Promise<boolean> {
  const { count } = await db.grant.deleteMany({ where: { workspaceID, id } })
  return count > 0
}

export async function sweepGrants(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM grants WHERE expires_at < now()`
  await db.$executeRaw`DELETE FROM refresh_tokens WHERE replaced_at < now() - interval '90 days'`
}
