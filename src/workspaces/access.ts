import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import { type Group, Prisma, type Workspace } from '../generated/prisma/client.ts'
import { knownGroup } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'

/** A workspace that the caller may see: its own, and any for the operator. Throws `forbidden`. */
export async function findWorkspace(ctx: Context, id: string): Promise<Workspace | null> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  const hidden = ctx.actor.kind === 'user' && ctx.actor.workspaceID !== id
  return hidden || prefixOf(id) !== 'wks' ? null : ctx.db.workspace.findUnique({ where: { id } })
}

/** The same. Throws `not_found`. */
export async function accessWorkspace(ctx: Context, id: string): Promise<Workspace> {
  const workspace = await findWorkspace(ctx, id)
  if (!workspace) throw notFound('workspace')
  return workspace
}

/** The group that everyone in the workspace is a member of. */
export async function generalGroupOf(ctx: Context, workspace: Workspace): Promise<Group> {
  const group = await knownGroup(ctx, workspace.id, workspace.id)
  if (!group) throw new Error(`The workspace ${workspace.id} has no General group`)
  return group
}
