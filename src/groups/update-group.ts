import { z } from 'zod'
import { record, setFields } from '../audit/record.ts'
import { type Context, requireScope } from '../context.ts'
import { conflictAt } from '../errors.ts'
import { noteEvents } from '../events/note-events.ts'
import type { Group } from '../generated/prisma/client.ts'
import { description, name, parseInput } from '../input.ts'
import { workspaceIDOfGroup } from './access.ts'
import { generalGroupID, groupID } from './general-group-id.ts'
import { withGroupLocked } from './lock-group.ts'
import { requireAdmin } from './membership.ts'

const inputSchema = z.object({
  groupID,
  name: name.nullish(),
  description: description.nullish(),
  isPrivate: z.boolean().nullish(),
})

/** Changes a group. A group that becomes private is hidden from non-members on their next request. */
export async function updateGroup(ctx: Context, input: z.input<typeof inputSchema>): Promise<Group> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'groups:write')
  const { groupID, name, description, isPrivate } = parseInput(inputSchema, input)
  const workspaceID = await workspaceIDOfGroup(ctx, groupID)
  if (isPrivate && groupID === generalGroupID(workspaceID))
    throw conflictAt('general_group', 'isPrivate', 'cannot be true for the General group')
  return withGroupLocked(ctx, { workspaceID, groupID }, async (inTx, group) => {
    const { role } = await requireAdmin(inTx, group)
    if (isPrivate && role === null && ctx.actor.kind === 'user')
      throw conflictAt(
        'not_a_member',
        'isPrivate',
        'would hide the group from you because you are not a member; join it first',
      )
    await noteEvents(inTx.db, workspaceID, [{ type: 'group.updated', objectID: groupID }])
    const updated = await inTx.db.group.update({
      where: { workspaceID_id: { workspaceID, id: groupID } },
      data: {
        ...(name != null && { name }),
        ...(description !== undefined && { description }),
        ...(isPrivate != null && { isPrivate }),
      },
    })
    const details = setFields({ name, description, isPrivate })
    await record(inTx, { action: 'updateGroup', workspaceID, object: updated, details })
    return updated
  })
}
