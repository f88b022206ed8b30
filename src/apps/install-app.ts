import { z } from 'zod'
import { type Context, requireOperator, scopes } from '../context.ts'
import { notFound } from '../errors.ts'
import { type App, type Installation, Prisma } from '../generated/prisma/client.ts'
import { id, parseInput } from '../input.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import { query } from '../platform/query.ts'
import { addUser } from '../workspaces/add-user.ts'
import { returnUser } from '../workspaces/remove-user.ts'
import { accessApp } from './access.ts'

/** Scopes to hold, each once; all of them unless told. */
export const scopesInput = z
  .array(
    z
      .string()
      .refine(
        (scope) => (scopes as readonly string[]).includes(scope),
        `must be one of ${scopes.join(', ')}`,
      ),
  )
  .nullish()
  .transform((given) => [...new Set(given ?? scopes)])

const input = z.object({ workspaceID: id, appID: id, scopes: scopesInput })

/** Installs an app in a workspace, or gives its installation other scopes. Throws `invalid_input`, `forbidden`, `not_found`. */
export async function installApp(ctx: Context, given: z.input<typeof input>): Promise<Installation> {
  requireOperator(ctx)
  const { workspaceID, appID, scopes } = parseInput(input, given)
  const app = await accessApp(ctx, appID)
  return inTransaction(ctx.db, (tx) => install(tx, app, workspaceID, scopes))
}

/** The same within a transaction. An app that was installed before gets back the user it had. */
export async function install(
  tx: Database,
  app: App,
  workspaceID: string,
  scopes: string[],
): Promise<Installation> {
  // One at a time for an app, so that two at once do not make two users.
  const locked = await query<object>(
    tx,
    Prisma.sql`
    SELECT id FROM apps WHERE workspace_id = ${app.workspaceID} AND id = ${app.id} AND deleted_at IS NULL FOR UPDATE`,
  )
  if (locked.length === 0) throw notFound('app')
  const key = { workspaceID_appID: { workspaceID, appID: app.id } }
  const before = await tx.installation.findUnique({ where: key })
  if (!before) {
    const user = await addUser(tx, { workspaceID, kind: 'app', name: app.name })
    return tx.installation.create({
      data: { workspaceID, appID: app.id, appWorkspaceID: app.workspaceID, userID: user.id, scopes },
    })
  }
  if (!before.uninstalledAt) return tx.installation.update({ where: key, data: { scopes } })
  await returnUser(tx, { workspaceID, id: before.userID })
  return tx.installation.update({
    where: key,
    data: { scopes, uninstalledAt: null, installedAt: new Date() },
  })
}
