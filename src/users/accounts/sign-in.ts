import { findSignInLink, redeemSignInLink } from '../../accounts/links/sign-in-links.ts'
import { accountOfIdentity } from '../../accounts/oidc/account-of-identity.ts'
import type { Identity } from '../../accounts/oidc/identity-provider.ts'
import { checkPassword, type PasswordAttempt, storePassword } from '../../accounts/passwords/set-password.ts'
import {
  type ActiveSession,
  lockSession,
  type SessionStart,
  startSession,
} from '../../accounts/sessions/session.ts'
import { requireSignInMethod } from '../../accounts/sign-in-methods.ts'
import { lockAccount, newUnverifiedAccount, verifiedAccount } from '../../accounts/verified-account.ts'
import { record, type Unidentified } from '../../audit/record.ts'
import { recordRefusal } from '../../audit/refusals.ts'
import type { Config } from '../../config.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { AppError } from '../../errors.ts'
import type { Account } from '../../generated/prisma/client.ts'
import { updateUser } from '../write-user.ts'
import { type InvitedPerson, invitedPerson } from './invited-person.ts'
import { linkPeople } from './link-people.ts'

/** What a person who accepts an invitation has entered. */
export type NewMember = { name?: string | undefined; passwordHash?: string | undefined }

/**
 * Returns the token of a new session. If the link proves the address, the session can replace a forgotten password. If
 * sign-in links are turned off, an invitation still works for somebody who chooses a password.
 */
export function signInByLink(
  ctx: Unidentified,
  code: string,
  { name, passwordHash }: NewMember = {},
): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    const target = await redeemSignInLink(tx, code)
    const { email, workspaceID, provesEmail } = target
    if (workspaceID === null || passwordHash === undefined) requireSignInMethod(ctx.config, 'link')
    const person = await invitedPerson(tx, target)
    const account = provesEmail ? await verifiedAccount(tx, email) : await newAccount(ctx.config, tx, email)
    if (passwordHash !== undefined) await storePassword(tx, account.id, passwordHash)
    if (person) await rename(tx, person, name)
    await linkPeople(tx, account, provesEmail ? undefined : (workspaceID ?? undefined))
    const mayResetPassword = provesEmail && passwordHash === undefined
    const token = await startAllowed({ ...ctx, db: tx }, account, { means: 'link', mayResetPassword })
    if (workspaceID !== null) await recordAcceptance({ ...ctx, db: tx }, account, workspaceID, person)
    return token
  })
}

async function newAccount({ signInMethods }: Config, tx: Database, email: string): Promise<Account> {
  const account = await newUnverifiedAccount(tx, email)
  if (account) return account
  // Refuses an address that has an account. Otherwise an admin who copied the invitation could sign in to this account,
  // and act as its owner in other workspaces.
  const forLink = signInMethods.includes('link') ? ' for a sign-in link' : ''
  throw new AppError(
    'forbidden',
    `Sign in as ${email} first, and then open the invitation again. If you cannot sign in, ask the person who runs this service (the operator)${forLink}.`,
  )
}

async function rename(tx: Database, person: InvitedPerson, name = person.name): Promise<void> {
  if (name !== person.name) await updateUser(tx, person, { name }, { unlessLinked: false })
}

export function signInWithIdentity(ctx: Unidentified, identity: Identity): Promise<string> {
  requireSignInMethod(ctx.config, 'oidc')
  return inTransaction(ctx.db, async (tx) => {
    const account = await accountOfIdentity(tx, identity)
    if (account.isVerified) await linkPeople(tx, account)
    const { authenticatedAt } = identity
    return startAllowed({ ...ctx, db: tx }, account, { means: 'identityProvider', authenticatedAt })
  })
}

/** Returns the token of a new session, or undefined if the email address or the password is wrong. */
export async function signInWithPassword(
  ctx: Unidentified,
  attempt: PasswordAttempt,
): Promise<string | undefined> {
  requireSignInMethod(ctx.config, 'password')
  const { accountID, matchingHash } = await checkPassword(ctx, attempt)
  const token =
    matchingHash === undefined
      ? undefined
      : await inTransaction(ctx.db, async (tx) => {
          const account = await lockAccount(tx, attempt.email)
          // A new password ends all other sessions. Therefore the old password must not start one now.
          if (account.passwordHash !== matchingHash) return undefined
          // If nobody has proved that the address is theirs, its owner could be somebody else.
          if (account.isVerified) await linkPeople(tx, account)
          return startAllowed({ ...ctx, db: tx }, account, { means: 'password' })
        })
  if (token === undefined) await recordRefusal(ctx, { action: 'signIn', means: 'password', accountID })
  return token
}

/**
 * Redeems an invitation for the account that is signed in, and gives the person the name. Returns false if the link is not
 * an invitation for this account.
 */
export function acceptInvitation(
  ctx: Unidentified,
  code: string,
  session: ActiveSession,
  name?: string,
): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
    const target = await findSignInLink(tx, code)
    if (target.workspaceID === null || target.email !== session.email) return false
    // If the account is not verified, somebody other than the owner of the address may have created it. The link must
    // then sign in the owner instead.
    if (target.provesEmail && !(await isVerified(tx, session))) return false
    await redeemSignInLink(tx, code)
    const account = await lockSession(tx, session)
    const person = await invitedPerson(tx, target)
    if (person) await rename(tx, person, name)
    await linkPeople(tx, account, target.workspaceID)
    await recordAcceptance({ ...ctx, db: tx }, account, target.workspaceID, person)
    return true
  })
}

async function isVerified(tx: Database, { accountID }: ActiveSession): Promise<boolean> {
  return (await tx.account.findUniqueOrThrow({ where: { id: accountID } })).isVerified
}

function recordAcceptance(
  ctx: Unidentified,
  { id, email }: Account,
  workspaceID: string,
  person: InvitedPerson | undefined,
): Promise<void> {
  const actor = { kind: 'account' as const, id, email, means: 'link' as const }
  const object = { id: person?.id ?? null, name: person?.name ?? null }
  return record({ ...ctx, actor }, { action: 'acceptInvitation', workspaceID, object })
}

function startAllowed(ctx: Unidentified, account: Account, start: SessionStart): Promise<string> {
  if (account.deactivatedAt)
    throw new AppError(
      'forbidden',
      'This account is deactivated. Ask the person who runs this service (the operator).',
    )
  return startSession(ctx, account, start)
}
