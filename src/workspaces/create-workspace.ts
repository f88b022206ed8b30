import { z } from 'zod'
import { record } from '../audit/record.ts'
import { type Context, requireOperator } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import type { Workspace } from '../generated/prisma/client.ts'
import { createGeneralGroup } from '../groups/general-group.ts'
import { name, parseInput, text } from '../input.ts'
import { newID } from '../platform/ids.ts'
import { refuseWebURL } from '../platform/web-url.ts'

export const emailDomain = text(253).refine(
  (value) => /^[^\s@.]+(\.[^\s@.]+)+$/.test(value),
  'must be a domain such as example.com',
)
export const avatarURL = text(2000).superRefine(refuseWebURL)

const inputSchema = z.object({
  name,
  emailDomain: emailDomain.nullish(),
  avatarURL: avatarURL.nullish(),
  customAppsEnabled: z.boolean().nullish(),
})

export async function createWorkspace(ctx: Context, input: z.input<typeof inputSchema>): Promise<Workspace> {
  requireOperator(ctx)
  const { name, emailDomain = null, avatarURL = null, customAppsEnabled } = parseInput(inputSchema, input)
  const id = newID('wks')
  return inTransaction(ctx.db, async (tx) => {
    const workspace = await tx.workspace.create({
      data: { id, name, emailDomain, avatarURL, customAppsEnabled: customAppsEnabled ?? true },
    })
    await createGeneralGroup(tx, id)
    await record({ ...ctx, db: tx }, { action: 'createWorkspace', workspaceID: id, object: workspace })
    return workspace
  })
}
