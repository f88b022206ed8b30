import { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { conflictAt, notFound } from '../../errors.ts'
import type { User } from '../../generated/prisma/client.ts'
import { leaveAllGroups } from '../../groups/general-group.ts'
import { requireOtherWorkspaceAdmin, requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { markUserDeleted } from '../../users/mark-deleted.ts'

const inputSchema = z.object({ userID: id })

/** Deletes a person, who can no longer sign in to the workspace. Only the operator can delete the last admin. */
export async function deletePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  await requireWorkspaceAdmin(ctx, 'workspaces:write')
  const person = await accessAdministeredUser(ctx, parseInput(inputSchema, input).userID)
  if (person.deletedAt) throw notFound('person')
  if (person.kind !== 'person')
    throw conflictAt(
      'user_kind',
      'userID',
      `is the user of ${person.kind === 'app' ? 'an app; uninstall it' : 'a webhook; delete it'} instead`,
    )
  return inTransaction(ctx.db, async (tx) => {
    const deleted = await markUserDeleted(tx, person)
    if (!deleted) throw notFound('person')
    if (ctx.actor.kind === 'user') await requireOtherWorkspaceAdmin(tx, person, onlyAdmin)
    await leaveAllGroups(tx, deleted)
    return deleted
  })
}

function onlyAdmin() {
  return conflictAt(
    'only_admin',
    'userID',
    'is the only admin of the workspace; make another member an admin first',
  )
}
