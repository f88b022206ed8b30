import type { User } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'

/** Makes the group that everyone in a workspace is in: its ID is the workspace's. */
export async function createGeneralGroup(db: Database, workspaceID: string): Promise<void> {
  await db.group.create({ data: { workspaceID, id: workspaceID, name: 'General' } })
}

/** Puts a user into the General group of its workspace, once. */
export async function joinGeneral(db: Database, { workspaceID, id }: User): Promise<void> {
  await db.groupMember.createMany({
    data: [{ workspaceID, groupID: workspaceID, userID: id }],
    skipDuplicates: true,
  })
}

/** Takes a user out of all groups of its workspace. */
export async function leaveAllGroups(db: Database, { workspaceID, id }: User): Promise<void> {
  await db.groupMember.deleteMany({ where: { workspaceID, userID: id } })
}
