import { type Context, requireOperator } from '../context.ts'
import { rowLoader } from '../database/loader.ts'
import { query, rowsBy } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { type App, type Installation, Prisma } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import { installationColumns } from './rows.ts'

/** Finds an app that is not deleted. Only the operator can see all apps. */
export async function findApp(ctx: Context, id: string): Promise<App | null> {
  requireOperator(ctx)
  return prefixOf(id) === 'app' ? ctx.db.app.findFirst({ where: { id, deletedAt: null } }) : null
}

export async function accessApp(ctx: Context, id: string): Promise<App> {
  const app = await findApp(ctx, id)
  if (!app) throw notFound('app')
  return app
}

/** Finds an app for any caller. An app user sees only its own app. */
export async function findAppForAnyActor(ctx: Context, id: string): Promise<App | null> {
  if (ctx.actor.kind === 'operator') return findApp(ctx, id)
  return id === ctx.actor.appID ? ctx.db.app.findFirst({ where: { id, deletedAt: null } }) : null
}

export function installationID({ appID, workspaceID }: Installation): string {
  return `${appID}-${workspaceID}`
}

export function isInstallationID(id: string): boolean {
  const [app, workspace, ...others] = id.split('-').map(prefixOf)
  return app === 'app' && workspace === 'wks' && others.length === 0
}

/** Finds an installation that is not uninstalled. Only the operator can see all installations. */
export async function findInstallation(ctx: Context, id: string): Promise<Installation | null> {
  requireOperator(ctx)
  const [appID, workspaceID] = id.split('-')
  if (appID === undefined || workspaceID === undefined) return null
  return ctx.db.installation.findUnique({
    where: { workspaceID_appID: { workspaceID, appID }, uninstalledAt: null },
  })
}

/** Finds an installation for any caller. An app user sees only its own. */
export async function findInstallationForAnyActor(ctx: Context, id: string): Promise<Installation | null> {
  if (ctx.actor.kind === 'operator') return findInstallation(ctx, id)
  const { workspaceID, userID } = ctx.actor
  const own = await installationOf(ctx, workspaceID, userID)
  return own && installationID(own) === id ? own : null
}

/** Finds the installation that has this app user, unless it is uninstalled. */
export const installationOf = rowLoader(async ({ db }: Context, workspaceID, userIDs) => {
  const rows = await query<Installation>(
    db,
    Prisma.sql`
    SELECT ${installationColumns}
    FROM ${rowsBy('user_id', userIDs, { table: 'installations', alias: 'i', workspaceID })}
    WHERE i.uninstalled_at IS NULL`,
  )
  return new Map(rows.map((row) => [row.userID, row]))
})

export function appOf(ctx: Context, { appWorkspaceID, appID }: Installation): Promise<App> {
  return ctx.db.app.findUniqueOrThrow({
    where: { workspaceID_id: { workspaceID: appWorkspaceID, id: appID } },
  })
}
