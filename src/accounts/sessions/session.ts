import type { Database } from '../../database/database.ts'
import { callerLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { type Account, Prisma, type Session } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { accountColumns, sessionColumns } from '../rows.ts'

const idleDays = 30
/** The time of the last use is stored at most this often, so that most requests do not write. */
const storedEveryMinutes = 10
const maxUserAgentLength = 300

/** Starts a session. Only the cookie contains the token. */
export async function startSession(
  db: Database,
  session: { accountID: string; userAgent: string | undefined; mayResetPassword: boolean },
): Promise<string> {
  const token = newSecret()
  const userAgent = session.userAgent?.slice(0, maxUserAgentLength) ?? null
  await db.session.create({ data: { ...session, id: newID('ses'), userAgent, tokenHash: hashSecret(token) } })
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
    WHERE s.last_used_at > now() - make_interval(days => ${idleDays}) AND a.deactivated_at IS NULL`,
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
    ORDER BY s.created_at DESC, s.id DESC`,
  )
}

export async function endSession(db: Database, accountID: string, id: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { accountID, id } })
  return count > 0
}

/** Ends the sessions of an account, except the given one. Returns the IDs of the ended sessions. */
export async function endSessions(db: Database, accountID: string, exceptID?: string): Promise<string[]> {
  const ended = await query<Pick<Session, 'id'>>(
    db,
    Prisma.sql`
    DELETE FROM sessions WHERE account_id = ${accountID} AND id IS DISTINCT FROM ${exceptID ?? null} RETURNING id`,
  )
  return ended.map(({ id }) => id)
}

export async function sweepSessions(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM sessions WHERE last_used_at < now() - make_interval(days => ${idleDays})`
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
  if (!account || !isActive) throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
  return account
}
