import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { conflictAt, notFound } from '../../errors.ts'
import { noteEvents } from '../../events/note-events.ts'
import { type App, type Installation, Prisma } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireOtherWorkspaceAdmin, requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { deleteUser } from '../../workspaces/users/delete-user.ts'
import { accessAppFor } from '../access.ts'
import { installationColumns } from '../rows.ts'
import { deleteAccessTokens } from '../tokens/access-tokens.ts'

const inputSchema = z.object({ workspaceID: id, appID: id })

export async function uninstallApp(
  ctx: Context,
  input: z.input<typeof inputSchema>,
): Promise<{ app: App; uninstalled: Installation }> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const { appID, ...rest } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const workspaceID = workspaceIDFor(ctx, rest.workspaceID)
  const app = await accessAppFor(ctx, workspaceID, appID)
  return inTransaction(ctx.db, async (tx) => {
    const [uninstalled] = await markUninstalled(
      tx,
      Prisma.sql`i.workspace_id = ${workspaceID} AND i.app_id = ${appID}`,
    )
    if (!uninstalled) throw notFound('installation')
    const inTx = { ...ctx, db: tx }
    await cleanUpInstallation(inTx, uninstalled)
    await record(inTx, { action: 'uninstallApp', workspaceID, object: app })
    return { app, uninstalled }
  })
}

/** Uninstalls an app from all workspaces, and returns the installations. Call it in a transaction. */
export async function uninstallEverywhere(ctx: Context, { workspaceID, id }: App): Promise<Installation[]> {
  const uninstalled = await markUninstalled(
    ctx.db,
    Prisma.sql`i.app_workspace_id = ${workspaceID} AND i.app_id = ${id}`,
  )
  // Two calls that delete apps lock the groups of several workspaces in this order, so that they do not deadlock.
  const inOrder = uninstalled.toSorted((one, other) => (one.workspaceID < other.workspaceID ? -1 : 1))
  // In another workspace, the app user may be the only admin. This must not prevent the deletion.
  for (const installation of inOrder)
    await cleanUpInstallation(ctx, installation, {
      needsOtherAdmin: installation.workspaceID === workspaceID,
    })
  return uninstalled
}

function markUninstalled(tx: Database, condition: Prisma.Sql): Promise<Installation[]> {
  return query<Installation>(
    tx,
    Prisma.sql`
    UPDATE installations i SET uninstalled_at = clock_timestamp() WHERE ${condition} AND i.uninstalled_at IS NULL
    RETURNING ${installationColumns}`,
  )
}

async function cleanUpInstallation(
  ctx: Context,
  { workspaceID, appID, userID }: Installation,
  { needsOtherAdmin } = { needsOtherAdmin: true },
): Promise<void> {
  const user = { workspaceID, id: userID }
  await noteEvents(ctx.db, workspaceID, [{ type: 'app.uninstalled', objectID: appID, details: { userID } }])
  await deleteAccessTokens(ctx.db, { workspaceID, appID })
  await deleteUser(
    ctx.db,
    user,
    needsOtherAdmin && ctx.actor.kind !== 'operator'
      ? (tx) => requireOtherWorkspaceAdmin(tx, user, onlyAdmin)
      : undefined,
  )
}

function onlyAdmin() {
  return conflictAt(
    'only_admin',
    'appID',
    'is an app whose app user is the only admin of the workspace; make another member an admin first',
  )
}
