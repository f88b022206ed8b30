import { record, type Unidentified } from '../../audit/record.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { invalidField } from '../../errors.ts'
import { type Account, Prisma } from '../../generated/prisma/client.ts'
import {
  type ActiveSession,
  endSessions,
  lockSession,
  ownerOf,
  requireFreshSignIn,
} from '../sessions/session.ts'
import { sessionEnds } from '../sessions/session-ends.ts'
import { requireSignInMethod } from '../sign-in-methods.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'

/** How long a session that began with a sign-in link can replace a forgotten password. */
const resetMinutes = 60

/**
 * Sets the password of a session's account, and ends the other sessions of the account. A change needs the current
 * password, unless the session has just begun with a sign-in link. Returns the IDs of the ended sessions.
 */
export async function setPassword(
  ctx: Unidentified,
  session: ActiveSession,
  { password, current }: { password: string; current: string | undefined },
): Promise<string[]> {
  const { db } = ctx
  requireSignInMethod(ctx.config, 'password')
  const { id, accountID, email } = session
  await checkNewPassword(password, email)
  const { passwordHash: before } = await db.account.findUniqueOrThrow({ where: { id: accountID } })
  if (before === null) await requireFreshSignIn(db, session)
  const isKnown = before === null || (await mayResetPassword(db, id))
  if (!isKnown && !(await passwordMatches(current ?? '', before, { owner: email })))
    throw invalidField('current', 'is not your current password')
  const passwordHash = await hashPassword(password, { owner: email })
  const endedSessions = await inTransaction(db, async (tx) => {
    const locked = await lockSession(tx, session)
    // Another request may have changed the password since it was read.
    if (locked.passwordHash !== before) throw invalidField('current', 'is not your current password')
    await tx.session.update({ where: { id }, data: { mayResetPassword: false } })
    const ended = await storePassword(tx, accountID, passwordHash, id)
    const details = { endedSessions: ended.length }
    await record({ ...ctx, db: tx, actor: ownerOf(session) }, { action: 'setPassword', details })
    return ended
  })
  sessionEnds(db).send(accountID)
  return endedSessions
}

/** Stores the password of a locked account. Ends its sessions, except the given one, and returns their IDs. */
export async function storePassword(
  tx: Database,
  accountID: string,
  passwordHash: string,
  exceptID?: string,
): Promise<string[]> {
  await tx.account.update({ where: { id: accountID }, data: { passwordHash } })
  return endSessions(tx, accountID, exceptID)
}

/** Checks a new password like `setPassword`, and returns the hash to store. */
export async function hashNewPassword(
  { config, source }: Pick<Unidentified, 'config' | 'source'>,
  password: string,
  email: string,
): Promise<string> {
  requireSignInMethod(config, 'password')
  await checkNewPassword(password, email)
  return hashPassword(password, { network: source?.network })
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

/** `isKnownBrowser`: whether the owner of the address has signed in with the browser before. */
export type PasswordAttempt = { email: string; password: string; isKnownBrowser: boolean }

/**
 * Returns the account of an address, and its stored hash if the password is correct. Takes the same time if the account does
 * not exist.
 */
export async function checkPassword(
  { db, source }: Pick<Unidentified, 'db' | 'source'>,
  { email, password, isKnownBrowser }: PasswordAttempt,
): Promise<{ accountID?: string; matchingHash?: string }> {
  const [account] = await query<Pick<Account, 'id' | 'passwordHash' | 'deactivatedAt'>>(
    db,
    Prisma.sql`
    SELECT id, password_hash AS "passwordHash", deactivated_at AS "deactivatedAt" FROM accounts WHERE email = lower(${email})`,
  )
  const caller = isKnownBrowser ? { owner: email } : { network: source?.network }
  const usable = account?.deactivatedAt ? null : account?.passwordHash
  const isCorrect = await passwordMatches(password, usable, caller)
  return { ...(account && { accountID: account.id }), ...(isCorrect && usable && { matchingHash: usable }) }
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
