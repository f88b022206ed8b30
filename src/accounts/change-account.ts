import { z } from 'zod'
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
export function deactivateAccount(ctx: Context, input: Input): Promise<Account> {
  requireOperator(ctx)
  const { email } = parseInput(inputSchema, input)
  return inTransaction(ctx.db, async (tx) => {
    const account = await changed(
      query<Account>(
        tx,
        Prisma.sql`
      UPDATE accounts a SET deactivated_at = coalesce(a.deactivated_at, now()) WHERE a.email = lower(${email})
      RETURNING ${accountColumns}`,
      ),
    )
    await endSessions(tx, account.id)
    return account
  })
}

export function reactivateAccount(ctx: Context, input: Input): Promise<Account> {
  requireOperator(ctx)
  const { email } = parseInput(inputSchema, input)
  return changed(
    query<Account>(
      ctx.db,
      Prisma.sql`
      UPDATE accounts a SET deactivated_at = NULL WHERE a.email = lower(${email}) RETURNING ${accountColumns}`,
    ),
  )
}

async function changed(rows: Promise<Account[]>): Promise<Account> {
  const [account] = await rows
  if (!account) throw notFound('account')
  return account
}
