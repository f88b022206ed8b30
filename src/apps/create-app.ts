import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { conflictAt, notFound } from '../errors.ts'
import type { App, Installation } from '../generated/prisma/client.ts'
import { id, name, parseInput } from '../input.ts'
import { newID } from '../platform/ids.ts'
import { hashSecret, newSecret } from '../platform/secrets.ts'
import { install, scopesInput } from './install-app.ts'
import { redirectURIs, setRedirectURIs } from './redirect-uris.ts'

const inputSchema = z.object({
  workspaceID: id,
  name,
  redirectURIs,
  scopes: scopesInput,
  isPublic: z.boolean().nullish(),
  isListed: z.boolean().nullish(),
})

export type CreateAppResult = { app: App; installation: Installation; clientSecret: string | null }

/** Creates an app in a workspace and installs it there. Only this result contains the secret. A public app has none. */
export async function createApp(ctx: Context, input: z.input<typeof inputSchema>): Promise<CreateAppResult> {
  requireOperator(ctx)
  const { workspaceID, name, redirectURIs, scopes, isPublic, isListed } = parseInput(inputSchema, input)
  const clientSecret = isPublic ? null : newSecret()
  return inTransaction(ctx.db, async (tx) => {
    const workspace = await tx.workspace.findUnique({ where: { id: workspaceID } })
    if (!workspace) throw notFound('workspace')
    if (!workspace.customAppsEnabled) {
      throw conflictAt(
        'custom_apps_disabled',
        'workspaceID',
        'refers to a workspace with custom apps disabled; enable them first',
      )
    }
    const secretHash = clientSecret === null ? null : hashSecret(clientSecret)
    const data = { workspaceID, id: newID('app'), name, secretHash, isListed: isListed ?? false }
    const app = await tx.app.create({ data })
    await setRedirectURIs(tx, app, redirectURIs)
    return { app, installation: await install(tx, app, workspaceID, scopes), clientSecret }
  })
}
