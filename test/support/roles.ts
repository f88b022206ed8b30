import type { Context } from '../../src/context.ts'

/** Gives a user a role in a group, and adds the user to the group if necessary. */
export async function giveRole(
  { db }: Context,
  { role, ...key }: { workspaceID: string; groupID: string; userID: string; role: string },
): Promise<void> {
  await db.groupMember.createMany({ data: [key], skipDuplicates: true })
  await db.groupMember.updateMany({ where: key, data: { role } })
}
