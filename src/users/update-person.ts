import { z } from 'zod'
import { email } from '../accounts/email.ts'
import { type Context, requireOperator } from '../context.ts'
import { notFound } from '../errors.ts'
import type { User } from '../generated/prisma/client.ts'
import { id, name, parseInput } from '../input.ts'
import { accessAnyUser } from './access.ts'

const inputSchema = z.object({
  userID: id,
  name: name.nullish(),
  email: email.nullish(),
})

export async function updatePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  requireOperator(ctx)
  const { userID, name, email } = parseInput(inputSchema, input)
  const { workspaceID } = await accessAnyUser(ctx.db, userID)
  const data = { ...(name != null && { name }), ...(email !== undefined && { email }) }
  const [user] = await ctx.db.user.updateManyAndReturn({
    where: { workspaceID, id: userID, kind: 'person', deletedAt: null },
    data,
  })
  if (!user) throw notFound('person')
  return user
}
