import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { conflictAt } from '../../errors.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import type { Group } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'
import { requirePerson } from '../../users/access.ts'
import { accessGroup } from '../access.ts'
import { groupID } from '../general-group-id.ts'

const inputSchema = z.object({ groupID })

/** Mutes a group of the caller, or ends muting it. The setting ends with the membership. */
export async function muteGroup(
  ctx: Context,
  input: z.input<typeof inputSchema>,
  isMuted: boolean,
): Promise<{ group: Group }> {
  requireScope(ctx, 'groups:read')
  const { groupID } = parseInput(inputSchema, input)
  await requirePerson(ctx)
  const { workspaceID, userID } = ctx.actor
  const group = await accessGroup(ctx, groupID)
  const { count } = await ctx.db.groupMember.updateMany({
    where: { workspaceID, groupID, userID },
    data: { isMuted },
  })
  if (count === 0) throw conflictAt('not_a_member', 'groupID', 'is not a group of yours')
  personalSignals(ctx.db).send({ workspaceID, userID, threadID: '' })
  return { group }
}
