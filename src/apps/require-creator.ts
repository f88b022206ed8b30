import type { Context } from '../context.ts'
import { AppError, insufficientScope } from '../errors.ts'
import { workspaceRoleOf } from '../groups/workspace-admins.ts'
import { defaultScopes, isScope, withIncluded } from '../scopes.ts'
import { userOf } from '../users/access.ts'
import { lockSettings } from '../workspaces/access.ts'

/** The operator has the rights of an admin, but no user. */
export type Creator = { userID: string | null; isAdmin: boolean }

type Setting = 'membersMayCreateApps' | 'membersMayCreateWebhooks'

/** Throws unless the caller is the operator or an admin, or the setting of the workspace allows other people. */
export async function requireCreator(ctx: Context, setting: Setting): Promise<Creator> {
  if (ctx.actor.kind === 'operator') return { userID: null, isAdmin: true }
  const { workspaceID, userID } = ctx.actor
  // Locks the settings until the commit, so that nothing is created after a member has lost the right.
  const workspace = await lockSettings(ctx.db, workspaceID)
  const role = await workspaceRoleOf(ctx)
  if (role === 'admin') return { userID, isAdmin: true }
  const { kind } = await userOf(ctx, workspaceID, userID)
  if (role === null || kind !== 'person' || !workspace[setting])
    throw new AppError(
      'forbidden',
      `Only an admin of the workspace can do this, unless the setting ${setting} lets its members do it.`,
    )
  return { userID, isAdmin: false }
}

/** Throws if the caller grants an app scopes that the caller does not have. */
export function requireOwnScopes({ actor }: Context, scopes: readonly string[]): void {
  if (actor.kind === 'operator') return
  const held = withIncluded(actor.scopes)
  const missing = scopes.find((scope) => !isScope(scope) || !held.includes(scope))
  if (missing !== undefined) throw insufficientScope(missing, held)
}

/** Throws if a member creates an app that is listed, or that has more than the default scopes. */
export function requireMemberApp(
  { isAdmin }: Creator,
  { scopes, isListed }: { scopes: readonly string[]; isListed: boolean },
): void {
  if (isAdmin) return
  const allowed: readonly string[] = withIncluded(defaultScopes)
  if (scopes.some((scope) => !allowed.includes(scope)))
    throw new AppError(
      'forbidden',
      `Only an admin of the workspace can grant an app more than ${allowed.join(', ')}.`,
    )
  if (isListed) throw new AppError('forbidden', 'Only an admin of the workspace can list an app.')
}
