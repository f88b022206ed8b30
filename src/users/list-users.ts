import { z } from 'zod'
import { type Context, holdsScope, requireScope } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { pageLoader } from '../database/loader.ts'
import { byCreation, edgeByCreation, type Listing, type PageArgs, pageOf } from '../database/paging.ts'
import { Prisma, type User } from '../generated/prisma/client.ts'
import { parseInput, text } from '../input.ts'
import { userColumns } from './rows.ts'

const name = 'users'

const usersIn = (workspaceID: string, where = Prisma.sql`TRUE`): Listing => ({
  name,
  columns: userColumns,
  from: Prisma.sql`users u`,
  where: Prisma.sql`u.workspace_id = ${workspaceID} AND u.deleted_at IS NULL AND ${where}`,
  keys: byCreation('u'),
})

const loadUsers = pageLoader<Context, User>((_ctx, workspaceID) => usersIn(workspaceID))

const inputSchema = z.object({ email: text(254).nullish() })

/** Returns the users in order of creation: all users, or those with `email`. Omits deleted users. */
export async function listUsers(
  ctx: Context,
  workspaceID: string,
  args: PageArgs & z.input<typeof inputSchema>,
): Promise<Connection<User>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  const { email } = parseInput(inputSchema, args)
  if (email == null) return loadUsers(ctx, { workspaceID, id: workspaceID }, args)
  if (ctx.actor.kind === 'user') requireScope(ctx, 'users.email:read')
  const hasEmail = Prisma.sql`u.email IS NOT NULL AND lower(u.email) = lower(${email})`
  return pageOf<User>(ctx.db, usersIn(workspaceID, hasEmail), args)
}

/** Returns the email address, or null if the caller cannot see email addresses. */
export function emailOf({ actor }: Context, { email }: User): string | null {
  return actor.kind === 'operator' || holdsScope(actor, 'users.email:read') ? email : null
}

export function userEdge(user: User): Edge<User> {
  return edgeByCreation(name, user)
}
