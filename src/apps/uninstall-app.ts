import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { notFound } from '../errors.ts'
import type { App, Installation } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { deleteUser } from '../workspaces/delete-user.ts'
import { accessApp } from './access.ts'
import { deleteAccessTokens } from './tokens/access-tokens.ts'

const inputSchema = z.object({ workspaceID: id, appID: id })

export async function uninstallApp(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<{ app: App; ended: Installation }> {
  requireOperator(ctx)
  const { workspaceID, appID } = parseInput(inputSchema, input)
  const app = await accessApp(ctx, appID)
  return inTransaction(ctx.db, async (tx) => {
    const [ended] = await tx.installation.updateManyAndReturn({
      where: { workspaceID, appID, uninstalledAt: null },
      data: { uninstalledAt: new Date() },
    })
    if (!ended) throw notFound('installation')
    await endInstallation(tx, ended)
    return { app, ended }
  })
}

/** Uninstalls an app from all workspaces, and returns the installations. Call it in a transaction. */
export async function uninstallEverywhere(tx: Database, { workspaceID, id }: App): Promise<Installation[]> {
  const ended = await tx.installation.updateManyAndReturn({
    where: { appWorkspaceID: workspaceID, appID: id, uninstalledAt: null },
    data: { uninstalledAt: new Date() },
  })
  for (const installation of ended) await endInstallation(tx, installation)
  return ended
}

async function endInstallation(tx: Database, { workspaceID, appID, userID }: Installation): Promise<void> {
  await deleteAccessTokens(tx, { workspaceID, appID })
  await deleteUser(tx, { workspaceID, id: userID })
}
