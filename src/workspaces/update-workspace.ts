import { z } from 'zod'
import { audited, setFields } from '../audit/record.ts'
import { type Context, requireScope } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import type { Workspace } from '../generated/prisma/client.ts'
import { workspaceIDFor } from '../groups/access.ts'
import { requireWorkspaceAdmin } from '../groups/workspace-admins.ts'
import { id, name, parseInput } from '../input.ts'
import { avatarURL, emailDomain } from './create-workspace.ts'

const inputSchema = z.object({
  workspaceID: id,
  name: name.nullish(),
  emailDomain: emailDomain.nullish(),
  avatarURL: avatarURL.nullish(),
  customAppsEnabled: z.boolean().nullish(),
  membersMayCreateApps: z.boolean().nullish(),
  membersMayCreateWebhooks: z.boolean().nullish(),
})

export async function updateWorkspace(ctx: Context, input: z.input<typeof inputSchema>): Promise<Workspace> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { name, emailDomain, avatarURL, ...rest } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const { customAppsEnabled, membersMayCreateApps, membersMayCreateWebhooks } = rest
  const workspaceID = workspaceIDFor(ctx, rest.workspaceID)
  if (emailDomain !== undefined && ctx.actor.kind === 'user')
    throw new AppError('forbidden', 'Only the operator can change the email domain of a workspace.')
  const data = {
    ...(name != null && { name }),
    ...(emailDomain !== undefined && { emailDomain }),
    ...(avatarURL !== undefined && { avatarURL }),
    ...(customAppsEnabled != null && { customAppsEnabled }),
    ...(membersMayCreateApps != null && { membersMayCreateApps }),
    ...(membersMayCreateWebhooks != null && { membersMayCreateWebhooks }),
  }
  return audited(
    ctx,
    async ({ db }) => {
      const [workspace] = await db.workspace.updateManyAndReturn({ where: { id: workspaceID }, data })
      if (!workspace) throw notFound('workspace')
      return workspace
    },
    (object) => ({ action: 'updateWorkspace', workspaceID, object, details: setFields(data) }),
  )
}
