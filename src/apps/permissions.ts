import { mailsLinks } from '../accounts/sign-in-methods.ts'
import { type Context, requireUser } from '../context.ts'
import type { Permission } from '../generated/resolver-types.ts'
import { workspaceRoleOf } from '../groups/workspace-admins.ts'
import { userOf } from '../users/access.ts'

const adminPermissions: Permission[] = ['managePeople', 'manageWorkspace', 'manageApps', 'manageWebhooks']

/**
 * Returns what the caller's role, the settings of the workspace and those of the service allow. The scopes of the request
 * may allow less.
 */
export async function permissionsOf(ctx: Context): Promise<Permission[]> {
  requireUser(ctx)
  const { workspaceID, userID } = ctx.actor
  const settings = await ctx.db.workspace.findUniqueOrThrow({ where: { id: workspaceID } })
  const isAdmin = (await workspaceRoleOf(ctx)) === 'admin'
  const isPerson = (await userOf(ctx, workspaceID, userID)).kind === 'person'
  const { customAppsEnabled, membersMayCreateApps, membersMayCreateWebhooks } = settings
  const may = (setting: boolean) => isAdmin || (isPerson && setting)
  return [
    ...(isAdmin ? adminPermissions : []),
    ...(isAdmin && mailsLinks(ctx.config) ? (['mailSignInLinks'] as const) : []),
    ...(customAppsEnabled && may(membersMayCreateApps) ? (['createApps'] as const) : []),
    ...(may(membersMayCreateWebhooks) ? (['createWebhooks'] as const) : []),
  ]
}
