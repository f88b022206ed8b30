import { type Database, inTransaction } from '../database/database.ts'
import { noteEvents } from '../events/note-events.ts'
import type { User } from '../generated/prisma/client.ts'
import { distrustFormerOwner } from './former-owner.ts'

/** Changes a person's name or email address. With `unlessLinked`, does not change a person with a linked account. */
export function updateUser(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
  { name, email }: { name?: string | null | undefined; email?: string | null | undefined },
  { unlessLinked }: { unlessLinked: boolean },
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    if (email != null) await distrustFormerOwner(tx, { workspaceID, email })
    const [user] = await tx.user.updateManyAndReturn({
      where: { workspaceID, id, kind: 'person', deletedAt: null, ...(unlessLinked && { accountID: null }) },
      data: {
        ...(name != null && { name }),
        // The owner of a new address is linked when they sign in.
        ...(email !== undefined && { email, accountID: null }),
      },
    })
    if (user) await noteEvents(tx, workspaceID, [{ type: 'user.updated', objectID: id }])
    return user
  })
}
