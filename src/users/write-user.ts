import { distrustAccount } from '../accounts/verified-account.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { noteEvents } from '../events/note-events.ts'
import { Prisma, type User } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { userColumns } from './rows.ts'

/** Changes a person. With `unlessLinked`, does not change a person with a linked account. */
export function updateUser(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
  { name, email, avatarFileID }: ProgramChange & { email?: string | null | undefined },
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
        ...(avatarFileID !== undefined && { avatarFileID }),
      },
    })
    if (user) await noteEvents(tx, workspaceID, [{ type: 'user.updated', objectID: id }])
    return user
  })
}

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

/** The new name and the new picture. Null removes the picture. */
type ProgramChange = { name?: string | null | undefined; avatarFileID?: string | null | undefined }

/** Changes the user of a webhook or an app. Does nothing if the user is deleted. `updateUser` changes a person. */
export function changeProgram(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
  { name, avatarFileID }: ProgramChange,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { workspaceID, id, deletedAt: null },
      data: { ...(name != null && { name }), ...(avatarFileID !== undefined && { avatarFileID }) },
    })
    if (count > 0) await noteEvents(tx, workspaceID, [{ type: 'user.updated', objectID: id }])
  })
}

/** Marks a user as deleted, unlinks the account and removes the picture. The row stays, because messages show the name. */
export async function markUserDeleted(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<User | undefined> {
  const [user] = await query<User>(
    db,
    Prisma.sql`
    UPDATE users u SET deleted_at = clock_timestamp(), account_id = NULL, avatar_file_id = NULL
    WHERE u.workspace_id = ${workspaceID} AND u.id = ${id} AND u.deleted_at IS NULL RETURNING ${userColumns}`,
  )
  return user
}

/** Undoes the deletion of a user. Returns undefined if the user is not deleted. */
export async function unmarkUserDeleted(
  db: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<User | undefined> {
  const [user] = await query<User>(
    db,
    Prisma.sql`
    UPDATE users u SET deleted_at = NULL, restored_at = clock_timestamp()
    WHERE u.workspace_id = ${workspaceID} AND u.id = ${id} AND u.deleted_at IS NOT NULL RETURNING ${userColumns}`,
  )
  return user
}

/**
 * Call this before a person gets an address. If a deleted person of the workspace had it, it may now belong to somebody
 * else. The former owner must not become the new person by an old password, session or identity.
 */
async function distrustFormerOwner(
  tx: Database,
  { workspaceID, email }: { workspaceID: string; email: string },
): Promise<void> {
  const former = await query(
    tx,
    Prisma.sql`
    SELECT FROM users
    WHERE workspace_id = ${workspaceID} AND lower(email) = lower(${email}) AND email IS NOT NULL AND deleted_at IS NOT NULL
    LIMIT 1`,
  )
  if (former.length > 0) await distrustAccount(tx, email)
}
