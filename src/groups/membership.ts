import type { Context, UserActor } from '../context.ts'
import { selectLoader } from '../database/loader.ts'
import { AppError } from '../errors.ts'
import { type Group, Prisma } from '../generated/prisma/client.ts'

export type MemberRole = 'admin' | 'member'

/** The role is null if the caller is not a member. An admin of the workspace administers every visible group. */
export type Membership = { role: MemberRole | null; isAdmin: boolean; isMuted: boolean }

const loadMembership = selectLoader<Context<UserActor>, Membership & { id: string }>(
  ({ actor }, workspaceID, groupIDs) => Prisma.sql`
    SELECT wanted.value AS id, mine.role, coalesce(mine.is_muted, FALSE) AS "isMuted", EXISTS (
      SELECT FROM group_admins
      WHERE workspace_id = ${workspaceID} AND group_id = wanted.value AND user_id = ${actor.userID} OFFSET 0) AS "isAdmin"
    FROM unnest(${groupIDs}::text[]) AS wanted (value) LEFT JOIN LATERAL (
      SELECT role, is_muted FROM group_members
      WHERE workspace_id = ${workspaceID} AND group_id = wanted.value AND user_id = ${actor.userID} OFFSET 0
    ) AS mine ON TRUE`,
)

/** Returns the caller's role and rights in a group. The operator is not a member, but has the rights of an admin. */
export async function membershipIn(
  ctx: Context,
  { workspaceID, id }: Pick<Group, 'workspaceID' | 'id'>,
): Promise<Membership> {
  const { actor } = ctx
  if (actor.kind === 'operator') return { role: null, isAdmin: true, isMuted: false }
  return (
    (await loadMembership({ ...ctx, actor }, workspaceID, id)) ?? {
      role: null,
      isAdmin: false,
      isMuted: false,
    }
  )
}

export async function requireAdmin(ctx: Context, group: Group): Promise<Membership> {
  const membership = await membershipIn(ctx, group)
  if (!membership.isAdmin) {
    throw new AppError('forbidden', 'Only an admin of the group or of the workspace can do this.')
  }
  return membership
}
