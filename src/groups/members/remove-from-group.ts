import type { Context } from '../../context.ts'
import { conflictAt } from '../../errors.ts'
import type { Group } from '../../generated/prisma/client.ts'
import { generalGroupID } from '../general-group-id.ts'
import { endMemberships } from './end-memberships.ts'
import { type MemberEdge, memberEdges } from './member-edge.ts'

/** `group` is null if the caller can no longer see the changed group. */
export type RemovalResult = {
  group: Group | null
  removedGroupID: string | null
  promotedMemberEdge: MemberEdge | null
}

/** Removes users from a group that the transaction has locked. */
export async function removeFromGroup(ctx: Context, group: Group, userIDs: string[]): Promise<RemovalResult> {
  const { workspaceID, id } = group
  const promoted = await endMemberships(ctx.db, { workspaceID, groupIDs: [id], userIDs })
  if (group.isPrivate && ctx.actor.kind === 'user' && userIDs.includes(ctx.actor.userID)) {
    return { group: null, removedGroupID: id, promotedMemberEdge: null }
  }
  const [promotedMemberEdge = null] = await memberEdges(ctx.db, group, promoted)
  return { group, removedGroupID: null, promotedMemberEdge }
}

export function refuseGeneral({ workspaceID, groupID }: { workspaceID: string; groupID: string }): void {
  if (groupID === generalGroupID(workspaceID))
    throw conflictAt(
      'general_group',
      'groupID',
      'is the General group; nobody can leave it or be removed from it',
    )
}
