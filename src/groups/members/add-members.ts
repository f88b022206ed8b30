import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { AppError, invalidInput } from '../../errors.ts'
import type { Group } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { lockUsers } from '../../users/lock-users.ts'
import { accessGroupIn, workspaceIDOfGroup } from '../access.ts'
import { groupID } from '../general-group-id.ts'
import { membershipIn } from '../membership.ts'
import { insertMemberships } from './join-group.ts'
import { type MemberEdge, memberEdges } from './member-edge.ts'

export const userIDs = z
  .array(id)
  .min(1, 'must name at least one user')
  .max(100, 'must name at most 100 users')

const inputSchema = z.object({ groupID, userIDs })

export type AddMembersResult = { group: Group; memberEdges: MemberEdge[] }

/** Adds users to a group, all or none. Any member can add users. Existing members keep their role. */
export async function addMembers(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<AddMembersResult> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:write')
  const { groupID, userIDs } = parseInput(inputSchema, input)
  const workspaceID = await workspaceIDOfGroup(ctx, groupID)
  const group = await accessGroupIn(ctx, workspaceID, groupID, 'groups:write')
  const { role, isAdmin } = await membershipIn(ctx, group)
  if (role === null && !isAdmin) {
    throw new AppError(
      'forbidden',
      'Only members of the group and admins of the workspace can add users to it. Join it first.',
    )
  }
  return inTransaction(ctx.db, async (tx) => {
    const users = await lockUsers(tx, workspaceID, userIDs)
    requireAll(userIDs, users)
    const inTx = { ...ctx, db: tx }
    await insertMemberships(inTx, { workspaceID, groupID }, users)
    await record(inTx, { action: 'addMembers', workspaceID, object: group, details: { userIDs: [...users] } })
    return { group, memberEdges: await memberEdges(tx, group, [...users]) }
  })
}

function requireAll(userIDs: string[], users: ReadonlySet<string>): void {
  const errors = userIDs.flatMap((userID, index) =>
    users.has(userID)
      ? []
      : [{ field: `userIDs.${index}`, message: `is ${userID}, which is not a user of the workspace` }],
  )
  if (errors.length > 0) throw invalidInput(errors)
}
