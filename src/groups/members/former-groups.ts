import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { noteEvents } from '../../events/note-events.ts'
import { Prisma, type User } from '../../generated/prisma/client.ts'
import { generalGroupID } from '../general-group-id.ts'

/** Stores the groups of a person, without the General group, before the person leaves them. */
export async function keepFormerGroups(
  tx: Database,
  { workspaceID, id }: Pick<User, 'workspaceID' | 'id'>,
): Promise<void> {
  await query(
    tx,
    Prisma.sql`
    INSERT INTO former_members (workspace_id, user_id, group_id)
    SELECT workspace_id, user_id, group_id FROM group_members
    WHERE workspace_id = ${workspaceID} AND user_id = ${id} AND group_id <> ${generalGroupID(workspaceID)}
    ON CONFLICT DO NOTHING`,
  )
}

/**
 * Adds a restored person, as a member, to the groups that they were in when they were deleted and that are public now.
 * A private group has continued without the person. Therefore its members decide whether to add the person again.
 */
export async function rejoinPublicGroups(tx: Database, { workspaceID, id }: User): Promise<void> {
  const joined = await query<{ groupID: string }>(
    tx,
    Prisma.sql`
    WITH former AS MATERIALIZED (
      DELETE FROM former_members WHERE workspace_id = ${workspaceID} AND user_id = ${id} RETURNING group_id
    ), target AS MATERIALIZED (
      SELECT g.id FROM (SELECT group_id FROM former ORDER BY group_id) AS f CROSS JOIN LATERAL (
        SELECT id FROM groups WHERE workspace_id = ${workspaceID} AND id = f.group_id AND NOT is_private FOR SHARE) AS g
    )
    INSERT INTO group_members (workspace_id, group_id, user_id)
    SELECT ${workspaceID}, id, ${id} FROM target ON CONFLICT DO NOTHING RETURNING group_id AS "groupID"`,
  )
  await noteEvents(
    tx,
    workspaceID,
    joined.map(({ groupID }) => ({ type: 'members.added', objectID: groupID, details: { userIDs: [id] } })),
  )
}
