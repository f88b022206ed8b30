import { z } from 'zod'
import { record } from '../audit/record.ts'
import { type Context, requireScope } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { notFound } from '../errors.ts'
import { noteEvents } from '../events/note-events.ts'
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
  const { actor } = ctx
  return inTransaction(ctx.db, async (tx) => {
    const userID = actor.kind === 'user' ? actor.userID : undefined
    // The user may have been deleted since the token was checked.
    if (userID !== undefined && !(await lockUsers(tx, workspaceID, [userID])).has(userID))
      throw notFound('user')
    const group = await tx.group.create({ data })
    if (userID !== undefined)
      await tx.groupMember.create({ data: { workspaceID, groupID: group.id, userID, role: 'admin' } })
    await noteEvents(tx, workspaceID, [{ type: 'group.created', objectID: group.id }])
    await record({ ...ctx, db: tx }, { action: 'createGroup', workspaceID, object: group })
    return group
  })
}
