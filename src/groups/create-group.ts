import { z } from 'zod'
import { type Context, requireScope } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { notFound } from '../errors.ts'
import type { Group } from '../generated/prisma/client.ts'
import { description, id, name, parseInput } from '../input.ts'
import { newID } from '../platform/ids.ts'
import { lockUsers } from '../users/lock-users.ts'
import { workspaceIDFor } from './access.ts'

const inputSchema = z.object({
  workspaceID: id.nullish(),
  name,
  description: description.nullish(),
  isPrivate: z.boolean().nullish(),
})

/** Creates a group. A user who creates it becomes its admin. If the operator creates it, it has no members. */
export async function createGroup(ctx: Context, input: z.input<typeof inputSchema>): Promise<Group> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:write')
  const { workspaceID: named, name, description = null, isPrivate } = parseInput(inputSchema, input)
  const workspaceID = workspaceIDFor(ctx, named)
  const data = { workspaceID, id: newID('grp'), name, description, isPrivate: isPrivate ?? false }
  if (ctx.actor.kind === 'operator') return ctx.db.group.create({ data })
  const { userID } = ctx.actor
  return inTransaction(ctx.db, async (tx) => {
    // The user may have been deleted since the token was checked.
    if (!(await lockUsers(tx, workspaceID, [userID])).has(userID)) throw notFound('user')
    const group = await tx.group.create({ data })
    await tx.groupMember.create({ data: { workspaceID, groupID: group.id, userID, role: 'admin' } })
    return group
  })
}
