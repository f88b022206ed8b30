import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { notFound } from '../errors.ts'
import type { User } from '../generated/prisma/client.ts'
import { id, name, parseInput, text } from '../input.ts'
import { accessAnyUser } from './access.ts'

export const email = text(254).refine(
  (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  'must be an email address, such as ada@example.com',
)

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
