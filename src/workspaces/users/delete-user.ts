import { type Database, inTransaction } from '../../database/database.ts'
import type { User } from '../../generated/prisma/client.ts'
import { leaveAllGroups } from '../../groups/general-group.ts'
import { markUserDeleted } from '../../users/mark-deleted.ts'

/** Deletes a user and all memberships. Keeps messages and name. Returns undefined if the user does not exist. */
export function deleteUser(
  db: Database,
  key: { workspaceID: string; id: string },
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await markUserDeleted(tx, key)
    if (user) await leaveAllGroups(tx, user)
    return user
  })
}
