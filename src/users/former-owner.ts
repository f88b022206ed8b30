import { distrustAccount } from '../accounts/verified-account.ts'
import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'

/**
 * Call this before a person gets an address. If a deleted person of the workspace had it, it may now belong to somebody
 * else. The former owner must not become the new person by an old password, session or identity.
 */
export async function distrustFormerOwner(
  tx: Database,
  { workspaceID, email }: { workspaceID: string; email: string },
): Promise<void> {
  const former = await query(
    tx,
    Prisma.sql`
    SELECT FROM users
    WHERE workspace_id = ${workspaceID} AND lower(email) = lower(${email}) AND email IS NOT NULL AND deleted_at IS NOT NULL
    LIMIT 1`,
  )
  if (former.length > 0) await distrustAccount(tx, email)
}
