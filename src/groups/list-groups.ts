import { z } from 'zod'
import { type Context, requireScope } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { fillFolded } from '../database/fill-folded.ts'
import { pageLoader } from '../database/loader.ts'
import { byCreation, edgeByCreation, type Listing, type PageArgs, pageOf } from '../database/paging.ts'
import { type Group, Prisma, type User } from '../generated/prisma/client.ts'
import { nameSearch, parseInput } from '../input.ts'
import { searchKey } from '../text/search/words.ts'
import { groupsVisibleTo } from './access.ts'
import { groupColumns } from './rows.ts'

const order = { name: 'groups', keys: byCreation('g') }

const groupsIn = ({ actor }: Context, workspaceID: string, where = Prisma.sql`TRUE`): Listing => ({
  ...order,
  columns: groupColumns,
  from: groupsVisibleTo(actor),
  where: Prisma.sql`g.workspace_id = ${workspaceID} AND ${where}`,
})

const loadGroups = pageLoader<Context, Group>((ctx, workspaceID) => groupsIn(ctx, workspaceID))

const loadGroupsOfUser = pageLoader<Context, Group>((ctx, workspaceID) => ({
  ...order,
  columns: groupColumns,
  from: Prisma.sql`group_members m JOIN ${groupsVisibleTo(ctx.actor)}
    ON g.workspace_id = m.workspace_id AND g.id = m.group_id`,
  where: Prisma.sql`m.workspace_id = ${workspaceID} AND m.user_id = parent.id`,
}))

export function groupEdge(group: Group): Edge<Group> {
  return edgeByCreation(order.name, group)
}

const foldedNames = { table: 'groups', text: 'name', folded: 'folded_name', fold: searchKey }

const inputSchema = z.object({ search: nameSearch.nullish(), muted: z.boolean().nullish() })

/** Returns the groups that the caller can see, in order of creation: all groups, or the groups with a matching name. */
export async function listGroups(
  ctx: Context,
  workspaceID: string,
  args: PageArgs & z.input<typeof inputSchema>,
): Promise<Connection<Group>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  const { search, muted } = parseInput(inputSchema, args)
  if (!search && muted == null) return loadGroups(ctx, { workspaceID, id: workspaceID }, args)
  const conditions = [Prisma.sql`TRUE`]
  if (muted != null) conditions.push(Prisma.sql`${isMutedBy(ctx.actor)} = ${muted}`)
  if (search) {
    await fillFolded(ctx.db, workspaceID, foldedNames)
    conditions.push(Prisma.sql`strpos(g.folded_name, ${searchKey(search)}) > 0`)
  }
  const where = Prisma.join(conditions, ' AND ')
  return pageOf<Group>(ctx.db, { ...groupsIn(ctx, workspaceID, where), isLong: true }, args)
}

function isMutedBy(actor: Context['actor']): Prisma.Sql {
  if (actor.kind === 'operator') return Prisma.sql`FALSE`
  return Prisma.sql`EXISTS (
    SELECT FROM group_members
    WHERE workspace_id = g.workspace_id AND group_id = g.id AND user_id = ${actor.userID} AND is_muted OFFSET 0)`
}

export async function listGroupsOfUser(ctx: Context, user: User, args: PageArgs): Promise<Connection<Group>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  return loadGroupsOfUser(ctx, user, args)
}
