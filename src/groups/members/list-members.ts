import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader, selectLoader } from '../../database/loader.ts'
import type { PageArgs } from '../../database/paging.ts'
import { type Group, Prisma, type User } from '../../generated/prisma/client.ts'
import { nameSearch, parseInput } from '../../input.ts'
import { prepareSearch, userMatches } from '../../users/list-users.ts'
import { type Member, type MemberEdge, memberColumns, membersByJoining, toMemberEdge } from './member-edge.ts'

export type MemberConnection = Omit<Connection<User>, 'edges'> & { edges: MemberEdge[] }

const loadMembers = pageLoader<Context, Member>((ctx, workspaceID, search) => ({
  ...membersByJoining,
  columns: memberColumns,
  from: Prisma.sql`group_members m JOIN users u ON u.workspace_id = m.workspace_id AND u.id = m.user_id`,
  where: Prisma.sql`m.workspace_id = ${workspaceID} AND m.group_id = parent.id
    ${search ? Prisma.sql`AND ${userMatches(ctx, search)}` : Prisma.empty}`,
  isLong: search !== '',
}))

// Counting needs no join with users, because deleted users leave all groups.
const loadMemberCount = selectLoader<Context, { id: string; count: number }>(
  (_ctx, workspaceID, groupIDs) => Prisma.sql`
    SELECT wanted.value AS id, (
      SELECT count(*) FROM group_members m WHERE m.workspace_id = ${workspaceID} AND m.group_id = wanted.value
    )::integer AS count
    FROM unnest(${groupIDs}::text[]) AS wanted (value)`,
)

const inputSchema = z.object({ search: nameSearch.nullish() })

/** Returns the members, or the members who match a search, in the order in which they joined. */
export async function listMembers(
  ctx: Context,
  group: Group,
  args: PageArgs & z.input<typeof inputSchema>,
): Promise<MemberConnection> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  const { search } = parseInput(inputSchema, args)
  if (search) await prepareSearch(ctx, group.workspaceID)
  const page = await loadMembers(ctx, group, { ...args, search })
  return {
    nodes: page.nodes,
    get edges() {
      return page.edges.map(({ cursor, node }) => toMemberEdge(cursor, node))
    },
    pageInfo: page.pageInfo,
  }
}

export async function countMembers(ctx: Context, { workspaceID, id }: Group): Promise<number> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  return (await loadMemberCount(ctx, workspaceID, id))?.count ?? 0
}
