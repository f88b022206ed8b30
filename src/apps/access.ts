import { installationColumns } from './rows.ts'
import { type Context, requireOperator } from '../context.ts'
import { notFound } from '../errors.ts'
import { type App, type Installation, Prisma } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import { rowLoader } from '../platform/loader.ts'
import { query, rowsBy } from '../platform/query.ts'

/** An app that is not deleted; apps are the operator's to see. Throws `forbidden`. */
export async function findApp(ctx: Context, id: string): Promise<App | null> {
  requireOperator(ctx)
  return prefixOf(id) === 'app' ? ctx.db.app.findFirst({ where: { id, deletedAt: null } }) : null
}

/** The same. Throws `not_found`. */
export async function accessApp(ctx: Context, id: string): Promise<App> {
  const app = await findApp(ctx, id)
  if (!app) throw notFound('app')
  return app
}

/** An app by its ID for any caller: for a user its own app, through which it sees itself (`viewer`). */
export async function findVisibleApp(ctx: Context, id: string): Promise<App | null> {
  if (ctx.actor.kind === 'operator') return findApp(ctx, id)
  return id === ctx.actor.appID ? ctx.db.app.findFirst({ where: { id, deletedAt: null } }) : null
}

/** The app's ID and that of the workspace that it is installed in. */
export function installationID({ appID, workspaceID }: Installation): string {
  return `${appID}-${workspaceID}`
}

/** Whether the ID has the form of an installation's. */
export function isInstallationID(id: string): boolean {
  const [app, workspace, ...others] = id.split('-').map(prefixOf)
  return app === 'app' && workspace === 'wks' && others.length === 0
}

/** An installation that has not ended; installations are the operator's to see. Throws `forbidden`. */
export async function findInstallation(ctx: Context, id: string): Promise<Installation | null> {
  requireOperator(ctx)
  const [appID, workspaceID] = id.split('-')
  if (appID === undefined || workspaceID === undefined) return null
  return ctx.db.installation.findUnique({
    where: { workspaceID_appID: { workspaceID, appID }, uninstalledAt: null },
  })
}

/** An installation by its ID for any caller: for a user its own. */
export async function findVisibleInstallation(ctx: Context, id: string): Promise<Installation | null> {
  if (ctx.actor.kind === 'operator') return findInstallation(ctx, id)
  const { workspaceID, userID } = ctx.actor
  const own = await installationOf(ctx, workspaceID, userID)
  return own && installationID(own) === id ? own : null
}

/** The installation that a user is of, unless it has ended. */
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

/** The app that an installation is of. */
export function appOf(ctx: Context, { appWorkspaceID, appID }: Installation): Promise<App> {
  return ctx.db.app.findUniqueOrThrow({
    where: { workspaceID_id: { workspaceID: appWorkspaceID, id: appID } },
  })
}
