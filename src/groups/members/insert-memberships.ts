import type { Context } from '../../context.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { groupsVisibleTo } from '../access.ts'

/** Adds locked users to a group. The IDs are sorted, so that two calls never deadlock. */
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
  const details = { userIDs: target.added }
  if (target.added.length > 0)
    await noteEvents(db, workspaceID, [{ type: 'members.added', objectID: groupID, details }])
}
