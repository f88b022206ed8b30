import { type Actor, type Context, requireScope, type UserActor } from '../../context.ts'
import { rowLoader } from '../../database/loader.ts'
import { query, rowsBy } from '../../database/query.ts'
import { type Installation, Prisma } from '../../generated/prisma/client.ts'
import { prefixOf } from '../../platform/ids.ts'
import { installationColumns } from '../rows.ts'

export function installationID({ appID, workspaceID }: Pick<Installation, 'appID' | 'workspaceID'>): string {
  return `${appID}-${workspaceID}`
}

export function isInstallationID(id: string): boolean {
  const [app, workspace, ...others] = id.split('-').map(prefixOf)
  return app === 'app' && workspace === 'wks' && others.length === 0
}

/** Returns an item of a FROM clause with the alias `i`: the installations that an actor can see. */
export function installationsVisibleTo(actor: Actor): Prisma.Sql {
  return actor.kind === 'operator'
    ? Prisma.sql`(SELECT * FROM installations WHERE uninstalled_at IS NULL) AS i`
    : Prisma.sql`(SELECT * FROM visible_installations WHERE viewer_id = ${actor.userID}) AS i`
}

const loadVisible = rowLoader(async ({ db, actor }: Context<UserActor>, workspaceID, appIDs) => {
  const table = { table: 'visible_installations', alias: 'i', workspaceID, viewerID: actor.userID }
  const rows = await query<Installation>(
    db,
    Prisma.sql`SELECT ${installationColumns} FROM ${rowsBy('app_id', appIDs, table)}`,
  )
  return new Map(rows.map((row) => [row.appID, row]))
})

/** Finds an installation that is not uninstalled. A token can read its own installation without a scope. */
export async function findInstallation(ctx: Context, id: string): Promise<Installation | null> {
  const [appID, workspaceID] = id.split('-')
  if (appID === undefined || workspaceID === undefined) return null
  if (ctx.actor.kind === 'operator')
    return ctx.db.installation.findUnique({
      where: { workspaceID_appID: { workspaceID, appID }, uninstalledAt: null },
    })
  const own = await installationOf(ctx, ctx.actor.workspaceID, ctx.actor.userID)
  if (own && installationID(own) === id) return own
  requireScope(ctx, 'apps:read')
  if (workspaceID !== ctx.actor.workspaceID) return null
  return (await loadVisible(ctx, workspaceID, appID)) ?? null
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
