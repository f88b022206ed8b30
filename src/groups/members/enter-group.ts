import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { query } from '../../platform/query.ts'
import { groupsVisibleTo } from '../access.ts'

/**
 * Puts users, whom the transaction has locked, into a group; who is a member already stays as it is. Any number may come
 * in at once, but none while the group is changed or someone leaves (`withGroupLocked`): it may become private, or look
 * for its next admin. Those to add are sorted, so that two callers who add the same wait for each other in one order.
 * Throws `not_found` where the caller may not see the group.
 */
export async function enterGroup(
  { db, actor }: Context,
  { workspaceID, groupID }: { workspaceID: string; groupID: string },
  userIDs: Iterable<string>,
): Promise<void> {
  const entered = await query<{ id: string }>(
    db,
    Prisma.sql`
    WITH target AS MATERIALIZED (
      SELECT g.id FROM ${groupsVisibleTo(actor)}
      WHERE g.workspace_id = ${workspaceID} AND g.id = ${groupID} FOR SHARE
    ), added AS (
      INSERT INTO group_members (workspace_id, group_id, user_id)
      SELECT ${workspaceID}, target.id, wanted.user_id
      FROM target CROSS JOIN unnest(${[...userIDs].sort()}::text[]) AS wanted (user_id)
      ON CONFLICT DO NOTHING
    )
    SELECT id FROM target`,
  )
  if (entered.length === 0) throw notFound('group')
}
