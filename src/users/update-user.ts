import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { notFound } from '../errors.ts'
import type { User } from '../generated/prisma/client.ts'
import { id, name, parseInput, text } from '../input.ts'

export const email = text(254).refine(
  (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  'must be an address with an @',
)

const input = z.object({
  workspaceID: id,
  userID: id,
  name: name.nullish(),
  email: email.nullish(),
})

/** Changes a person. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function updateUser(ctx: Context, given: z.input<typeof input>): Promise<User> {
  requireOperator(ctx)
  const { workspaceID, userID, name, email } = parseInput(input, given)
  const data = { ...(name != null && { name }), ...(email !== undefined && { email }) }
  const [user] = await ctx.db.user.updateManyAndReturn({
    where: { workspaceID, id: userID, kind: 'person', deletedAt: null },
    data,
  })
  if (!user) throw notFound('person')
  return user
}
