import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { type Account, Prisma } from '../../generated/prisma/client.ts'
import { accountColumns } from '../rows.ts'
import type { ActiveSession } from './session.ts'

export type SessionKey = Pick<ActiveSession, 'id' | 'accountID'>

/**
 * Locks and returns the account of a session. Throws if the session has ended. Call this function before you store
 * something that outlasts the session, such as a token or a password, because the session can end while a request runs.
 * If the transaction also locks users or groups, it must lock the session first.
 */
export async function lockSession(tx: Database, { id, accountID }: SessionKey): Promise<Account> {
  const [account] = await query<Account>(
    tx,
    Prisma.sql`SELECT ${accountColumns} FROM accounts a WHERE a.id = ${accountID} FOR NO KEY UPDATE`,
  )
  // A separate statement, because it must also see what was committed during the wait for the lock.
  const isActive = (await tx.session.count({ where: { id, accountID } })) > 0
  if (!account || !isActive) throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
  return account
}
