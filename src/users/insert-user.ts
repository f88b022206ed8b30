import type { Database } from '../database/database.ts'
import type { User } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { distrustFormerOwner } from './former-owner.ts'

export type UserKind = 'person' | 'app' | 'webhook'

/** Inserts a user without memberships. `createUser` also adds the user to the General group. */
export async function insertUser(
  db: Database,
  user: { workspaceID: string; kind: UserKind; name: string; email?: string | null | undefined },
): Promise<User> {
  const { workspaceID, kind, name, email = null } = user
  if (email !== null) await distrustFormerOwner(db, { workspaceID, email })
  return db.user.create({ data: { workspaceID, id: newID('usr'), kind, name, email } })
}
