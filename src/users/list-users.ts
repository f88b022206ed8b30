import { type Context, requireScope } from '../context.ts'
import { Prisma, type User } from '../generated/prisma/client.ts'
import { pageLoader } from '../platform/loader.ts'
import { byCreation, type Connection, type Edge, edgeByCreation, type PageArgs } from '../platform/paging.ts'
import { userColumns } from './access.ts'

const name = 'users'

const loadUsers = pageLoader<Context, User>((_ctx, workspaceID) => ({
  name,
  columns: userColumns,
  from: Prisma.sql`users u`,
  where: Prisma.sql`u.workspace_id = ${workspaceID} AND u.deleted_at IS NULL`,
  keys: byCreation('u'),
}))

/** The users of a workspace that the caller may see, in order of creation. Throws `forbidden`. */
export async function listUsers(
  ctx: Context,
  workspaceID: string,
  args: PageArgs,
): Promise<Connection<User>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  return loadUsers(ctx, { workspaceID, id: workspaceID }, args)
}

/** A user as it stands in the list of users. */
export function userEdge(user: User): Edge<User> {
  return edgeByCreation(name, user)
}
