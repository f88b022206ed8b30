import { z } from 'zod'
import { type Context, holdsScope, requireScope } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { fillFolded } from '../database/fill-folded.ts'
import { pageLoader } from '../database/loader.ts'
import { byCreation, edgeByCreation, type Listing, type PageArgs, pageOf } from '../database/paging.ts'
import { Prisma, type User } from '../generated/prisma/client.ts'
import { nameSearch, parseInput, text } from '../input.ts'
import { searchKey } from '../text/search/words.ts'
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

// A list of its own, because a cursor belongs to one list.
const deletedPeopleIn = (workspaceID: string, where: Prisma.Sql): Listing => ({
  ...usersIn(workspaceID),
  name: 'deletedUsers',
  where: Prisma.sql`u.workspace_id = ${workspaceID} AND u.deleted_at IS NOT NULL AND u.kind = 'person' AND ${where}`,
})

const inputSchema = z.object({
  deleted: z.boolean().nullish(),
  email: text(254).nullish(),
  search: nameSearch.nullish(),
})

/** Returns the users, or the deleted people, in order of creation: all of them, or those that match all conditions. */
export async function listUsers(
  ctx: Context,
  workspaceID: string,
  args: PageArgs & z.input<typeof inputSchema>,
): Promise<Connection<User>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  const { deleted, email, search } = parseInput(inputSchema, args)
  if (!deleted && email == null && !search) return loadUsers(ctx, { workspaceID, id: workspaceID }, args)
  if (email != null && ctx.actor.kind === 'user') requireScope(ctx, 'users.email:read')
  if (search) await prepareSearch(ctx, workspaceID)
  const hasEmail = Prisma.sql`u.email IS NOT NULL AND lower(u.email) = lower(${email})`
  const conditions = [
    Prisma.sql`TRUE`,
    ...(email == null ? [] : [hasEmail]),
    ...(search ? [userMatches(ctx, search)] : []),
  ]
  const listing = (deleted ? deletedPeopleIn : usersIn)(workspaceID, Prisma.join(conditions, ' AND '))
  return pageOf<User>(ctx.db, { ...listing, isLong: Boolean(deleted || search) }, args)
}

const foldedNames = { table: 'users', text: 'name', folded: 'folded_name', fold: searchKey }

/** Call this before a statement with `userMatches`. */
export async function prepareSearch({ db }: Context, workspaceID: string): Promise<void> {
  await fillFolded(db, workspaceID, foldedNames)
}

/**
 * Returns the condition that a search finds the user `u`. PostgreSQL checks each user in the order of the list until the
 * page is full: 10,000 users in less than 20 ms.
 */
export function userMatches(ctx: Context, search: string): Prisma.Sql {
  const hasWord = Prisma.sql`strpos(u.folded_name, ${searchKey(search)}) > 0`
  return seesEmail(ctx) ? Prisma.sql`(${hasWord} OR starts_with(lower(u.email), lower(${search})))` : hasWord
}

export function emailOf(ctx: Context, { email }: User): string | null {
  return seesEmail(ctx) ? email : null
}

function seesEmail({ actor }: Context): boolean {
  return actor.kind === 'operator' || holdsScope(actor, 'users.email:read')
}

export function userEdge(user: User): Edge<User> {
  return edgeByCreation(name, user)
}
