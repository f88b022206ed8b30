import { type Database, inTransaction } from '../database/database.ts'
import type { User } from '../generated/prisma/client.ts'
import { joinGeneral } from '../groups/general-group.ts'
import { createUser, type UserKind } from '../users/create-user.ts'

export function addUser(
  db: Database,
  user: { workspaceID: string; kind: UserKind; name: string; email?: string | null | undefined },
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const added = await createUser(tx, user)
    await joinGeneral(tx, added)
    return added
  })
}
