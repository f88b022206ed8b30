import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { Prisma, type User } from '../generated/prisma/client.ts'
import { userColumns } from './rows.ts'

/** Marks a user as deleted, and unlinks the account. The row stays, because messages show the name. */
export async function markUserDeleted(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<User | undefined> {
  const [user] = await query<User>(
    db,
    Prisma.sql`
    UPDATE users u SET deleted_at = clock_timestamp(), account_id = NULL
    WHERE u.workspace_id = ${workspaceID} AND u.id = ${id} AND u.deleted_at IS NULL RETURNING ${userColumns}`,
  )
  return user
}

/** Undoes the deletion of a user. Returns undefined if the user is not deleted. */
export async function unmarkUserDeleted(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<User | undefined> {
  const [user] = await query<User>(
    db,
    Prisma.sql`
    UPDATE users u SET deleted_at = NULL, restored_at = clock_timestamp()
    WHERE u.workspace_id = ${workspaceID} AND u.id = ${id} AND u.deleted_at IS NOT NULL RETURNING ${userColumns}`,
  )
  return user
}
