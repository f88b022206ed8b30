import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'

const minutes = { signIn: 60, invitation: 7 * 24 * 60 }

/** A link with a workspace is an invitation. `provesEmail` is true if only the owner of the address gets the link. */
export type LinkTarget = { email: string; workspaceID: string | null; provesEmail: boolean }

export const signInPath = (code: string) => `/signin/link/${code}`

/**
 * Creates a link that works once, and returns its path. A sign-in link is valid for an hour, and an invitation for
 * seven days. An invitation replaces earlier invitations of the same address to the same workspace.
 */
export async function createSignInLink(
  db: Database,
  { email, workspaceID, provesEmail }: LinkTarget,
  code = newSecret(),
): Promise<string> {
  const ttl = workspaceID === null ? minutes.signIn : minutes.invitation
  await query(
    db,
    Prisma.sql`
    WITH replaced AS (DELETE FROM sign_in_links WHERE email = lower(${email}) AND workspace_id = ${workspaceID})
    INSERT INTO sign_in_links (code_hash, email, workspace_id, proves_email, expires_at)
    VALUES (${hashSecret(code)}, lower(${email}), ${workspaceID}, ${provesEmail}, now() + make_interval(mins => ${ttl}))`,
  )
  return signInPath(code)
}

const columns = Prisma.sql`email, workspace_id AS "workspaceID", proves_email AS "provesEmail"`

export async function findSignInLink(db: Database, code: string): Promise<LinkTarget | undefined> {
  const [found] = await query<LinkTarget>(
    db,
    Prisma.sql`SELECT ${columns} FROM sign_in_links WHERE code_hash = ${hashSecret(code)} AND expires_at > now()`,
  )
  return found
}

/** Redeems a link. Only one of several concurrent calls gets the target of the link. */
export async function redeemSignInLink(db: Database, code: string): Promise<LinkTarget | undefined> {
  const [found] = await query<LinkTarget>(
    db,
    Prisma.sql`DELETE FROM sign_in_links WHERE code_hash = ${hashSecret(code)} AND expires_at > now() RETURNING ${columns}`,
  )
  return found
}

export function invalidLink(): AppError {
  return new AppError(
    'forbidden',
    'This link is invalid, has been used or has expired. If you have signed in before, sign in with your password, or ask whoever runs this service (the operator) for a sign-in link. Otherwise, ask an admin for a new invitation.',
  )
}

export async function sweepSignInLinks(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_links WHERE expires_at < now()`
}
