import { z } from 'zod'
import { audited, type Entry, record } from '../audit/record.ts'
import { type Context, requireOperator } from '../context.ts'
import type { Connection } from '../database/connection.ts'
import { inTransaction } from '../database/database.ts'
import { byCreation, type PageArgs, pageOf } from '../database/paging.ts'
import { query } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { type Account, Prisma } from '../generated/prisma/client.ts'
import { parseInput } from '../input.ts'
import { email } from './email.ts'
import { accountColumns } from './rows.ts'
import { endSessions } from './sessions/session.ts'
import { sessionEnds } from './sessions/session-ends.ts'

const inputSchema = z.object({ email })
type Input = z.input<typeof inputSchema>

export async function listAccounts(
  ctx: Context,
  { email, ...page }: PageArgs & { email?: string | null | undefined },
): Promise<Connection<Account>> {
  requireOperator(ctx)
  const where =
    email == null
      ? Prisma.sql`TRUE`
      : Prisma.sql`a.email = lower(${parseInput(inputSchema, { email }).email})`
  return pageOf<Account>(
    ctx.db,
    { name: 'accounts', columns: accountColumns, from: Prisma.sql`accounts a`, where, keys: byCreation('a') },
    page,
  )
}

/** Deactivates an account: ends its sessions, and makes its tokens and grants unusable. Keeps its people. */
export async function deactivateAccount(ctx: Context, input: Input): Promise<Account> {
  requireOperator(ctx)
  const { email } = parseInput(inputSchema, input)
  const deactivated = await inTransaction(ctx.db, async (tx) => {
    const account = await changed(
      query<Account>(
        tx,
        Prisma.sql`
      UPDATE accounts a SET deactivated_at = coalesce(a.deactivated_at, now()) WHERE a.email = lower(${email})
      RETURNING ${accountColumns}`,
      ),
    )
    await endSessions(tx, account.id)
    await record({ ...ctx, db: tx }, { action: 'deactivateAccount', object: objectOf(account) })
    return account
  })
  sessionEnds(ctx.db).send(deactivated.id)
  return deactivated
}

/** Ends all sessions of an account. Keeps its password, tokens and grants. Returns the number of the ended sessions. */
export async function endAccountSessions(
  ctx: Context,
  input: Input,
): Promise<{ account: Account; endedCount: number }> {
  requireOperator(ctx)
  const { email } = parseInput(inputSchema, input)
  const account = await changed(
    query<Account>(
      ctx.db,
      Prisma.sql`SELECT ${accountColumns} FROM accounts a WHERE a.email = lower(${email})`,
    ),
  )
  const endedCount = await endSessionsOf(ctx, account.id, { object: objectOf(account) })
  return { account, endedCount }
}

/** Ends all sessions of an account, or of the account of a person, and records it. Returns their number. */
export async function endSessionsOf(
  ctx: Context,
  accountID: string | null,
  entry: Pick<Entry, 'object' | 'workspaceID'>,
): Promise<number> {
  const endedCount = await inTransaction(ctx.db, async (db) => {
    const { length: count } = accountID === null ? [] : await endSessions(db, accountID)
    const action = entry.workspaceID === undefined ? 'endAccountSessions' : 'endUserSessions'
    await record({ ...ctx, db }, { ...entry, action, details: { count } })
    return count
  })
  if (accountID !== null) sessionEnds(ctx.db).send(accountID)
  return endedCount
}

export function reactivateAccount(ctx: Context, input: Input): Promise<Account> {
  requireOperator(ctx)
  const { email } = parseInput(inputSchema, input)
  return audited(
    ctx,
    ({ db }) =>
      changed(
        query<Account>(
          db,
          Prisma.sql`
      UPDATE accounts a SET deactivated_at = NULL WHERE a.email = lower(${email}) RETURNING ${accountColumns}`,
        ),
      ),
    (account) => ({ action: 'reactivateAccount', object: objectOf(account) }),
  )
}

function objectOf({ id, email }: Account) {
  return { id, name: email }
}

async function changed(rows: Promise<Account[]>): Promise<Account> {
  const [account] = await rows
  if (!account) throw notFound('account')
  return account
}
