import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { conflictAt } from '../../errors.ts'
import type { Group } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'
import { workspaceIDOfGroup } from '../access.ts'
import { generalGroupID, groupID } from '../general-group-id.ts'
import { withGroupLocked } from '../lock-group.ts'
import { requireAdmin } from '../membership.ts'
import { userIDs } from './add-members.ts'
import { endMemberships } from './end-memberships.ts'
import { type MemberEdge, memberEdges } from './member-edge.ts'

const removeInput = z.object({ groupID, userIDs })

/** Removes users from a group. Ignores users who are not members. */
export async function removeMembers(
  ctx: Context,
  input: z.input<typeof removeInput>,
): Promise<RemovalResult & { removedUserIDs: string[] }> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:write')
  const { groupID, userIDs } = parseInput(removeInput, input)
  const workspaceID = await workspaceIDOfGroup(ctx, groupID)
  refuseGeneral({ workspaceID, groupID })
  return withGroupLocked(ctx, { workspaceID, groupID }, async (inTx, group) => {
    await requireAdmin(inTx, group)
    const removedUserIDs = [...new Set(userIDs)]
    const details = { userIDs: removedUserIDs }
    await record(inTx, { action: 'removeMembers', workspaceID, object: group, details })
    return { ...(await removeFromGroup(inTx, group, userIDs)), removedUserIDs }
  })
}

/** `group` is null if the caller can no longer see the changed group. */
type RemovalResult = {
  group: Group | null
  removedGroupID: string | null
  promotedMemberEdge: MemberEdge | null
}

/** Removes users from a group that the transaction has locked. */
async function removeFromGroup(ctx: Context, group: Group, userIDs: string[]): Promise<RemovalResult> {
  const { workspaceID, id } = group
  const promoted = await endMemberships(ctx.db, { workspaceID, groupIDs: [id], userIDs })
  if (group.isPrivate && ctx.actor.kind === 'user' && userIDs.includes(ctx.actor.userID)) {
    return { group: null, removedGroupID: id, promotedMemberEdge: null }
  }
  const [promotedMemberEdge = null] = await memberEdges(ctx.db, group, promoted)
  return { group, removedGroupID: null, promotedMemberEdge }
}

function refuseGeneral({ workspaceID, groupID }: { workspaceID: string; groupID: string }): void {
  if (groupID === generalGroupID(workspaceID))
    throw conflictAt(
      'general_group',
      'groupID',
      'is the General group; nobody can leave it or be removed from it',
    )
}

const leaveInput = z.object({ groupID })

/** Removes the caller from a group. Does nothing if the group is public and the caller is not a member. */
export async function leaveGroup(
  ctx: Context,
  input: z.input<typeof leaveInput>,
): Promise<RemovalResult & { removedUserID: string }> {
  requireScope(ctx, 'groups:write')
  const { groupID } = parseInput(leaveInput, input)
  const { workspaceID, userID } = ctx.actor
  refuseGeneral({ workspaceID, groupID })
  return withGroupLocked(ctx, { workspaceID, groupID }, async (inTx, group) => {
    await record(inTx, { action: 'leaveGroup', workspaceID, object: group })
    return { ...(await removeFromGroup(inTx, group, [userID])), removedUserID: userID }
  })
}
