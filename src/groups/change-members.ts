import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { invalidField, invalidInput } from '../errors.ts'
import type { Group } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { accessGroupIn } from './access.ts'

const input = z.object({
  workspaceID: id,
  groupID: id,
  userIDs: z.array(id).min(1, 'must name at least one user').max(100, 'must name at most 100 users'),
})

/** Adds users to a group; who is a member already stays one. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function addMembers(ctx: Context, given: z.input<typeof input>): Promise<Group> {
  requireOperator(ctx)
  const { workspaceID, groupID, userIDs } = parseInput(input, given)
  const group = await accessGroupIn(ctx, workspaceID, groupID)
  const users = await ctx.db.user.findMany({
    select: { id: true },
    where: { workspaceID, id: { in: userIDs }, deletedAt: null },
  })
  const known = new Set(users.map((user) => user.id))
  const errors = userIDs.flatMap((userID, index) =>
    known.has(userID)
      ? []
      : [{ field: `userIDs.${index}`, message: `${userID} is no user of the workspace` }],
  )
  if (errors.length > 0) throw invalidInput(errors)
  await ctx.db.groupMember.createMany({
    data: [...known].map((userID) => ({ workspaceID, groupID, userID })),
    skipDuplicates: true,
  })
  return group
}

/** Removes users from a group; who is no member is passed over. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function removeMembers(ctx: Context, given: z.input<typeof input>): Promise<Group> {
  requireOperator(ctx)
  const { workspaceID, groupID, userIDs } = parseInput(input, given)
  if (groupID === workspaceID) throw invalidField('groupID', 'is the General group, which nobody can leave')
  const group = await accessGroupIn(ctx, workspaceID, groupID)
  await ctx.db.groupMember.deleteMany({ where: { workspaceID, groupID, userID: { in: userIDs } } })
  return group
}
