import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { type Context, requireScope } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { User } from '../../generated/prisma/client.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { updateUser } from '../../users/write-user.ts'

const inputSchema = z.object({
  userID: id,
  name: name.nullish(),
  email: email.nullish(),
})

/** People can change their own name. Admins can change any person, but not the email address of a linked person. */
export async function updatePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  const { actor } = ctx
  if (actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID, name, email } = parseInput(inputSchema, input)
  const isOwnName = actor.kind === 'user' && userID === actor.userID && email === undefined
  if (!isOwnName) await requireWorkspaceAdmin(ctx)
  const user = await accessAdministeredUser(ctx, userID)
  if (user.kind !== 'person' || user.deletedAt) throw notFound('person')
  // Otherwise an admin could replace the person's address with the admin's own address, and sign in as this person.
  const unlessLinked = actor.kind === 'user' && email !== undefined
  const updated = await updateUser(ctx.db, user, { name, email }, { unlessLinked })
  if (updated) return updated
  throw unlessLinked
    ? new AppError(
        'forbidden',
        'This person signs in with their email address. Only the operator can change it.',
      )
    : notFound('person')
}
