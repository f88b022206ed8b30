import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { invalidField } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type ActiveSession, endSessions, lockSession } from '../sessions/session.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'

/** How long a session that began with a sign-in link can replace a forgotten password. */
const resetMinutes = 60

/**
 * Sets the password of a session's account, and ends the other sessions of the account. A change needs the current
 * password, unless the session has just begun with a sign-in link. Returns the IDs of the ended sessions.
 */
export async function setPassword(
  db: Database,
  session: ActiveSession,
  { password, current }: { password: string; current: string | undefined },
): Promise<string[]> {
  const { id, accountID, email } = session
  await checkNewPassword(password, email)
  const { passwordHash: before } = await db.account.findUniqueOrThrow({ where: { id: accountID } })
  const isKnown = before === null || (await mayResetPassword(db, id))
  if (!isKnown && !(await passwordMatches(current ?? '', before)))
    throw invalidField('current', 'is not your current password')
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const locked = await lockSession(tx, session)
    // Another request may have changed the password since it was read.
    if (locked.passwordHash !== before) throw invalidField('current', 'is not your current password')
    await tx.account.update({ where: { id: accountID }, data: { passwordHash } })
    await tx.session.update({ where: { id }, data: { mayResetPassword: false } })
    return endSessions(tx, accountID, id)
  })
}

/** Returns whether the person can set a new password without the current one. A link allows this once. */
export async function mayResetPassword(db: Database, sessionID: string): Promise<boolean> {
  const found = await query(
    db,
    Prisma.sql`
    SELECT FROM sessions
    WHERE id = ${sessionID} AND may_reset_password AND created_at > now() - make_interval(mins => ${resetMinutes})`,
  )
  return found.length > 0
}

export async function hasPassword(db: Database, accountID: string): Promise<boolean> {
  const { passwordHash } = await db.account.findUniqueOrThrow({ where: { id: accountID } })
  return passwordHash !== null
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

const minLength = 12
const maxLength = 256
/** A score of 2 means that finding the password takes at least 10⁶ guesses. */
const minScore = 2
/** Only this many characters are scored, because the time to score a password grows with its length. */
const maxEstimated = 64

/** Throws if a password is too short, too long, or easy to guess (NIST SP 800-63B 3.1.1.2). */
async function checkNewPassword(password: string, email: string): Promise<void> {
  const { length } = [...password]
  if (length < minLength) throw invalidField('password', `must have at least ${minLength} characters`)
  if (length > maxLength) throw invalidField('password', `must have at most ${maxLength} characters`)
  const estimator = await loadEstimator()
  const { score } = estimator.check(password.slice(0, maxEstimated), [email, ...email.split(/[@.]/), 'skein'])
  if (score < minScore)
    throw invalidField('password', 'is easy to guess; use several words that do not belong together')
}

let estimator: ReturnType<typeof createEstimator> | undefined

function loadEstimator() {
  estimator ??= createEstimator()
  return estimator
}

async function createEstimator() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
