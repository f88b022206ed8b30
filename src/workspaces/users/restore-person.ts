import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { conflictAt } from '../../errors.ts'
import type { User } from '../../generated/prisma/client.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { restoreUser } from './restore-user.ts'

const inputSchema = z.object({ userID: id })

/** Restores a deleted person, who then signs in like a person who was invited. If the person is not deleted, nothing changes. */
export async function restorePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const person = await accessAdministeredUser(ctx, userID)
  if (person.kind !== 'person') throw conflictAt('user_kind', 'userID', 'is not the user of a person')
  return (await restoreUser(ctx.db, person)) ?? accessAdministeredUser(ctx, userID)
}
