import type { Database } from '../../database/database.ts'
import type { Listing } from '../../database/paging.ts'
import { query } from '../../database/query.ts'
import { type Group, Prisma, type User } from '../../generated/prisma/client.ts'
import { writeCursor } from '../../platform/cursors.ts'
import { userColumns } from '../../users/rows.ts'
import type { MemberRole } from '../membership.ts'

export type Member = User & { role: MemberRole; joinedAt: Date }

export type MemberEdge = { cursor: string; node: User; role: MemberRole; joinedAt: Date }

export const memberColumns = Prisma.sql`${userColumns}, m.role, m.joined_at AS "joinedAt"`

export const membersByJoining = {
  name: 'members',
  keys: [
    { column: Prisma.sql`m.joined_at`, type: 'timestamptz(3)', property: 'joinedAt' },
    { column: Prisma.sql`m.user_id`, type: 'text', property: 'id' },
  ],
} satisfies Pick<Listing, 'name' | 'keys'>

/** Returns the edges of the users who are members, in the order in which they joined. */
export async function memberEdges(
  db: Database,
  { workspaceID, id }: Pick<Group, 'workspaceID' | 'id'>,
  userIDs: readonly string[],
): Promise<MemberEdge[]> {
  const members = await query<Member>(
    db,
    Prisma.sql`
    SELECT ${memberColumns} FROM unnest(${userIDs}::text[]) AS wanted (value)
    CROSS JOIN LATERAL (
      SELECT * FROM group_members
      WHERE workspace_id = ${workspaceID} AND group_id = ${id} AND user_id = wanted.value OFFSET 0) AS m
    CROSS JOIN LATERAL (
      SELECT * FROM users WHERE workspace_id = ${workspaceID} AND id = wanted.value OFFSET 0) AS u
    ORDER BY m.joined_at, m.user_id`,
  )
  return members.map((member) =>
    toMemberEdge(writeCursor(membersByJoining.name, [member.joinedAt, member.id]), member),
  )
}

export function toMemberEdge(cursor: string, member: Member): MemberEdge {
  return { cursor, node: member, role: member.role, joinedAt: member.joinedAt }
}
