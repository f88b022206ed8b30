import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { AppError } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { generalGroupID } from './general-group-id.ts'
import { type MemberRole, membershipIn } from './membership.ts'

/** Throws unless the caller is the operator or an admin of the workspace. Does not check a scope. */
export async function requireWorkspaceAdmin(ctx: Context): Promise<void> {
  if (ctx.actor.kind === 'operator') return
  if ((await workspaceRoleOf(ctx)) !== 'admin')
    throw new AppError('forbidden', 'Only an admin of the workspace can do this.')
}

/** Returns the caller's role in the workspace, which is the role in its General group. Null for the operator. */
export async function workspaceRoleOf(ctx: Context): Promise<MemberRole | null> {
  if (ctx.actor.kind === 'operator') return null
  const { workspaceID } = ctx.actor
  return (await membershipIn(ctx, { workspaceID, id: generalGroupID(workspaceID) })).role
}

/**
 * Throws if the user is an admin of the workspace and no other admin would be left. Locks the General group, so that
 * two admins cannot remove each other. Call it in a transaction, when no earlier statement has locked another group.
 */
export async function requireOtherWorkspaceAdmin(
  tx: Database,
  { workspaceID, id }: { workspaceID: string; id: string },
  error: () => AppError,
): Promise<void> {
  const groupID = generalGroupID(workspaceID)
  await query(
    tx,
    Prisma.sql`SELECT id FROM groups WHERE workspace_id = ${workspaceID} AND id = ${groupID} FOR NO KEY UPDATE`,
  )
  const admins = await tx.groupMember.findMany({
    where: { workspaceID, groupID, role: 'admin' },
    select: { userID: true },
  })
  const isAdmin = admins.some(({ userID }) => userID === id)
  if (isAdmin && admins.length === 1) throw error()
}
