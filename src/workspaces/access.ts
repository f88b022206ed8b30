import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Group, Workspace } from '../generated/prisma/client.ts'
import { findGroupUnscoped } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'

/** Returns null if the caller cannot see the workspace. Users see only their own workspace. The operator sees all. */
export async function findWorkspace(ctx: Context, id: string): Promise<Workspace | null> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  const hidden = ctx.actor.kind === 'user' && ctx.actor.workspaceID !== id
  return hidden || prefixOf(id) !== 'wks' ? null : ctx.db.workspace.findUnique({ where: { id } })
}

export async function accessWorkspace(ctx: Context, id: string): Promise<Workspace> {
  const workspace = await findWorkspace(ctx, id)
  if (!workspace) throw notFound('workspace')
  return workspace
}

export async function generalGroupOf(ctx: Context, workspace: Workspace): Promise<Group> {
  const group = await findGroupUnscoped(ctx, workspace.id, workspace.id)
  if (!group) throw new Error(`The workspace ${workspace.id} has no General group`)
  return group
}
