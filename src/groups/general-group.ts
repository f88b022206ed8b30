import type { Database } from '../database/database.ts'
import type { User } from '../generated/prisma/client.ts'
import { generalGroupID } from './general-group-id.ts'
import { lockGroupsOf } from './lock-group.ts'
import { endMemberships } from './members/end-memberships.ts'
import { keepFormerGroups } from './members/former-groups.ts'

export async function createGeneralGroup(db: Database, workspaceID: string): Promise<void> {
  await db.group.create({ data: { workspaceID, id: generalGroupID(workspaceID), name: 'General' } })
}

export async function addToGeneralGroup(db: Database, { workspaceID, id }: User): Promise<void> {
  await db.groupMember.createMany({
    data: [{ workspaceID, groupID: generalGroupID(workspaceID), userID: id }],
    skipDuplicates: true,
  })
}

/**
 * Removes a user from all groups, and keeps the groups of a person for `rejoinPublicGroups`. The transaction must have
 * locked the user, so that no call adds the user again.
 */
export async function leaveAllGroups(tx: Database, { workspaceID, id, kind }: User): Promise<void> {
  const groupIDs = [generalGroupID(workspaceID), ...(await lockGroupsOf(tx, workspaceID, id))]
  if (kind === 'person') await keepFormerGroups(tx, { workspaceID, id })
  await endMemberships(tx, { workspaceID, groupIDs, userIDs: [id] })
}
