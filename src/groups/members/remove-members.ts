import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { parseInput } from '../../input.ts'
import { workspaceIDOfGroup } from '../access.ts'
import { groupID } from '../general-group-id.ts'
import { withGroupLocked } from '../lock-group.ts'
import { requireAdmin } from '../membership.ts'
import { userIDs } from './add-members.ts'
import { type RemovalResult, refuseGeneral, removeFromGroup } from './remove-from-group.ts'

const inputSchema = z.object({ groupID, userIDs })

/** Removes users from a group. Ignores users who are not members. */
export async function removeMembers(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<RemovalResult & { removedUserIDs: string[] }> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:write')
  const { groupID, userIDs } = parseInput(inputSchema, input)
  const workspaceID = await workspaceIDOfGroup(ctx, groupID)
  refuseGeneral({ workspaceID, groupID })
  return withGroupLocked(ctx, { workspaceID, groupID }, async (inTx, group) => {
    await requireAdmin(inTx, group)
    return { ...(await removeFromGroup(inTx, group, userIDs)), removedUserIDs: [...new Set(userIDs)] }
  })
}
