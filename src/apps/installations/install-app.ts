import { z } from 'zod'
import { audited } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import { type App, type Installation, Prisma } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput, scope } from '../../input.ts'
import { defaultScopes } from '../../scopes.ts'
import { createUser } from '../../workspaces/users/create-user.ts'
import { restoreUser } from '../../workspaces/users/restore-user.ts'
import { accessAppFor } from '../access.ts'
import { shareAvatar } from '../avatars.ts'
import { requireOwnScopes } from '../require-creator.ts'
import { installationColumns } from '../rows.ts'

export const scopesInput = z
  .array(scope)
  .nullish()
  .transform((names) => names && [...new Set(names)])

const inputSchema = z.object({ workspaceID: id, appID: id, scopes: scopesInput })

export async function installApp(ctx: Context, input: z.input<typeof inputSchema>): Promise<Installation> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const { appID, scopes, ...rest } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const workspaceID = workspaceIDFor(ctx, rest.workspaceID)
  const app = await accessAppFor(ctx, workspaceID, appID)
  requireOwnScopes(ctx, scopes ?? defaultScopes)
  return audited(
    ctx,
    ({ db }) => install(db, app, workspaceID, scopes),
    ({ scopes }) => ({ action: 'installApp', workspaceID, object: app, details: { scopes } }),
  )
}

/**
 * Installs an app, or changes its scopes. An app that was installed before gets its former user back. An active
 * installation keeps its scopes if none are requested. Otherwise the requested scopes replace its scopes, or are added
 * to its scopes if `keepsScopes` is true.
 */
export async function install(
  tx: Database,
  app: App,
  workspaceID: string,
  requested: string[] | null | undefined,
  { keepsScopes = false } = {},
): Promise<Installation> {
  // Calls that install the same app wait for each other, so that two calls do not create two users.
  const [locked] = await query<Pick<App, 'workspaceID' | 'avatarFileID'>>(
    tx,
    Prisma.sql`
    SELECT workspace_id AS "workspaceID", avatar_file_id AS "avatarFileID" FROM apps
    WHERE workspace_id = ${app.workspaceID} AND id = ${app.id} AND deleted_at IS NULL FOR UPDATE`,
  )
  if (!locked) throw notFound('app')
  const key = { workspaceID_appID: { workspaceID, appID: app.id } }
  const before = await tx.installation.findUnique({ where: key })
  if (before && !before.uninstalledAt) {
    const scopes = [...new Set([...(keepsScopes || !requested ? before.scopes : []), ...(requested ?? [])])]
    return tx.installation.update({ where: key, data: { scopes } })
  }
  const scopes = requested ?? [...defaultScopes]
  if (!before) {
    const user = await createUser(tx, { workspaceID, kind: 'app', name: app.name })
    if (locked.avatarFileID !== null) await shareAvatar(tx, locked, { workspaceID, userID: user.id })
    await noteEvents(tx, workspaceID, [{ type: 'app.installed', objectID: app.id }])
    return tx.installation.create({
      data: { workspaceID, appID: app.id, appWorkspaceID: app.workspaceID, userID: user.id, scopes },
    })
  }
  await restoreUser(tx, { workspaceID, id: before.userID })
  if (locked.avatarFileID !== null) await shareAvatar(tx, locked, before)
  await noteEvents(tx, workspaceID, [{ type: 'app.installed', objectID: app.id }])
  const [installed] = await query<Installation>(
    tx,
    Prisma.sql`
    UPDATE installations i SET scopes = ${scopes}::text[], uninstalled_at = NULL, installed_at = clock_timestamp()
    WHERE i.workspace_id = ${workspaceID} AND i.app_id = ${app.id} RETURNING ${installationColumns}`,
  )
  if (!installed) throw new Error('The installation is missing')
  return installed
}
