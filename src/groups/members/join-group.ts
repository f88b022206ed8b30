import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import { type Group, Prisma } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'
import { lockUsers } from '../../users/lock-users.ts'
import { accessGroup, groupsVisibleTo } from '../access.ts'
import { groupID } from '../general-group-id.ts'
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
    await record(inTx, { action: 'joinGroup', workspaceID, object: group })
    return { group, memberEdge }
  })
}

/** Lets the actor add locked users to a group. The IDs are sorted, so that two calls never deadlock. */
export async function insertMemberships(
  { db, actor }: Context,
  { workspaceID, groupID }: { workspaceID: string; groupID: string },
  userIDs: Iterable<string>,
): Promise<void> {
  // FOR SHARE waits for a call that is changing the group, because that call may hide the group or promote a member.
  const entered = await query<{ added: string[] }>(
    db,
    Prisma.sql`
    WITH target AS MATERIALIZED (
      SELECT g.id FROM ${groupsVisibleTo(actor)}
      WHERE g.workspace_id = ${workspaceID} AND g.id = ${groupID} FOR SHARE
    ), added AS (
      INSERT INTO group_members (workspace_id, group_id, user_id)
      SELECT ${workspaceID}, target.id, wanted.user_id
      FROM target CROSS JOIN unnest(${[...userIDs].sort()}::text[]) AS wanted (user_id)
      ON CONFLICT DO NOTHING RETURNING user_id
    )
    SELECT ARRAY(SELECT user_id FROM added ORDER BY user_id) AS added FROM target`,
  )
  const [target] = entered
  if (!target) throw notFound('group')
  const details = { userIDs: target.added, ...(actor.kind === 'user' && { userID: actor.userID }) }
  if (target.added.length > 0)
    await noteEvents(db, workspaceID, [{ type: 'members.added', objectID: groupID, details }])
}
