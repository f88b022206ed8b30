import { type Context, requireScope } from '../context.ts'
import type { Connection, Edge } from '../database/connection.ts'
import { pageLoader } from '../database/loader.ts'
import { byCreation, edgeByCreation, type PageArgs } from '../database/paging.ts'
import { type App, type Installation, Prisma, type Workspace } from '../generated/prisma/client.ts'
import { writeCursor } from '../platform/cursors.ts'
import { appsManagedBy } from './access.ts'
import { installationsVisibleTo } from './installations/installation-access.ts'
import { appColumns, installationColumns } from './rows.ts'

const names = { apps: 'apps', installations: 'installations' }

const loadApps = pageLoader<Context, App>((ctx, workspaceID) => ({
  name: names.apps,
  columns: appColumns,
  from: appsManagedBy(ctx.actor),
  where: Prisma.sql`a.workspace_id = ${workspaceID}`,
  keys: byCreation('a'),
}))

const loadInstallations = pageLoader<Context, Installation>((ctx, workspaceID) => ({
  name: names.installations,
  columns: installationColumns,
  from: installationsVisibleTo(ctx.actor),
  where: Prisma.sql`i.workspace_id = ${workspaceID}`,
  keys: [
    { column: Prisma.sql`i.installed_at`, type: 'timestamptz(3)', property: 'installedAt' },
    { column: Prisma.sql`i.app_id`, type: 'text', property: 'appID' },
  ],
}))

/** Returns the apps that belong to a workspace and that the caller manages, wherever they are installed. */
export async function listApps(ctx: Context, { id }: Workspace, args: PageArgs): Promise<Connection<App>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:read')
  return loadApps(ctx, { workspaceID: id, id }, args)
}

export async function listInstallations(
  ctx: Context,
  { id }: Workspace,
  args: PageArgs,
): Promise<Connection<Installation>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:read')
  return loadInstallations(ctx, { workspaceID: id, id }, args)
}

export function appEdge(app: App): Edge<App> {
  return edgeByCreation(names.apps, app)
}

export function installationEdge(node: Installation): Edge<Installation> {
  return { cursor: writeCursor(names.installations, [node.installedAt, node.appID]), node }
}
