import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { invalidField } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { lockSession } from '../sessions/lock-session.ts'
import { type ActiveSession, endSessions } from '../sessions/session.ts'
import { checkNewPassword } from './check-new-password.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'

/** Sets the password of the account of a session, and ends its other sessions. A change needs the current password. */
export async function setPassword(
  db: Database,
  session: ActiveSession,
  { password, current }: { password: string; current: string | undefined },
): Promise<void> {
  const { id, accountID, email } = session
  await checkNewPassword(password, email)
  const { passwordHash: before } = await db.account.findUniqueOrThrow({ where: { id: accountID } })
  if (before !== null && !(await passwordMatches(current ?? '', before)))
    throw invalidField('current', 'is not your current password')
  const passwordHash = await hashPassword(password)
  await inTransaction(db, async (tx) => {
    const locked = await lockSession(tx, session)
    // Another request may have changed the password since it was read.
    if (locked.passwordHash !== before) throw invalidField('current', 'is not your current password')
    await tx.account.update({ where: { id: accountID }, data: { passwordHash } })
    await endSessions(tx, accountID, id)
  })
}

/** Returns the stored hash if the password is correct. Takes the same time if the account does not exist. */
export async function matchingHash(
  db: Database,
  email: string,
  password: string,
): Promise<string | undefined> {
  const [account] = await query<{ passwordHash: string | null }>(
    db,
    Prisma.sql`
    SELECT password_hash AS "passwordHash" FROM accounts WHERE email = lower(${email}) AND deactivated_at IS NULL`,
  )
  const isCorrect = await passwordMatches(password, account?.passwordHash)
  return isCorrect ? (account?.passwordHash ?? undefined) : undefined
}
