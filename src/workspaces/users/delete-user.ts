import { z } from 'zod'
import { audited } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { conflictAt, notFound } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { leaveAllGroups } from '../../groups/general-group.ts'
import { requireOtherWorkspaceAdmin, requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { markUserDeleted } from '../../users/write-user.ts'

/**
 * Deletes a user and all memberships. Keeps messages and name. Returns undefined if the user does not exist. Calls
 * `check` before the user leaves the groups: if it throws, nothing is changed.
 */
export function deleteUser(
  db: Database,
  key: { workspaceID: string; id: string },
  check?: (tx: Database) => Promise<void>,
): Promise<User | undefined> {
  return inTransaction(db, async (tx) => {
    const user = await markUserDeleted(tx, key)
    if (!user) return undefined
    await check?.(tx)
    await leaveAllGroups(tx, user)
    await noteEvents(tx, key.workspaceID, [{ type: 'user.deactivated', objectID: user.id }])
    return user
  })
}

const inputSchema = z.object({ userID: id })

/** Deletes a person, who can no longer sign in to the workspace. */
export async function deletePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const person = await accessAdministeredUser(ctx, userID)
  if (person.deletedAt) throw notFound('person')
  if (person.kind !== 'person')
    throw conflictAt(
      'user_kind',
      'userID',
      `is the user of ${person.kind === 'app' ? 'an app; uninstall it' : 'a webhook; delete it'} instead`,
    )
  return audited(
    ctx,
    (inTx) => deleteAsAdmin(inTx, person),
    (object) => ({ action: 'deleteUser', workspaceID: object.workspaceID, object }),
  )
}

/** Deletes a person. The caller must have checked that the actor can do this. Only the operator can delete the last admin. */
export async function deleteAsAdmin({ db, actor }: Context, person: User): Promise<User> {
  const check = (tx: Database) => requireOtherWorkspaceAdmin(tx, person, onlyAdmin)
  const deleted = await deleteUser(db, person, actor.kind === 'operator' ? undefined : check)
  if (!deleted) throw notFound('person')
  return deleted
}

function onlyAdmin() {
  return conflictAt(
    'only_admin',
    'userID',
    'is the only admin of the workspace; make another member an admin first',
  )
}
