import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { invalidField } from '../errors.ts'
import type { App, Installation } from '../generated/prisma/client.ts'
import { id, name, parseInput } from '../input.ts'
import { hashSecret, newSecret } from '../platform/secrets.ts'
import { accessApp } from './access.ts'
import { redirectURIs, setRedirectURIs } from './redirect-uris.ts'
import { cacheClient } from './tokens/authenticate-client.ts'
import { uninstallEverywhere } from './uninstall-app.ts'

const updateInput = z.object({
  appID: id,
  name: name.nullish(),
  redirectURIs: redirectURIs.nullish(),
  isListed: z.boolean().nullish(),
})
const appInput = z.object({ appID: id })

export async function updateApp(ctx: Context, input: z.input<typeof updateInput>): Promise<App> {
  requireOperator(ctx)
  const { appID, name, redirectURIs, isListed } = parseInput(updateInput, input)
  const app = await accessApp(ctx, appID)
  return inTransaction(ctx.db, async (tx) => {
    if (redirectURIs) await setRedirectURIs(tx, app, redirectURIs)
    return tx.app.update({
      where: keyOf(app),
      data: { ...(name != null && { name }), ...(isListed != null && { isListed }) },
    })
  })
}

/** Gives an app a new secret. The old secret becomes invalid immediately. */
export async function rotateClientSecret(
  ctx: Context,
  input: z.input<typeof appInput>,
): Promise<{ app: App; clientSecret: string }> {
  requireOperator(ctx)
  const app = await accessApp(ctx, parseInput(appInput, input).appID)
  if (app.secretHash === null) throw invalidField('appID', 'is a public app, which has no secret')
  const clientSecret = newSecret()
  cacheClient(await ctx.db.app.update({ where: keyOf(app), data: { secretHash: hashSecret(clientSecret) } }))
  return { app, clientSecret }
}

/** Deletes an app and uninstalls it everywhere. Its messages and its name stay. */
export async function deleteApp(
  ctx: Context,
  input: z.input<typeof appInput>,
): Promise<{ app: App; uninstalled: Installation[] }> {
  requireOperator(ctx)
  const app = await accessApp(ctx, parseInput(appInput, input).appID)
  return inTransaction(ctx.db, async (tx) => {
    const deleted = await tx.app.update({ where: keyOf(app), data: { deletedAt: new Date() } })
    return { app: deleted, uninstalled: await uninstallEverywhere(tx, app) }
  })
}

function keyOf({ workspaceID, id }: App) {
  return { workspaceID_id: { workspaceID, id } }
}
