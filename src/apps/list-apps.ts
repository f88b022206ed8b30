import { type Context, requireOperator } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { pageLoader } from '../database/loader.ts'
import { byCreation, edgeByCreation, type PageArgs } from '../database/paging.ts'
import { type App, type Installation, Prisma, type Workspace } from '../generated/prisma/client.ts'
import { writeCursor } from '../platform/cursors.ts'
import { appColumns, installationColumns } from './rows.ts'

const names = { apps: 'apps', installations: 'installations' }

const loadApps = pageLoader<Context, App>((_ctx, workspaceID) => ({
  name: names.apps,
  columns: appColumns,
  from: Prisma.sql`apps a`,
  where: Prisma.sql`a.workspace_id = ${workspaceID} AND a.deleted_at IS NULL`,
  keys: byCreation('a'),
}))

const loadInstallations = pageLoader<Context, Installation>((_ctx, workspaceID) => ({
  name: names.installations,
  columns: installationColumns,
  from: Prisma.sql`installations i`,
  where: Prisma.sql`i.workspace_id = ${workspaceID} AND i.uninstalled_at IS NULL`,
  keys: [
    { column: Prisma.sql`i.installed_at`, type: 'timestamptz(3)', property: 'installedAt' },
    { column: Prisma.sql`i.app_id`, type: 'text', property: 'appID' },
  ],
}))

/** Returns the apps that are managed in a workspace, wherever they are installed. */
export async function listApps(ctx: Context, { id }: Workspace, args: PageArgs): Promise<Connection<App>> {
  requireOperator(ctx)
  return loadApps(ctx, { workspaceID: id, id }, args)
}

export async function listInstallations(
  ctx: Context,
  { id }: Workspace,
  args: PageArgs,
): Promise<Connection<Installation>> {
  requireOperator(ctx)
  return loadInstallations(ctx, { workspaceID: id, id }, args)
}

export function appEdge(app: App): Edge<App> {
  return edgeByCreation(names.apps, app)
}

export function installationEdge(node: Installation): Edge<Installation> {
  return { cursor: writeCursor(names.installations, [node.installedAt, node.appID]), node }
}
