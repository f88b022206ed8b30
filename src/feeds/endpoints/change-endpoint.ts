import { z } from 'zod'
import { audited, record, setFields } from '../../audit/record.ts'
import { cachedPerConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { execute, query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { sequenceEvents } from '../../events/sequence-events.ts'
import { type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'
import { accessGroupIn } from '../../groups/access.ts'
import { id, parseInput } from '../../input.ts'
import { databaseTime } from '../database-time.ts'
import { accessEndpoint, type EndpointInput, endpointToChange, entryOf } from './access.ts'
import { requireTypesFor } from './create-endpoint.ts'
import { endpointFields } from './endpoint-input.ts'
import { listen } from './listen.ts'
import { requireHearing } from './owner.ts'
import { eventEndpointColumns } from './rows.ts'

const updateInputFor = cachedPerConfig((config) => {
  const { url, ...fields } = endpointFields(config)
  return z.object({ endpointID: id, url: url.nullish(), ...fields })
})

/** Changes an endpoint. New types and a new group apply only to events that have no delivery yet. */
export async function updateEventEndpoint(
  ctx: Context,
  input: z.input<ReturnType<typeof updateInputFor>>,
): Promise<EventEndpoint> {
  const { endpointID, url, types, groupID } = parseInput(updateInputFor(ctx.config), input)
  const endpoint = await accessEndpoint(ctx, endpointID, 'write')
  await requireHearing(ctx, endpoint)
  requireTypesFor(endpoint, types ?? [])
  const group = groupID == null ? null : await accessGroupIn(ctx, endpoint.workspaceID, groupID)
  await sequenceEvents(ctx.db)
  return inTransaction(ctx.db, async (tx) => {
    const updated = await tx.eventEndpoint.update({
      where: keyOf(endpoint),
      data: {
        ...(url != null && { url }),
        ...(types !== undefined && { types: types ?? [] }),
        ...(groupID !== undefined && { groupID: group?.id ?? null }),
      },
    })
    if (groupID !== undefined) await listen(tx, updated)
    const details = setFields({ url, types, groupID })
    await record({ ...ctx, db: tx }, entryOf('updateEventEndpoint', updated, details))
    return updated
  })
}

/** Deletes an endpoint. The sweep deletes its deliveries. */
export async function deleteEventEndpoint(ctx: Context, input: EndpointInput): Promise<EventEndpoint> {
  const { workspaceID, id } = await endpointToChange(ctx, input)
  return audited(
    ctx,
    async ({ db }) => {
      const [deleted] = await query<EventEndpoint>(
        db,
        Prisma.sql`
    UPDATE event_endpoints e SET deleted_at = now() WHERE workspace_id = ${workspaceID} AND id = ${id}
    RETURNING ${eventEndpointColumns}`,
      )
      if (!deleted) throw notFound('event endpoint')
      return deleted
    },
    (deleted) => entryOf('deleteEventEndpoint', deleted),
  )
}

/** Enables a paused or disabled endpoint, which then continues where it stopped. */
export async function enableEventEndpoint(ctx: Context, input: EndpointInput): Promise<EventEndpoint> {
  const { workspaceID, id, state } = await endpointToChange(ctx, input)
  return inTransaction(ctx.db, async (tx) => {
    const key = keyOf({ workspaceID, id })
    await record({ ...ctx, db: tx }, entryOf('enableEventEndpoint', { workspaceID, id }))
    // Keeps `failingSince`. Otherwise a failing endpoint would never be paused if its owner enabled it again and again.
    if (state === 'active') return tx.eventEndpoint.findUniqueOrThrow({ where: key })
    const enabled = await tx.eventEndpoint.update({
      where: key,
      data: { state: 'active', failingSince: null },
    })
    await tx.eventListener.updateMany({
      where: { workspaceID, endpointID: id },
      data: { isResuming: true },
    })
    await hasten(tx, { workspaceID, id })
    return enabled
  })
}

/** Disables an endpoint. Its pending deliveries and its place in the log stay. */
export async function disableEventEndpoint(ctx: Context, input: EndpointInput): Promise<EventEndpoint> {
  const endpoint = await endpointToChange(ctx, input)
  return audited(
    ctx,
    ({ db }) => db.eventEndpoint.update({ where: keyOf(endpoint), data: { state: 'disabled' } }),
    (disabled) => entryOf('disableEventEndpoint', disabled),
  )
}

// Attempts all pending deliveries now, and begins their schedules again. Otherwise a failed delivery could wait for up to
// 12 hours, and the later events of its thread would wait with it.
async function hasten(tx: Database, { workspaceID, id }: Pick<EventEndpoint, 'workspaceID' | 'id'>) {
  await execute(
    tx,
    Prisma.sql`
    UPDATE event_queues q SET next_attempt_at = ${databaseTime} FROM (
      SELECT key FROM event_queues
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${id} AND pending > 0 ORDER BY key FOR UPDATE
    ) AS waiting
    WHERE q.workspace_id = ${workspaceID} AND q.endpoint_id = ${id} AND q.key = waiting.key`,
  )
  await execute(
    tx,
    Prisma.sql`
    UPDATE event_deliveries SET retry_count = 0
    WHERE workspace_id = ${workspaceID} AND endpoint_id = ${id} AND status = 'pending' AND retry_count > 0`,
  )
}

export function keyOf({ workspaceID, id }: Pick<EventEndpoint, 'workspaceID' | 'id'>) {
  return { workspaceID_id: { workspaceID, id } }
}
