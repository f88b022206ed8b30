import { z } from 'zod'
import { audited, record, setFields } from '../audit/record.ts'
import { type Context, requireScope } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { query } from '../database/query.ts'
import { AppError, invalidField } from '../errors.ts'
import { avatarFileID, requireAvatarFile } from '../files/avatar-file.ts'
import { type App, type Installation, Prisma } from '../generated/prisma/client.ts'
import { workspaceRoleOf } from '../groups/workspace-admins.ts'
import { description, id, name, parseInput } from '../input.ts'
import { hashSecret, newSecret } from '../platform/secrets/secrets.ts'
import { accessApp } from './access.ts'
import { shareAvatarEverywhere } from './avatars.ts'
import { uninstallEverywhere } from './installations/uninstall-app.ts'
import { redirectURIs, setRedirectURIs } from './redirect-uris.ts'
import { requireOwnScopes } from './require-creator.ts'
import { appColumns } from './rows.ts'
import { cacheClient } from './tokens/authenticate-client.ts'

const updateInput = z.object({
  appID: id,
  name: name.nullish(),
  description: description.nullish(),
  redirectURIs: redirectURIs.nullish(),
  isListed: z.boolean().nullish(),
  avatarFileID,
})
const appInput = z.object({ appID: id })

export async function updateApp(ctx: Context, input: z.input<typeof updateInput>): Promise<App> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const { appID, name, description, redirectURIs, isListed, avatarFileID } = parseInput(updateInput, input)
  const app = await accessApp(ctx, appID, 'apps:write')
  if (isListed && !app.isListed && (await workspaceRoleOf(ctx)) === 'member')
    throw new AppError('forbidden', 'Only an admin of the workspace can list an app.')
  return inTransaction(ctx.db, async (tx) => {
    if (redirectURIs) await setRedirectURIs(tx, app, redirectURIs)
    await requireAvatarFile({ ...ctx, db: tx }, avatarFileID)
    const updated = await tx.app.update({
      where: keyOf(app),
      data: {
        ...(name != null && { name }),
        ...(description !== undefined && { description }),
        ...(isListed != null && { isListed }),
        ...(avatarFileID !== undefined && { avatarFileID }),
      },
    })
    if (avatarFileID !== undefined) await shareAvatarEverywhere(tx, updated)
    const details = setFields({ name, description, redirectURIs, isListed, avatarFileID })
    const { workspaceID } = app
    await record({ ...ctx, db: tx }, { action: 'updateApp', workspaceID, object: updated, details })
    return updated
  })
}

/** Gives an app a new secret. The old secret becomes invalid immediately. */
export async function rotateClientSecret(
  ctx: Context,
  input: z.input<typeof appInput>,
): Promise<{ app: App; clientSecret: string }> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const app = await accessApp(ctx, parseInput(appInput, input).appID, 'apps:write')
  if (app.secretHash === null) throw invalidField('appID', 'is a public app, which has no secret')
  const installations = await ctx.db.installation.findMany({
    where: { appWorkspaceID: app.workspaceID, appID: app.id, uninstalledAt: null },
    select: { scopes: true },
  })
  // The caller needs the scopes of all installations, because the secret gives access to tokens with these scopes.
  requireOwnScopes(
    ctx,
    installations.flatMap(({ scopes }) => scopes),
  )
  const clientSecret = newSecret()
  const rotated = await audited(
    ctx,
    ({ db }) => db.app.update({ where: keyOf(app), data: { secretHash: hashSecret(clientSecret) } }),
    () => ({ action: 'rotateClientSecret', workspaceID: app.workspaceID, object: app }),
  )
  cacheClient(rotated)
  return { app, clientSecret }
}

/** Deletes an app and uninstalls it everywhere. Its messages and its name stay. */
export async function deleteApp(
  ctx: Context,
  input: z.input<typeof appInput>,
): Promise<{ app: App; uninstalled: Installation[] }> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const app = await accessApp(ctx, parseInput(appInput, input).appID, 'apps:write')
  return inTransaction(ctx.db, async (tx) => {
    const [deleted = app] = await query<App>(
      tx,
      Prisma.sql`
      UPDATE apps a SET deleted_at = clock_timestamp(), avatar_file_id = NULL
      WHERE a.workspace_id = ${app.workspaceID} AND a.id = ${app.id}
      RETURNING ${appColumns}`,
    )
    const inTx = { ...ctx, db: tx }
    await record(inTx, { action: 'deleteApp', workspaceID: app.workspaceID, object: app })
    return { app: deleted, uninstalled: await uninstallEverywhere(inTx, app) }
  })
}

function keyOf({ workspaceID, id }: App) {
  return { workspaceID_id: { workspaceID, id } }
}
