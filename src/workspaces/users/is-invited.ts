import type { Context } from '../../context.ts'
import type { User } from '../../generated/prisma/client.ts'
import { workspaceRoleOf } from '../../groups/workspace-admins.ts'

export async function isInvited(ctx: Context, user: User): Promise<boolean | null> {
  if (user.kind !== 'person') return null
  if (ctx.actor.kind === 'user' && (await workspaceRoleOf(ctx)) !== 'admin') return null
  return user.accountID === null && user.deletedAt === null
}
