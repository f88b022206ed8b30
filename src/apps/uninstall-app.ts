import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { notFound } from '../errors.ts'
import type { App, Installation } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { deleteUser } from '../workspaces/users/delete-user.ts'
import { accessApp } from './access.ts'
import { deleteAccessTokens } from './tokens/access-tokens.ts'

const inputSchema = z.object({ workspaceID: id, appID: id })

export async function uninstallApp(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<{ app: App; uninstalled: Installation }> {
  requireOperator(ctx)
  const { workspaceID, appID } = parseInput(inputSchema, input)
  const app = await accessApp(ctx, appID)
  return inTransaction(ctx.db, async (tx) => {
    const [uninstalled] = await tx.installation.updateManyAndReturn({
      where: { workspaceID, appID, uninstalledAt: null },
      data: { uninstalledAt: new Date() },
    })
    if (!uninstalled) throw notFound('installation')
    await cleanUpInstallation(tx, uninstalled)
    return { app, uninstalled }
  })
}

/** Uninstalls an app from all workspaces, and returns the installations. Call it in a transaction. */
export async function uninstallEverywhere(tx: Database, { workspaceID, id }: App): Promise<Installation[]> {
  const uninstalled = await tx.installation.updateManyAndReturn({
    where: { appWorkspaceID: workspaceID, appID: id, uninstalledAt: null },
    data: { uninstalledAt: new Date() },
  })
  for (const installation of uninstalled) await cleanUpInstallation(tx, installation)
  return uninstalled
}

async function cleanUpInstallation(
  tx: Database,
  { workspaceID, appID, userID }: Installation,
): Promise<void> {
  await deleteAccessTokens(tx, { workspaceID, appID })
  await deleteUser(tx, { workspaceID, id: userID })
}
