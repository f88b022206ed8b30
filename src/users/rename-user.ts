import { type Database, inTransaction } from '../database/database.ts'
import { noteEvents } from '../events/note-events.ts'

/** Renames the user of a webhook. Does nothing if the user is deleted. `updateUser` renames a person. */
export function renameUser(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
  name: string,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { workspaceID, id, deletedAt: null },
      data: { name },
    })
    if (count > 0) await noteEvents(tx, workspaceID, [{ type: 'user.updated', objectID: id }])
  })
}
