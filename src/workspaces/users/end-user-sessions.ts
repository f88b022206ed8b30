import { z } from 'zod'
import { endSessionsOf } from '../../accounts/change-account.ts'
import { type Context, requireScope } from '../../context.ts'
import { conflictAt, notFound } from '../../errors.ts'
import type { User } from '../../generated/prisma/client.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'

const inputSchema = z.object({ userID: id })

/**
 * Ends all sessions of a person. A session works in all workspaces of its account, so the person is signed out of all.
 * Tokens and grants belong to programs, which must not stop when a person signs in again. To stop them too, an admin
 * deletes the person.
 */
export async function endUserSessions(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const person = await accessAdministeredUser(ctx, userID)
  if (person.kind !== 'person') throw conflictAt('user_kind', 'userID', 'is not the user of a person')
  if (person.deletedAt) throw notFound('person')
  const { workspaceID, accountID } = person
  await endSessionsOf(ctx, accountID, { workspaceID, object: person })
  return person
}
