import { type Database, inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { addToGeneralGroup } from '../../groups/general-group.ts'
import { unmarkUserDeleted } from '../../users/mark-deleted.ts'

/** Restores a deleted user. Adds them to the General group, but not to their other former groups. */
export function restoreUser(db: Database, key: { workspaceID: string; id: string }): Promise<User> {
  return inTransaction(db, async (tx) => {
    const user = await unmarkUserDeleted(tx, key)
    await addToGeneralGroup(tx, user)
    await noteEvents(tx, key.workspaceID, [{ type: 'user.updated', objectID: user.id }])
    return user
  })
}
