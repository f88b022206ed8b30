import { type Context, requireScope } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { byCreation, edgeByCreation, type PageArgs, pageOf } from '../database/paging.ts'
import { Prisma, type Workspace } from '../generated/prisma/client.ts'
import { workspaceColumns } from './rows.ts'

const name = 'workspaces'

export async function listWorkspaces(ctx: Context, args: PageArgs): Promise<Connection<Workspace>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  return pageOf<Workspace>(
    ctx.db,
    {
      name,
      columns: workspaceColumns,
      from: Prisma.sql`workspaces w`,
      where: ctx.actor.kind === 'user' ? Prisma.sql`w.id = ${ctx.actor.workspaceID}` : Prisma.sql`TRUE`,
      keys: byCreation('w'),
    },
    args,
  )
}

export function workspaceEdge(workspace: Workspace): Edge<Workspace> {
  return edgeByCreation(name, workspace)
}
