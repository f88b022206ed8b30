import type { Database } from '../database/database.ts'
import type { User } from '../generated/prisma/client.ts'

/** Marks a user as deleted, and unlinks the account. The row stays, because messages show the name. */
export async function markUserDeleted(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<User | undefined> {
  const where = { workspaceID, id, deletedAt: null }
  const [user] = await db.user.updateManyAndReturn({
    where,
    data: { deletedAt: new Date(), accountID: null },
  })
  return user
}

/** Undoes the deletion of an app user when the app is installed again. */
export async function unmarkUserDeleted(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<User> {
  return db.user.update({ where: { workspaceID_id: { workspaceID, id } }, data: { deletedAt: null } })
}
