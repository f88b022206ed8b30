import { type Context, requireScope } from '../context.ts'
import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { type Group, Prisma, type Workspace } from '../generated/prisma/client.ts'
import { findGroupUnscoped } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'
import { workspaceColumns } from './rows.ts'

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

/** Locks and returns a workspace. Its settings do not change until the end of the transaction. */
export async function lockSettings(tx: Database, id: string): Promise<Workspace> {
  const [workspace] = await query<Workspace>(
    tx,
    Prisma.sql`SELECT ${workspaceColumns} FROM workspaces w WHERE id = ${id} FOR SHARE`,
  )
  if (!workspace) throw notFound('workspace')
  return workspace
}
