import { type Actor, type Context, requireScope, type UserActor } from '../context.ts'
import { selectLoader } from '../database/loader.ts'
import { rowsBy } from '../database/query.ts'
import { notFound } from '../errors.ts'
import { type App, type Installation, Prisma, type User } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { userOf } from '../users/access.ts'
import { appColumns } from './rows.ts'

/** Returns the FROM item `a`: the apps that an actor manages. Members manage only the apps that they created. */
export function appsManagedBy(actor: Actor): Prisma.Sql {
  return actor.kind === 'operator'
    ? Prisma.sql`(SELECT * FROM apps WHERE deleted_at IS NULL) AS a`
    : Prisma.sql`(SELECT * FROM managed_apps WHERE viewer_id = ${actor.userID}) AS a`
}

const loadManagedApp = selectLoader<Context<UserActor>, App>(({ actor }, workspaceID, ids) => {
  const rows = rowsBy('id', ids, { table: 'managed_apps', alias: 'a', workspaceID, viewerID: actor.userID })
  return Prisma.sql`SELECT ${appColumns} FROM ${rows}`
})

export async function findApp(ctx: Context, id: string, scope: Scope = 'apps:read'): Promise<App | null> {
  if (ctx.actor.kind === 'operator') return findAnyApp(ctx, id)
  requireScope(ctx, scope)
  if (prefixOf(id) !== 'app') return null
  return (await loadManagedApp(ctx, ctx.actor.workspaceID, id)) ?? null
}

export async function accessApp(ctx: Context, id: string, scope?: Scope): Promise<App> {
  const app = await findApp(ctx, id, scope)
  if (!app) throw notFound('app')
  return app
}

/** Finds an app that the caller manages. A token can read its own app without a scope. */
export async function findAppForAnyActor(ctx: Context, id: string): Promise<App | null> {
  return ctx.actor.kind === 'user' && id === ctx.actor.appID ? findAnyApp(ctx, id) : findApp(ctx, id)
}

/** Returns an app to install or uninstall in a workspace. An app of another workspace must be listed or installed. */
export async function accessAppFor(ctx: Context, workspaceID: string, id: string): Promise<App> {
  const app = await findAnyApp(ctx, id)
  const isAllowed = app && (ctx.actor.kind === 'operator' || (await isInstallable(ctx, app, workspaceID)))
  if (!isAllowed) throw notFound('app')
  return app
}

async function isInstallable({ db }: Context, app: App, workspaceID: string): Promise<boolean> {
  if (app.workspaceID === workspaceID || app.isListed) return true
  const where = { workspaceID, appID: app.id, uninstalledAt: null }
  return (await db.installation.count({ where })) > 0
}

async function findAnyApp({ db }: Context, id: string): Promise<App | null> {
  return prefixOf(id) === 'app' ? db.app.findFirst({ where: { id, deletedAt: null } }) : null
}

export function appOf(ctx: Context, { appWorkspaceID, appID }: Installation): Promise<App> {
  return ctx.db.app.findUniqueOrThrow({
    where: { workspaceID_id: { workspaceID: appWorkspaceID, id: appID } },
  })
}

/** Returns the user who created an app or webhook. Other workspaces cannot see the user. */
export async function creatorOf(
  ctx: Context,
  { workspaceID, creatorID }: { workspaceID: string; creatorID: string | null },
): Promise<User | null> {
  const isHidden = ctx.actor.kind === 'user' && ctx.actor.workspaceID !== workspaceID
  return creatorID === null || isHidden ? null : userOf(ctx, workspaceID, creatorID)
}
