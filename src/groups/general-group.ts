import type { User } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { generalGroupID } from './general-group-id.ts'
import { lockGroupsOf } from './lock-group.ts'
import { endMemberships } from './members/end-memberships.ts'

/** Creates the group that everyone in a workspace is a member of. */
export async function createGeneralGroup(db: Database, workspaceID: string): Promise<void> {
  await db.group.create({ data: { workspaceID, id: generalGroupID(workspaceID), name: 'General' } })
}

/** Puts a user into the General group of its workspace, once. */
export async function joinGeneral(db: Database, { workspaceID, id }: User): Promise<void> {
  await db.groupMember.createMany({
    data: [{ workspaceID, groupID: generalGroupID(workspaceID), userID: id }],
    skipDuplicates: true,
  })
}

/**
 * Takes a user out of all groups of its workspace, within a transaction that has locked the user: so nobody adds it to a
 * group meanwhile.
 */
export async function leaveAllGroups(tx: Database, { workspaceID, id }: User): Promise<void> {
  const groupIDs = [generalGroupID(workspaceID), ...(await lockGroupsOf(tx, workspaceID, id))]
  await endMemberships(tx, { workspaceID, groupIDs, userIDs: [id] })
}
