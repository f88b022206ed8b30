import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { type Context, requireScope } from '../../context.ts'
import type { User } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { createUser } from './create-user.ts'

const inputSchema = z.object({ workspaceID: id, name, email: email.nullish() })

export async function createPerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { workspaceID, ...person } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  return createUser(ctx.db, { kind: 'person', workspaceID: workspaceIDFor(ctx, workspaceID), ...person })
}
