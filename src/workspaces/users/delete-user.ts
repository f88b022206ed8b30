import { type Database, inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { leaveAllGroups } from '../../groups/general-group.ts'
import { markUserDeleted } from '../../users/mark-deleted.ts'

/**
 * Deletes a user and all memberships. Keeps messages and name. Returns undefined if the user does not exist. Calls
 * `check` before the user leaves the groups: if it throws, nothing is changed.
 */
export function deleteUser(
  db: Database,
  key: { workspaceID: string; id: string },
  check?: (tx: Database) => Promise<void>,
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await markUserDeleted(tx, key)
    if (!user) return undefined
    await check?.(tx)
    await leaveAllGroups(tx, user)
    await noteEvents(tx, key.workspaceID, [{ type: 'user.deactivated', objectID: user.id }])
    return user
  })
}
