import { type Database, inTransaction } from '../database/database.ts'
import type { User } from '../generated/prisma/client.ts'
import { joinGeneral, leaveAllGroups } from '../groups/general-group.ts'
import { markUserDeleted, restoreUser } from '../users/mark-deleted.ts'

type UserKey = { workspaceID: string; id: string }

/** Deletes a user, who leaves all groups. Messages and the name stay. Returns undefined if there is no such user. */
export function removeUser(db: Database, key: UserKey): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await markUserDeleted(tx, key)
    if (user) await leaveAllGroups(tx, user)
    return user
  })
}

/** Restores a deleted user, who returns to the General group and to no other. */
export function returnUser(db: Database, key: UserKey): Promise<User> {
  return inTransaction(db, async (tx) => {
    const user = await restoreUser(tx, key)
    await joinGeneral(tx, user)
    return user
  })
}
