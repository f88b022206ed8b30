import type { Database } from '../../database/database.ts'
import { execute, query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { Prisma, type SignInLink } from '../../generated/prisma/client.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { signInLinkColumns } from '../rows.ts'

/** How long a sign-in link works. */
export const linkMinutes = 60
const invitationMinutes = 7 * 24 * 60
/** How long an invitation that has expired stays in the list of invitations. */
const listedDays = 30

/**
 * A link with a workspace is an invitation of a person, by a user or the operator. `provesEmail` is true if only the owner
 * of the address gets the link.
 */
export type LinkTarget = { email: string; workspaceID: string | null; provesEmail: boolean } & Partial<
  Pick<SignInLink, 'userID' | 'inviterID'>
>

export const signInPath = (code: string) => `/signin/link/${code}`

/**
 * Creates a link that works once, and returns its path. A sign-in link is valid for an hour, and an invitation for
 * seven days.
 */
export async function createSignInLink(
  db: Database,
  { email, workspaceID, provesEmail, userID = null, inviterID = null }: LinkTarget,
  code = newSecret(),
): Promise<string> {
  const ttl = workspaceID === null ? linkMinutes : invitationMinutes
  await execute(
    db,
    Prisma.sql`
    INSERT INTO sign_in_links (code_hash, email, workspace_id, user_id, inviter_id, proves_email, expires_at)
    VALUES (${hashSecret(code)}, lower(${email}), ${workspaceID}, ${userID}, ${inviterID}, ${provesEmail},
      now() + make_interval(mins => ${ttl}))`,
  )
  return signInPath(code)
}

/**
 * Deletes the invitations of an address, and of the person who has it, to a workspace. Call it before a new invitation is
 * created. If the transaction also locks accounts or users, it must call this function first, like a sign-in.
 */
export async function deleteInvitations(
  tx: Database,
  { workspaceID, email, userID }: { workspaceID: string; email: string; userID: string | undefined },
): Promise<void> {
  await execute(
    tx,
    Prisma.sql`
    DELETE FROM sign_in_links
    WHERE workspace_id = ${workspaceID} AND (email = lower(${email}) OR user_id = ${userID ?? null})`,
  )
}

/**
 * Revokes the invitation of a person. Returns false if there is none. The link then says that it was revoked. Uses
 * clock_timestamp(), because now() can be before the person was restored, if this transaction waited for that.
 */
export async function revokeInvitationOf(
  tx: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
): Promise<boolean> {
  const count = await execute(
    tx,
    Prisma.sql`
    UPDATE sign_in_links SET revoked_at = clock_timestamp()
    WHERE workspace_id = ${workspaceID} AND user_id = ${id} AND revoked_at IS NULL`,
  )
  return count > 0
}

/** Returns the link with this code. Throws if it does not work. */
export async function findSignInLink(db: Database, code: string): Promise<SignInLink> {
  const [found] = await query<SignInLink>(
    db,
    Prisma.sql`
    SELECT ${signInLinkColumns} FROM sign_in_links l WHERE code_hash = ${hashSecret(code)} AND expires_at > now()`,
  )
  if (!found) throw invalidLink()
  if (found.revokedAt)
    throw new AppError(
      'forbidden',
      'This invitation was revoked by an admin. Ask an admin of the workspace for a new one.',
    )
  return found
}

/** Redeems a link. Only one of several concurrent calls gets the link. Throws if it does not work. */
export async function redeemSignInLink(db: Database, code: string): Promise<SignInLink> {
  const [found] = await query<SignInLink>(
    db,
    Prisma.sql`
    DELETE FROM sign_in_links l WHERE code_hash = ${hashSecret(code)} AND expires_at > now() AND revoked_at IS NULL
    RETURNING ${signInLinkColumns}`,
  )
  return found ?? findSignInLink(db, code)
}

export function invalidLink(): AppError {
  return new AppError(
    'forbidden',
    'This link is not valid. It may have expired, or it was already used or replaced. If you have a password, sign in with it. Otherwise, ask an admin of your workspace for a new link, or ask the person who runs this service (the operator).',
  )
}

export async function sweepSignInLinks(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sign_in_links
    WHERE expires_at < now() AND (workspace_id IS NULL OR expires_at < now() - make_interval(days => ${listedDays}))`
}
