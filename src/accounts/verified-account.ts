import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { type Account, Prisma } from '../generated/prisma/client.ts'
import { newID } from '../platform/ids.ts'
import { endSessions } from './sessions/session.ts'

/**
 * Returns the account of an address whose owner is present, and creates it if necessary. Whoever created the account
 * before the owner proved the address loses it: the password and the sessions end. Call it in a transaction.
 */
export async function verifiedAccount(tx: Database, email: string): Promise<Account> {
  await insertAccount(tx, email, true)
  const account = await lockAccount(tx, email)
  if (account.isVerified) return account
  await endSessions(tx, account.id)
  return tx.account.update({ where: { id: account.id }, data: { isVerified: true, passwordHash: null } })
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
  const [row] = await query<{ id: string }>(
    tx,
    Prisma.sql`SELECT id FROM accounts WHERE email = lower(${email}) FOR UPDATE`,
  )
  return tx.account.findUniqueOrThrow({ where: { id: row?.id ?? '' } })
}
