import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { parseInput } from '../../input.ts'
import { groupID } from '../general-group-id.ts'
import { withGroupLocked } from '../lock-group.ts'
import { type RemovalResult, refuseGeneral, removeFromGroup } from './remove-from-group.ts'

const inputSchema = z.object({ groupID })

/** Removes the caller from a group. Does nothing if the group is public and the caller is not a member. */
export async function leaveGroup(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<RemovalResult & { removedUserID: string }> {
  requireScope(ctx, 'groups:write')
  const { groupID } = parseInput(inputSchema, input)
  const { workspaceID, userID } = ctx.actor
  refuseGeneral({ workspaceID, groupID })
  return withGroupLocked(ctx, { workspaceID, groupID }, async (inTx, group) => ({
    ...(await removeFromGroup(inTx, group, [userID])),
    removedUserID: userID,
  }))
}
