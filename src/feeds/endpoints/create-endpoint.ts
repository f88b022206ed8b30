import { z } from 'zod'
import { record } from '../../audit/record.ts'
import { cachedPerConfig } from '../../config.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { conflict, invalidField } from '../../errors.ts'
import { sequenceEvents } from '../../events/sequence-events.ts'
import type { EventEndpoint } from '../../generated/prisma/client.ts'
import { accessGroupIn } from '../../groups/access.ts'
import { id, parseInput } from '../../input.ts'
import { newID } from '../../platform/ids.ts'
import { entryOf } from './access.ts'
import { concernsThread, endpointFields } from './endpoint-input.ts'
import { listen } from './listen.ts'
import { accessOwner, lockOwner, type Owner, requireHearing } from './owner.ts'
import { encryptSecret, newEndpointSecret } from './secrets/endpoint-secrets.ts'

const maxEndpoints = 10

const inputFor = cachedPerConfig((config) =>
  z
    .object({ appID: id.nullish(), webhookID: id.nullish(), ...endpointFields(config) })
    .refine(({ appID, webhookID }) => (appID == null) !== (webhookID == null), {
      path: ['appID'],
      error: 'must be given if webhookID is not given, and cannot be used together with webhookID',
    }),
)

export type EndpointWithSecret = { eventEndpoint: EventEndpoint; secret: string }

/** Creates an endpoint that receives events from now on. Only this result contains the signing secret. */
export async function createEventEndpoint(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<EndpointWithSecret> {
  const isOfWebhook = input.appID == null && input.webhookID != null
  if (ctx.actor.kind === 'user') requireScope(ctx, isOfWebhook ? 'webhooks:write' : 'apps:write')
  const { appID, webhookID, groupID, types, ...fields } = parseInput(inputFor(ctx.config), input)
  const owner = await accessOwner(ctx, { appID, webhookID })
  await requireHearing(ctx, owner)
  requireTypesFor(owner, types ?? [])
  const group = groupID == null ? null : await accessGroupIn(ctx, owner.workspaceID, groupID)
  const [id, secret] = [newID('end'), newEndpointSecret()]
  const encrypted = encryptSecret(ctx.config, id, secret)
  await sequenceEvents(ctx.db)
  const eventEndpoint = await inTransaction(ctx.db, async (tx) => {
    await lockOwner(tx, owner)
    await requireFewEndpoints(tx, owner)
    const creatorID = ctx.actor.kind === 'user' ? ctx.actor.userID : null
    const rights = { ...owner, groupID: group?.id ?? null, creatorID }
    const created = await tx.eventEndpoint.create({
      data: { ...rights, ...fields, id, types: types ?? [], secret: encrypted },
    })
    await listen(tx, created)
    await record({ ...ctx, db: tx }, entryOf('createEventEndpoint', created))
    return created
  })
  return { eventEndpoint, secret }
}

/** Throws if the endpoint of a webhook selects a type of events that does not concern a thread. */
export function requireTypesFor({ appID }: Owner, types: Parameters<typeof concernsThread>[0][]): void {
  if (appID !== null || types.every(concernsThread)) return
  throw invalidField(
    'types',
    'must concern threads, because the endpoint of a webhook receives only events of threads that the webhook started',
  )
}

async function requireFewEndpoints(tx: Database, owner: Owner): Promise<void> {
  const count = await tx.eventEndpoint.count({ where: { ...owner, deletedAt: null } })
  if (count < maxEndpoints) return
  throw conflict(
    'endpoint_limit',
    `An app or a webhook can have at most ${maxEndpoints} event endpoints. Delete one first.`,
  )
}
