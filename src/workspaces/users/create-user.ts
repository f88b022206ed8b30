import { type Database, inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { addToGeneralGroup } from '../../groups/general-group.ts'
import { insertUser, type UserKind } from '../../users/insert-user.ts'

export function createUser(
  db: Database,
  user: { workspaceID: string; kind: UserKind; name: string; email?: string | null | undefined },
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const added = await insertUser(tx, user)
    await addToGeneralGroup(tx, added)
    await noteEvents(tx, user.workspaceID, [{ type: 'user.created', objectID: added.id }])
    return added
  })
}
