import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { invalidField, notFound } from '../errors.ts'
import type { Group } from '../generated/prisma/client.ts'
import { description, id, name, parseInput } from '../input.ts'

const input = z.object({
  workspaceID: id,
  groupID: id,
  name: name.nullish(),
  description: description.nullish(),
  isPrivate: z.boolean().nullish(),
})

/** Changes a group. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function updateGroup(ctx: Context, given: z.input<typeof input>): Promise<Group> {
  requireOperator(ctx)
  const { workspaceID, groupID, name, description, isPrivate } = parseInput(input, given)
  if (isPrivate && groupID === workspaceID)
    throw invalidField('isPrivate', 'cannot be true of the General group')
  const [group] = await ctx.db.group.updateManyAndReturn({
    where: { workspaceID, id: groupID },
    data: {
      ...(name != null && { name }),
      ...(description !== undefined && { description }),
      ...(isPrivate != null && { isPrivate }),
    },
  })
  if (!group) throw notFound('group')
  return group
}
