import { type Context, requireScope } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { pageLoader } from '../database/loader.ts'
import { byCreation, edgeByCreation, type PageArgs } from '../database/paging.ts'
import { type Group, Prisma, type User } from '../generated/prisma/client.ts'
import { groupsVisibleTo } from './access.ts'
import { groupColumns } from './rows.ts'

const order = { name: 'groups', keys: byCreation('g') }

const loadGroups = pageLoader<Context, Group>((ctx, workspaceID) => ({
  ...order,
  columns: groupColumns,
  from: groupsVisibleTo(ctx.actor),
  where: Prisma.sql`g.workspace_id = ${workspaceID}`,
}))

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

export async function listGroups(
  ctx: Context,
  workspaceID: string,
  args: PageArgs,
): Promise<Connection<Group>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  return loadGroups(ctx, { workspaceID, id: workspaceID }, args)
}

export async function listGroupsOfUser(ctx: Context, user: User, args: PageArgs): Promise<Connection<Group>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  return loadGroupsOfUser(ctx, user, args)
}
