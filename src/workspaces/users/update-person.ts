import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { record, setFields } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { AppError, notFound } from '../../errors.ts'
import { avatarFileID, requireAvatarFile } from '../../files/avatar-file.ts'
import type { User } from '../../generated/prisma/client.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { updateUser } from '../../users/write-user.ts'

const inputSchema = z.object({
  userID: id,
  name: name.nullish(),
  email: email.nullish(),
  avatarFileID,
})

/**
 * People can change their own name and picture. Admins can change any person, but not the email address of a linked person,
 * and a picture of another person they can only remove.
 */
export async function updatePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  const { actor } = ctx
  if (actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID, name, email, avatarFileID } = parseInput(inputSchema, input)
  const isOwn = actor.kind === 'user' && userID === actor.userID
  if (!isOwn || email !== undefined) await requireWorkspaceAdmin(ctx)
  if (!isOwn && avatarFileID != null)
    throw new AppError(
      'forbidden',
      'You can only set your own picture. An admin can remove the pictures of others.',
    )
  const user = await accessAdministeredUser(ctx, userID)
  if (user.kind !== 'person' || user.deletedAt) throw notFound('person')
  // Otherwise an admin could replace the person's address with the admin's own address, and sign in as this person.
  const unlessLinked = actor.kind === 'user' && email !== undefined
  const updated = await inTransaction(ctx.db, async (tx) => {
    await requireAvatarFile({ ...ctx, db: tx }, avatarFileID)
    const changed = await updateUser(tx, user, { name, email, avatarFileID }, { unlessLinked })
    const { workspaceID } = user
    const details = setFields({ name, email, avatarFileID })
    if (changed)
      await record({ ...ctx, db: tx }, { action: 'updateUser', workspaceID, object: user, details })
    return changed
  })
  if (updated) return updated
  throw unlessLinked
    ? new AppError(
        'forbidden',
        'This person signs in with their email address. Only the operator can change it.',
      )
    : notFound('person')
}
