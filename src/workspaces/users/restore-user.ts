import { type Database, inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { addToGeneralGroup } from '../../groups/general-group.ts'
import { rejoinPublicGroups } from '../../groups/members/former-groups.ts'
import { unmarkUserDeleted } from '../../users/mark-deleted.ts'

/**
 * Restores a deleted user. Adds them to the General group, and a person to their former groups that are public. Returns
 * undefined if the user is not deleted.
 */
export function restoreUser(
  db: Database,
  key: { workspaceID: string; id: string },
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await unmarkUserDeleted(tx, key)
    if (!user) return undefined
    await addToGeneralGroup(tx, user)
    await rejoinPublicGroups(tx, user)
    await noteEvents(tx, key.workspaceID, [{ type: 'user.updated', objectID: user.id }])
    return user
  })
}
