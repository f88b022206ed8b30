import { z } from 'zod'
import { type Context, requireOperator } from '../../context.ts'
import { conflictAt, notFound } from '../../errors.ts'
import type { User } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { accessAnyUser } from '../../users/access.ts'
import { deleteUser } from './delete-user.ts'

const inputSchema = z.object({ userID: id })

export async function deletePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  requireOperator(ctx)
  const { userID } = parseInput(inputSchema, input)
  const user = await accessAnyUser(ctx.db, userID)
  if (user.deletedAt) throw notFound('person')
  if (user.kind !== 'person')
    throw conflictAt(
      'user_kind',
      'userID',
      `is the user of ${user.kind === 'app' ? 'an app; uninstall it' : 'a webhook; delete it'} instead`,
    )
  const deleted = await deleteUser(ctx.db, user)
  if (!deleted) throw notFound('person')
  return deleted
}
