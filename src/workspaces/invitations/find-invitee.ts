import { mailsLinks } from '../../accounts/sign-in-methods.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type AppError, conflictAt } from '../../errors.ts'
import { Prisma, type User } from '../../generated/prisma/client.ts'
import { userColumns } from '../../users/rows.ts'

type Invitee = {
  workspaceID: string
  email: string
  asNewPerson: boolean | null | undefined
  config: Config
}

/**
 * Returns the person with the address who has not joined yet. The person is deleted if their invitation was revoked.
 * Returns undefined if nobody has the address. Throws if the address cannot be invited.
 */
export async function findInvitee(
  db: Database,
  { workspaceID, email, asNewPerson, config }: Invitee,
): Promise<User | undefined> {
  const user = await findPerson(db, workspaceID, email)
  if (user?.accountID) throw alreadyJoined(config)
  if (user || asNewPerson) return user
  const deleted = await findPerson(db, workspaceID, email, 'deleted')
  if (deleted && !(await isRevoked(db, deleted))) throw deactivated(deleted)
  return deleted
}

function alreadyJoined(config: Config): AppError {
  const forLink = config.signInMethods.includes('link') ? ' for a sign-in link' : ''
  const way = mailsLinks(config)
    ? 'request a link on the sign-in page'
    : `ask the person who runs this service (the operator)${forLink}`
  return conflictAt(
    'already_joined',
    'email',
    `belongs to a person who has already joined the workspace. If the person cannot sign in, they can ${way}`,
  )
}

// The address may have passed to somebody else, who must not become the former person. Therefore the admin decides.
function deactivated({ name }: User): AppError {
  return conflictAt(
    'deactivated',
    'email',
    `is the address of ${name}, who was deactivated. Restore this person, or invite a new person`,
  )
}

/** Returns the person with the address. If several deleted people had it, returns the one who was deleted last. */
async function findPerson(
  db: Database,
  workspaceID: string,
  email: string,
  state: 'active' | 'deleted' = 'active',
): Promise<User | undefined> {
  const isInState = state === 'active' ? Prisma.sql`deleted_at IS NULL` : Prisma.sql`deleted_at IS NOT NULL`
  const [person] = await query<User>(
    db,
    Prisma.sql`
    SELECT ${userColumns} FROM users u
    WHERE workspace_id = ${workspaceID} AND ${isInState} AND email IS NOT NULL AND lower(email) = lower(${email})
    ORDER BY deleted_at DESC, id LIMIT 1`,
  )
  return person
}

/**
 * Returns whether a person was deleted because their invitation was revoked. Nobody can have joined as this person since
 * then, unless they were restored.
 */
async function isRevoked(db: Database, { workspaceID, id, restoredAt }: User): Promise<boolean> {
  const revoked = await query(
    db,
    Prisma.sql`
    SELECT FROM sign_in_links
    WHERE workspace_id = ${workspaceID} AND user_id = ${id}
      AND revoked_at > ${restoredAt?.toISOString() ?? '-infinity'}::timestamptz`,
  )
  return revoked.length > 0
}
