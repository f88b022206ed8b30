import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import type { Group } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'
import { lockUsers } from '../../users/lock-users.ts'
import { accessGroup } from '../access.ts'
import { groupID } from '../general-group-id.ts'
import { insertMemberships } from './insert-memberships.ts'
import { type MemberEdge, memberEdges } from './member-edge.ts'

const inputSchema = z.object({ groupID })

export type JoinGroupResult = { group: Group; memberEdge: MemberEdge }

/** Makes the caller a member of a public group. Does nothing if the caller is already a member. */
export async function joinGroup(ctx: Context, input: z.input<typeof inputSchema>): Promise<JoinGroupResult> {
  requireScope(ctx, 'groups:write')
  const { groupID } = parseInput(inputSchema, input)
  const { workspaceID, userID } = ctx.actor
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx }
    const users = await lockUsers(tx, workspaceID, [userID])
    await insertMemberships(inTx, { workspaceID, groupID }, users)
    const group = await accessGroup(inTx, groupID, 'groups:write')
    const [memberEdge] = await memberEdges(tx, group, [userID])
    if (!memberEdge) throw notFound('user')
    return { group, memberEdge }
  })
}
