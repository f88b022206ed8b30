import { invalidLink, type LinkTarget } from '../../accounts/links/sign-in-links.ts'
import type { ActiveSession } from '../../accounts/sessions/session.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

export type InvitedPerson = { workspaceID: string; id: string; name: string; inviterName: string | null }

/**
 * Returns the person whom an invitation is for, or undefined for a sign-in link. Throws if the person was deleted or has
 * another address now.
 */
export async function invitedPerson(
  db: Database,
  { email, workspaceID, inviterID }: LinkTarget,
): Promise<InvitedPerson | undefined> {
  if (workspaceID === null) return undefined
  const [person] = await query<InvitedPerson>(
    db,
    Prisma.sql`
    SELECT u.workspace_id AS "workspaceID", u.id, u.name, (
      SELECT name FROM users WHERE workspace_id = ${workspaceID} AND id = ${inviterID ?? null}) AS "inviterName"
    FROM users u
    WHERE u.workspace_id = ${workspaceID} AND lower(u.email) = ${email} AND u.kind = 'person' AND u.deleted_at IS NULL
    LIMIT 1`,
  )
  if (!person) throw invalidLink()
  return person
}

/**
 * Returns whether the owner of an invited address can sign in without a new password: with the password of the account,
 * or because this browser is signed in to the account.
 */
export async function canSignInAgain(
  db: Database,
  { email, provesEmail }: LinkTarget,
  session: ActiveSession | undefined,
): Promise<boolean> {
  const isOwnSession = session?.email === email
  // The page must not reveal whether the address has an account, because an admin can open this link.
  if (!provesEmail) return isOwnSession
  const account = await db.account.findUnique({ where: { email } })
  return account?.isVerified === true && (isOwnSession || account.passwordHash !== null)
}
