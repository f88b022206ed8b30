import {
  findSignInLink,
  invalidLink,
  type LinkTarget,
  redeemSignInLink,
} from '../../accounts/links/sign-in-links.ts'
import { accountOfIdentity } from '../../accounts/oidc/account-of-identity.ts'
import type { Identity } from '../../accounts/oidc/identity-provider.ts'
import { matchingHash } from '../../accounts/passwords/set-password.ts'
import { type ActiveSession, lockSession, startSession } from '../../accounts/sessions/session.ts'
import { lockAccount, newUnverifiedAccount, verifiedAccount } from '../../accounts/verified-account.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { type Account, Prisma } from '../../generated/prisma/client.ts'
import { linkPeople } from './link-people.ts'

/** Returns the token of a new session of the owner, in which the owner can replace a forgotten password. */
function signInOwner(db: Database, email: string, userAgent: string | undefined): Promise<string> {
  return inTransaction(db, async (tx) => {
    const account = await verifiedAccount(tx, email)
    await linkPeople(tx, account)
    return startAllowed(tx, account, userAgent, true)
  })
}

export function signInByLink(db: Database, code: string, userAgent: string | undefined): Promise<string> {
  return inTransaction(db, async (tx) => {
    const target = await redeemSignInLink(tx, code)
    if (!target) throw invalidLink()
    const { email, workspaceID, provesEmail } = target
    await requireInvited(tx, target)
    if (provesEmail) return signInOwner(tx, email, userAgent)
    const account = await newUnverifiedAccount(tx, email)
    // Refuses an address that has an account. Otherwise an admin who copied the invitation could sign in to this
    // account, and act as its owner in other workspaces.
    if (!account)
      throw new AppError(
        'forbidden',
        `Sign in as ${email} first, and then open the invitation again. If you cannot sign in, ask whoever runs this service (the operator) for a sign-in link.`,
      )
    await linkPeople(tx, account, workspaceID ?? undefined)
    return startAllowed(tx, account, userAgent)
  })
}

export function signInWithIdentity(
  db: Database,
  identity: Identity,
  userAgent: string | undefined,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const account = await accountOfIdentity(tx, identity)
    if (account.isVerified) await linkPeople(tx, account)
    return startAllowed(tx, account, userAgent)
  })
}

/** Returns the token of a new session, or undefined if the email address or the password is wrong. */
export async function signInWithPassword(
  db: Database,
  { email, password }: { email: string; password: string },
  userAgent: string | undefined,
): Promise<string | undefined> {
  const passwordHash = await matchingHash(db, email, password)
  if (passwordHash === undefined) return undefined
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, email)
    // A new password ends all other sessions. Therefore the old password must not start one now.
    if (account.passwordHash !== passwordHash) return undefined
    // If nobody has proved that the address is theirs, its owner could be somebody else.
    if (account.isVerified) await linkPeople(tx, account)
    return startAllowed(tx, account, userAgent)
  })
}

/** Redeems an invitation for the account that is signed in. Returns false if the link is not an invitation for it. */
export function acceptInvitation(db: Database, code: string, session: ActiveSession): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const target = await findSignInLink(tx, code)
    if (!target || target.workspaceID === null || target.email !== session.email) return false
    // If the account is not verified, somebody other than the owner of the address may have created it. The link must
    // then sign in the owner instead.
    if (target.provesEmail && !(await isVerified(tx, session))) return false
    if (!(await redeemSignInLink(tx, code))) throw invalidLink()
    const account = await lockSession(tx, session)
    await requireInvited(tx, target)
    await linkPeople(tx, account, target.workspaceID)
    return true
  })
}

async function isVerified(tx: Database, { accountID }: ActiveSession): Promise<boolean> {
  return (await tx.account.findUniqueOrThrow({ where: { id: accountID } })).isVerified
}

/** Throws if the link is an invitation of a person who has been removed from the workspace. */
async function requireInvited(tx: Database, { email, workspaceID }: LinkTarget): Promise<void> {
  if (workspaceID === null) return
  const invited = await query(
    tx,
    Prisma.sql`
    SELECT FROM users
    WHERE workspace_id = ${workspaceID} AND lower(email) = ${email} AND kind = 'person' AND deleted_at IS NULL LIMIT 1`,
  )
  if (invited.length === 0) throw invalidLink()
}

function startAllowed(
  tx: Database,
  { id, deactivatedAt }: Account,
  userAgent: string | undefined,
  mayResetPassword = false,
): Promise<string> {
  if (deactivatedAt)
    throw new AppError(
      'forbidden',
      'This account is deactivated. Ask whoever runs this service (the operator).',
    )
  return startSession(tx, { accountID: id, userAgent, mayResetPassword })
}
