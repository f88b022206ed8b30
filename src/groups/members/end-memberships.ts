import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type EventNote, noteEvents } from '../../events/note-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { generalGroupID } from '../general-group-id.ts'

type Memberships = { workspaceID: string; groupIDs: readonly string[]; userIDs: readonly string[] }

/**
 * Ends memberships in locked groups, and returns the IDs of new admins. If a group loses its last admin, the person who
 * joined first becomes an admin. If no people are left, the app user who joined first becomes an admin. In the General
 * group, nobody becomes an admin.
 */
export async function endMemberships(
  tx: Database,
  { workspaceID, groupIDs, userIDs }: Memberships,
): Promise<string[]> {
  const changed = await query<ChangedGroup>(
    tx,
    Prisma.sql`
    WITH ended AS (
      DELETE FROM group_members
      WHERE workspace_id = ${workspaceID} AND group_id = ANY (${groupIDs}::text[]) AND user_id = ANY (${userIDs}::text[])
      RETURNING group_id, user_id, role
    ), group_without_admin AS (
      SELECT DISTINCT ended.group_id FROM ended
      WHERE ended.role = 'admin' AND ended.group_id <> ${generalGroupID(workspaceID)} AND NOT EXISTS (
        SELECT FROM group_members other
        WHERE other.workspace_id = ${workspaceID} AND other.group_id = ended.group_id AND other.role = 'admin'
          AND other.user_id <> ALL (${userIDs}::text[]))
    ), new_admin AS (
      SELECT next.* FROM group_without_admin CROSS JOIN LATERAL (
        SELECT m.group_id, m.user_id FROM group_members m CROSS JOIN LATERAL (
          SELECT kind FROM users WHERE workspace_id = ${workspaceID} AND id = m.user_id OFFSET 0) AS u
        WHERE m.workspace_id = ${workspaceID} AND m.group_id = group_without_admin.group_id
          AND m.user_id <> ALL (${userIDs}::text[]) AND u.kind <> 'webhook'
        ORDER BY u.kind <> 'person', m.joined_at, m.user_id LIMIT 1) AS next
    ), promoted AS (
      UPDATE group_members m SET role = 'admin' FROM new_admin
      WHERE m.workspace_id = ${workspaceID} AND m.group_id = new_admin.group_id AND m.user_id = new_admin.user_id
      RETURNING m.group_id, m.user_id
    )
    SELECT group_id AS "groupID", array_agg(user_id ORDER BY user_id) AS ended,
      (SELECT user_id FROM promoted WHERE promoted.group_id = ended.group_id) AS "promotedID"
    FROM ended GROUP BY group_id ORDER BY group_id`,
  )
  await noteEvents(
    tx,
    workspaceID,
    changed.flatMap((group) => notesOf(workspaceID, group)),
  )
  return changed.flatMap(({ promotedID }) => promotedID ?? [])
}

type ChangedGroup = { groupID: string; ended: string[]; promotedID: string | null }

// A user leaves the General group only when the user is deleted, and the deletion has its own event.
function notesOf(workspaceID: string, { groupID, ended, promotedID }: ChangedGroup): EventNote[] {
  if (groupID === generalGroupID(workspaceID)) return []
  const notes: EventNote[] = [{ type: 'members.removed', objectID: groupID, details: { userIDs: ended } }]
  if (promotedID !== null) {
    const details = { userIDs: [promotedID], role: 'admin' as const }
    notes.push({ type: 'member.updated', objectID: groupID, details })
  }
  return notes
}
