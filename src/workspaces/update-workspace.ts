import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Workspace } from '../generated/prisma/client.ts'
import { id, name, parseInput } from '../input.ts'
import { avatarURL, emailDomain } from './create-workspace.ts'

const inputSchema = z.object({
  workspaceID: id,
  name: name.nullish(),
  emailDomain: emailDomain.nullish(),
  avatarURL: avatarURL.nullish(),
  customAppsEnabled: z.boolean().nullish(),
})

export async function updateWorkspace(ctx: Context, input: z.input<typeof inputSchema>): Promise<Workspace> {
  requireOperator(ctx)
  const { workspaceID, name, emailDomain, avatarURL, customAppsEnabled } = parseInput(inputSchema, input)
  const [workspace] = await ctx.db.workspace.updateManyAndReturn({
    where: { id: workspaceID },
    data: {
      ...(name != null && { name }),
      ...(emailDomain !== undefined && { emailDomain }),
      ...(avatarURL !== undefined && { avatarURL }),
      ...(customAppsEnabled != null && { customAppsEnabled }),
    },
  })
  if (!workspace) throw notFound('workspace')
  return workspace
}
