import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { query } from '../../database/query.ts'
import { type AppError, conflictAt } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import { type Group, Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { workspaceIDOfGroup } from '../access.ts'
import { generalGroupID, groupID } from '../general-group-id.ts'
import { withGroupLocked } from '../lock-group.ts'
import { requireAdmin } from '../membership.ts'
import { type MemberEdge, memberEdges } from './member-edge.ts'

const inputSchema = z.object({
  groupID,
  userID: id,
  role: z.enum(['admin', 'member'], 'must be admin or member'),
})

export type UpdateMemberResult = { group: Group; memberEdge: MemberEdge }

/** Sets a role. In the General group, this sets the role in the workspace, and needs the scope `workspaces:write`. */
export async function updateMember(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<UpdateMemberResult> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:write')
  const { groupID, userID, role } = parseInput(inputSchema, input)
  const workspaceID = await workspaceIDOfGroup(ctx, groupID)
  if (ctx.actor.kind === 'user' && groupID === generalGroupID(workspaceID))
    requireScope(ctx, 'workspaces:write')
  return withGroupLocked(ctx, { workspaceID, groupID }, async (inTx, group) => {
    await requireAdmin(inTx, group)
    const [member] = await memberEdges(inTx.db, group, [userID])
    if (!member) throw notAMember()
    if (role === 'admin' && member.node.kind === 'webhook') {
      throw conflictAt('user_kind', 'role', 'cannot be admin for a webhook user, which can only post')
    }
    if (role === 'member' && member.role === 'admin') await requireOtherAdmin(inTx, group, userID)
    // Another call may have deleted the user. A deletion can remove a user from the General group without locking it.
    const { count } = await inTx.db.groupMember.updateMany({
      where: { workspaceID, groupID, userID },
      data: { role },
    })
    if (count === 0) throw notAMember()
    const details = { userIDs: [userID], role }
    await noteEvents(inTx.db, workspaceID, [{ type: 'member.updated', objectID: groupID, details }])
    await record(inTx, {
      action: 'updateMember',
      workspaceID,
      object: group,
      details,
    })
    return { group, memberEdge: { ...member, role } }
  })
}

function notAMember(): AppError {
  return conflictAt('not_a_member', 'userID', 'is not a member of the group; add the user first')
}

/** Throws if no other admin is left. The operator is exempt, because the operator can appoint a new admin. */
async function requireOtherAdmin({ db, actor }: Context, group: Group, userID: string): Promise<void> {
  if (actor.kind === 'operator') return
  const [other] = await query<{ userID: string }>(
    db,
    Prisma.sql`
    SELECT user_id AS "userID" FROM group_members
    WHERE workspace_id = ${group.workspaceID} AND group_id = ${group.id} AND role = 'admin' AND user_id <> ${userID}
    LIMIT 1`,
  )
  if (!other)
    throw conflictAt(
      'only_admin',
      'role',
      'cannot be changed for the only admin; make another member an admin first',
    )
}
