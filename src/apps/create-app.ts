import { z } from 'zod'
import { record } from '../audit/record.ts'
import { type Context, requireScope } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { conflictAt } from '../errors.ts'
import type { App, Installation } from '../generated/prisma/client.ts'
import { workspaceIDFor } from '../groups/access.ts'
import { description, id, name, parseInput } from '../input.ts'
import { newID } from '../platform/ids.ts'
import { hashSecret, newSecret } from '../platform/secrets/secrets.ts'
import { defaultScopes } from '../scopes.ts'
import { lockSettings } from '../workspaces/access.ts'
import { install, scopesInput } from './installations/install-app.ts'
import { redirectURIs, setRedirectURIs } from './redirect-uris.ts'
import { requireCreator, requireMemberApp, requireOwnScopes } from './require-creator.ts'

const inputSchema = z.object({
  workspaceID: id,
  name,
  description: description.nullish(),
  redirectURIs,
  scopes: scopesInput,
  isPublic: z.boolean().nullish(),
  isListed: z.boolean().nullish(),
})

export type CreateAppResult = { app: App; installation: Installation; clientSecret: string | null }

/** Creates and installs an app. Only this result contains the secret, which is null for a public app. */
export async function createApp(ctx: Context, input: z.input<typeof inputSchema>): Promise<CreateAppResult> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'apps:write')
  const { name, description = null, redirectURIs, isPublic, ...rest } = parseInput(inputSchema, input)
  const { scopes, isListed } = { scopes: rest.scopes ?? defaultScopes, isListed: rest.isListed ?? false }
  return inTransaction(ctx.db, async (tx) => {
    const creator = await requireCreator({ ...ctx, db: tx }, 'membersMayCreateApps')
    const workspaceID = workspaceIDFor(ctx, rest.workspaceID)
    requireMemberApp(creator, { scopes, isListed })
    requireOwnScopes(ctx, scopes)
    const { customAppsEnabled } = await lockSettings(tx, workspaceID)
    if (!customAppsEnabled) {
      throw conflictAt(
        'custom_apps_disabled',
        'workspaceID',
        'refers to a workspace with custom apps disabled; enable them first',
      )
    }
    const clientSecret = isPublic ? null : newSecret()
    const secretHash = clientSecret === null ? null : hashSecret(clientSecret)
    const creatorID = creator.userID
    const data = { workspaceID, id: newID('app'), name, description, secretHash, isListed, creatorID }
    const app = await tx.app.create({ data })
    await setRedirectURIs(tx, app, redirectURIs)
    await record({ ...ctx, db: tx }, { action: 'createApp', workspaceID, object: app, details: { scopes } })
    return { app, installation: await install(tx, app, workspaceID, [...scopes]), clientSecret }
  })
}
