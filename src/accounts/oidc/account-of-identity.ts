import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type Account, Prisma } from '../../generated/prisma/client.ts'
import { accountColumns } from '../rows.ts'
import { findAccountID, verifiedAccount } from '../verified-account.ts'
import type { Identity } from './identity-provider.ts'

/**
 * Locks and returns the account of an identity. At the first sign-in, this is the account of the address that the
 * identity proves. It is the same if the account must be proven again.
 */
export async function accountOfIdentity(
  tx: Database,
  { issuer, subject, email }: Identity,
): Promise<Account> {
  const known = await findAccount(tx, { issuer, subject })
  if (known && (known.isVerified || known.email !== email)) return known
  const account = await verifiedAccount(tx, email)
  const inserted = await tx.$executeRaw`
    INSERT INTO oidc_subjects (issuer, subject, account_id) VALUES (${issuer}, ${subject}, ${account.id})
    ON CONFLICT (issuer, subject) DO NOTHING`
  return inserted > 0 ? account : ((await findAccount(tx, { issuer, subject })) ?? account)
}

/** Returns the ID of the account of an identity, or of its address, for the log. */
export async function findAccountIDOfIdentity(
  db: Database,
  { issuer, subject, email }: Identity,
): Promise<string | undefined> {
  const [known] = await query<{ id: string }>(
    db,
    Prisma.sql`
    SELECT account_id AS id FROM oidc_subjects WHERE issuer = ${issuer} AND subject = ${subject}`,
  )
  return known?.id ?? findAccountID(db, email)
}

async function findAccount(
  tx: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<Account | undefined> {
  const [account] = await query<Account>(
    tx,
    Prisma.sql`
    SELECT ${accountColumns} FROM accounts a
    WHERE a.id = (SELECT account_id FROM oidc_subjects WHERE issuer = ${issuer} AND subject = ${subject})
    FOR UPDATE`,
  )
  return account
}
