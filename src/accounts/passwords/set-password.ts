import { type Database, inTransaction } from '../../database/database.ts'
import { invalidField } from '../../errors.ts'
import { type ActiveSession, endSessions } from '../sessions/session.ts'
import { checkNewPassword } from './check-new-password.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'

/** Sets the password of the account of a session, and ends its other sessions. A change needs the current password. */
export async function setPassword(
  db: Database,
  { id, accountID, email }: ActiveSession,
  { password, current }: { password: string; current: string | undefined },
): Promise<void> {
  await checkNewPassword(password, email)
  const { passwordHash: before } = await db.account.findUniqueOrThrow({ where: { id: accountID } })
  if (before !== null && !(await passwordMatches(current ?? '', before)))
    throw invalidField('current', 'is not your current password')
  const passwordHash = await hashPassword(password)
  await inTransaction(db, async (tx) => {
    // Fails if another request has changed the password since it was read.
    const { count } = await tx.account.updateMany({
      where: { id: accountID, passwordHash: before },
      data: { passwordHash },
    })
    if (count === 0) throw invalidField('current', 'is not your current password')
    await endSessions(tx, accountID, id)
  })
}

/** Returns whether this is the password of the account. Takes the same time if no such account exists. */
export async function isPasswordOf(db: Database, email: string, password: string): Promise<boolean> {
  const [account] = await db.$queryRaw<{ passwordHash: string | null }[]>`
    SELECT password_hash AS "passwordHash" FROM accounts WHERE email = lower(${email}) AND deactivated_at IS NULL`
  return passwordMatches(password, account?.passwordHash)
}
