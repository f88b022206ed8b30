import { record, type SignInMeans, type Unidentified } from '../../audit/record.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { type Account, Prisma, type Session } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { accountColumns, sessionColumns } from '../rows.ts'
import { sessionEnds } from './session-ends.ts'

const idleDays = 30
/** The time of the last use is stored at most this often, so that most requests do not write. */
const storedEveryMinutes = 10

/** `authenticatedAt`: when the person signed in, if it was not just now. */
export type SessionStart = { means: SignInMeans; mayResetPassword?: boolean; authenticatedAt?: Date }

/** Starts a session of an account. Only the cookie contains the token. */
export async function startSession(
  ctx: Unidentified,
  { id: accountID, email }: Account,
  { means, mayResetPassword = false, authenticatedAt }: SessionStart,
): Promise<string> {
  const [id, token] = [newID('ses'), newSecret()]
  const userAgent = ctx.source?.userAgent ?? null
  await ctx.db.$executeRaw`
    INSERT INTO sessions (token_hash, id, account_id, user_agent, may_reset_password, authenticated_at, expires_at)
    VALUES (${hashSecret(token)}, ${id}, ${accountID}, ${userAgent}, ${mayResetPassword}, ${authenticatedAt ?? null},
      now() + make_interval(days => ${ctx.config.sessionMaxDays}))`
  const actor = { kind: 'account' as const, id: accountID, email, means }
  await record({ ...ctx, actor }, { action: 'signIn', object: { id } })
  return token
}

export type ActiveSession = { id: string; accountID: string; email: string }

/** Returns the session of a token, unless it has ended or its account is deactivated. Each call counts as a use. */
export async function findSession(db: Database, token: string): Promise<ActiveSession | undefined> {
  const found = await loadSession(db, hashSecret(token).toString('hex'))
  if (found?.isStale) await recordUse(db, found.sessionID)
  return found && { id: found.sessionID, accountID: found.accountID, email: found.email }
}

type FoundSession = { id: string; sessionID: string; accountID: string; email: string; isStale: boolean }

const loadSession = callerLoader<FoundSession>(
  (hashes) => Prisma.sql`
    SELECT wanted.hash AS id, s.id AS "sessionID", a.id AS "accountID", a.email,
      s.last_used_at < now() - make_interval(mins => ${storedEveryMinutes}) AS "isStale"
    FROM unnest(${hashes}::text[]) AS wanted (hash)
    CROSS JOIN LATERAL (
      SELECT * FROM sessions WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0
    ) s CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) a
    WHERE s.last_used_at > now() - make_interval(days => ${idleDays}) AND s.expires_at > now()
      AND a.deactivated_at IS NULL`,
)

async function recordUse(db: Database, id: string): Promise<void> {
  await db.$executeRaw`UPDATE sessions SET last_used_at = now() WHERE id = ${id}`
}

/** Returns the sessions of an account that can still be used, the newest first. */
export function listSessions(db: Database, accountID: string): Promise<Session[]> {
  return query<Session>(
    db,
    Prisma.sql`
    SELECT ${sessionColumns} FROM sessions s
    WHERE s.account_id = ${accountID} AND s.last_used_at > now() - make_interval(days => ${idleDays})
      AND s.expires_at > now()
    ORDER BY s.created_at DESC, s.id DESC`,
  )
}

/** Ends a session of the account that is signed in. Returns false if the account has no such session. */
export async function endSession(
  ctx: Unidentified,
  signedIn: ActiveSession,
  id: string,
  action: 'endSession' | 'signOut' = 'signOut',
): Promise<boolean> {
  const { accountID } = signedIn
  const hasEnded = await inTransaction(ctx.db, async (db) => {
    const { count } = await db.session.deleteMany({ where: { accountID, id } })
    if (count > 0) await record({ ...ctx, db, actor: ownerOf(signedIn) }, { action, object: { id } })
    return count > 0
  })
  sessionEnds(ctx.db).send(accountID)
  return hasEnded
}

export function ownerOf({ accountID: id, email }: ActiveSession) {
  return { kind: 'account', id, email, means: 'session' } as const
}

/**
 * Ends the sessions of an account, except the given one. Returns the IDs of the ended sessions. Call `sessionEnds` after
 * the commit, so that open streams end at once.
 */
export async function endSessions(db: Database, accountID: string, exceptID?: string): Promise<string[]> {
  const ended = await query<Pick<Session, 'id'>>(
    db,
    Prisma.sql`
    DELETE FROM sessions WHERE account_id = ${accountID} AND id IS DISTINCT FROM ${exceptID ?? null} RETURNING id`,
  )
  return ended.map(({ id }) => id)
}

/** Deletes the sessions that have ended, also those that began when `maxDays` was higher. */
export async function sweepSessions(db: Database, maxDays: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sessions
    WHERE last_used_at < now() - make_interval(days => ${idleDays}) OR expires_at < now()
      OR created_at < now() - make_interval(days => ${maxDays})`
}

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
  if (!account || !isActive) throw sessionEnded()
  return account
}

function sessionEnded(): AppError {
  return new AppError('unauthenticated', 'The session has ended. Sign in again.')
}

/** A credential that outlasts the session needs a sign-in that is at most this old. */
export const freshMinutes = 15

export async function isFreshSignIn(db: Database, { id }: Pick<SessionKey, 'id'>): Promise<boolean> {
  const [session] = await query<{ isFresh: boolean }>(
    db,
    Prisma.sql`
    SELECT LEAST(created_at, authenticated_at) > now() - make_interval(mins => ${freshMinutes}) AS "isFresh"
    FROM sessions WHERE id = ${id}`,
  )
  if (!session) throw sessionEnded()
  return session.isFresh
}

/** Throws unless the person has just signed in. Somebody else may use a session that is older. */
export async function requireFreshSignIn(db: Database, session: Pick<SessionKey, 'id'>): Promise<void> {
  if (await isFreshSignIn(db, session)) return
  throw new AppError(
    'forbidden',
    `You signed in more than ${freshMinutes} minutes ago. Sign in again at /signin?prompt=login, and then try again.`,
    { reason: 'sign_in_too_old' },
  )
}
