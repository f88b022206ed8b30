import { type Context, requireScope } from '../context.ts'
import { type Group, Prisma, type User } from '../generated/prisma/client.ts'
import { pageLoader } from '../platform/loader.ts'
import type { Connection, PageArgs } from '../platform/paging.ts'
import { userColumns } from '../users/access.ts'

const loadMembers = pageLoader<Context, User>((_ctx, workspaceID) => ({
  name: 'members',
  columns: userColumns,
  from: Prisma.sql`group_members m JOIN users u ON u.workspace_id = m.workspace_id AND u.id = m.user_id`,
  where: Prisma.sql`m.workspace_id = ${workspaceID} AND m.group_id = parent.id AND u.deleted_at IS NULL`,
  keys: [
    { column: Prisma.sql`m.joined_at`, type: 'timestamptz(3)' },
    { column: Prisma.sql`m.user_id`, type: 'text' },
  ],
}))

/** The members of a group that the caller may see, in the order they joined. Throws `forbidden`. */
export async function listMembers(ctx: Context, group: Group, args: PageArgs): Promise<Connection<User>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:read')
  return loadMembers(ctx, group, args)
}
