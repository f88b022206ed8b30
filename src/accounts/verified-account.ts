import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { type Account, Prisma } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { accountColumns } from './rows.ts'
import { endSessions } from './sessions/session.ts'

/**
 * Returns or creates the account of an address. The caller must have checked that the person who signs in owns the
 * address. An account that was not verified loses its password, sessions, tokens, grants and identities, because they may
 * be somebody else's.
 */
export async function verifiedAccount(tx: Database, email: string): Promise<Account> {
  await insertAccount(tx, email, true)
  const account = await lockAccount(tx, email)
  if (account.isVerified) return account
  await endSessions(tx, account.id)
  await tx.$executeRaw`DELETE FROM oidc_subjects WHERE account_id = ${account.id}`
  // Uses clock_timestamp(), because now() is the start of this transaction. While this transaction waited for the lock,
  // another transaction may have created a token. `verified_at` must be later: it invalidates only earlier tokens.
  const [verified] = await query<Account>(
    tx,
    Prisma.sql`
    UPDATE accounts a SET is_verified = TRUE, verified_at = clock_timestamp(), password_hash = NULL WHERE a.id = ${account.id}
    RETURNING ${accountColumns}`,
  )
  return verified ?? account
}

/**
 * Requires that the owner of an address proves again that it is theirs. Until then, the account is not linked to
 * people. The people who are linked stay linked.
 */
export async function distrustAccount(db: Database, email: string): Promise<void> {
  await db.$executeRaw`UPDATE accounts SET is_verified = FALSE WHERE email = lower(${email})`
}

/** Returns the ID of the account of an address, for the log. */
export async function findAccountID(db: Database, email: string): Promise<string | undefined> {
  const [account] = await query<{ id: string }>(
    db,
    Prisma.sql`SELECT id FROM accounts WHERE email = lower(${email})`,
  )
  return account?.id
}

/** Creates an account whose address is not proven. Returns undefined if the address has an account. */
export async function newUnverifiedAccount(tx: Database, email: string): Promise<Account | undefined> {
  return (await insertAccount(tx, email, false)) ? lockAccount(tx, email) : undefined
}

async function insertAccount(tx: Database, email: string, isVerified: boolean): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    INSERT INTO accounts (id, email, is_verified) VALUES (${newID('acc')}, lower(${email}), ${isVerified})
    ON CONFLICT (email) DO NOTHING`
  return inserted > 0
}

export async function lockAccount(tx: Database, email: string): Promise<Account> {
  const [account] = await query<Account>(
    tx,
    Prisma.sql`SELECT ${accountColumns} FROM accounts a WHERE email = lower(${email}) FOR UPDATE`,
  )
  if (!account) throw new Error('The account is missing')
  return account
}

export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.account.findFirst({ select: { id: true } })) !== null
}
