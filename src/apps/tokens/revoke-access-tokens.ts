import { z } from 'zod'
import { audited } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAppFor } from '../access.ts'
import { deleteAccessTokens } from './access-tokens.ts'

const inputSchema = z.object({ workspaceID: id, appID: id })

export async function revokeAccessTokens(ctx: Context, input: z.input<typeof inputSchema>): Promise<number> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const { appID, ...rest } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const workspaceID = workspaceIDFor(ctx, rest.workspaceID)
  const app = await accessAppFor(ctx, workspaceID, appID)
  return audited(
    ctx,
    ({ db }) => deleteAccessTokens(db, { workspaceID, appID }),
    (count) => ({ action: 'revokeAccessTokens', workspaceID, object: app, details: { count } }),
  )
}
