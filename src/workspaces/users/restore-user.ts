import { z } from 'zod'
import { audited } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { conflictAt } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { addToGeneralGroup } from '../../groups/general-group.ts'
import { rejoinPublicGroups } from '../../groups/members/former-groups.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { unmarkUserDeleted } from '../../users/write-user.ts'

/**
 * Restores a deleted user. Adds them to the General group, and a person to their former groups that are public. Returns
 * undefined if the user is not deleted.
 */
export function restoreUser(
  db: Database,
  key: { workspaceID: string; id: string },
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await unmarkUserDeleted(tx, key)
    if (!user) return undefined
    await addToGeneralGroup(tx, user)
    await rejoinPublicGroups(tx, user)
    await noteEvents(tx, key.workspaceID, [{ type: 'user.updated', objectID: user.id }])
    return user
  })
}

const inputSchema = z.object({ userID: id })

/**
 * Restores a deleted person. The deletion unlinked their account. Therefore they sign in like a person who was invited.
 * If the person is not deleted, changes nothing and returns the person.
 */
export async function restorePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const person = await accessAdministeredUser(ctx, userID)
  if (person.kind !== 'person') throw conflictAt('user_kind', 'userID', 'is not the user of a person')
  return audited(
    ctx,
    async (inTx) => (await restoreUser(inTx.db, person)) ?? accessAdministeredUser(inTx, userID),
    (object) => ({ action: 'restoreUser', workspaceID: object.workspaceID, object }),
  )
}
