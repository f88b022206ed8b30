import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import type { Group } from '../generated/prisma/client.ts'
import { description, id, name, parseInput } from '../input.ts'
import { newID } from '../platform/ids.ts'

const input = z.object({
  workspaceID: id,
  name,
  description: description.nullish(),
  isPrivate: z.boolean().nullish(),
})

/** Makes a group. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function createGroup(ctx: Context, given: z.input<typeof input>): Promise<Group> {
  requireOperator(ctx)
  const { workspaceID, name, description = null, isPrivate } = parseInput(input, given)
  return ctx.db.group.create({
    data: { workspaceID, id: newID('grp'), name, description, isPrivate: isPrivate ?? false },
  })
}
