import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { byID, pageLoader, rowLoader } from '../../database/loader.ts'
import { byCreation, type PageArgs } from '../../database/paging.ts'
import { query, rowsBy } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { type EventAttempt, type EventDelivery, Prisma } from '../../generated/prisma/client.ts'
import { id, parseID, parseInput } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { accessEndpoint, findEndpoint } from '../endpoints/access.ts'
import { eventAttemptColumns, eventDeliveryColumns } from '../endpoints/rows.ts'
import type { DeliveryStatus } from '../sending/record-outcome.ts'

const shownAttempts = 50

const deliveryInput = z.object({ deliveryID: id })
export type DeliveryInput = z.input<typeof deliveryInput>

// The status is a literal, because PostgreSQL cannot use the partial index for a parameter.
const deliveriesIn = (status: Prisma.Sql) =>
  pageLoader<Context, EventDelivery>((_ctx, workspaceID) => ({
    name: 'deliveries',
    columns: eventDeliveryColumns,
    from: Prisma.sql`event_deliveries d`,
    where: Prisma.sql`d.workspace_id = ${workspaceID} AND d.endpoint_id = parent.id ${status}`,
    keys: byCreation('d'),
  }))
const loadAll = deliveriesIn(Prisma.empty)
const loadByState: Record<DeliveryStatus, typeof loadAll> = {
  pending: deliveriesIn(Prisma.sql`AND d.status = 'pending'`),
  succeeded: deliveriesIn(Prisma.sql`AND d.status = 'succeeded'`),
  failed: deliveriesIn(Prisma.sql`AND d.status = 'failed'`),
  dropped: deliveriesIn(Prisma.sql`AND d.status = 'dropped'`),
  skipped: deliveriesIn(Prisma.sql`AND d.status = 'skipped'`),
}

export async function listDeliveries(
  ctx: Context,
  {
    endpointID,
    status,
    ...args
  }: PageArgs & { endpointID: string; status?: DeliveryStatus | null | undefined },
): Promise<Connection<EventDelivery>> {
  const endpoint = await accessEndpoint(ctx, parseID(endpointID, 'endpointID'))
  return (status ? loadByState[status] : loadAll)(ctx, endpoint, args)
}

/** Finds a delivery to an endpoint that the caller manages. For the operator, searches all workspaces. */
export async function findDelivery(
  ctx: Context,
  id: string,
  action?: 'read' | 'write',
): Promise<EventDelivery | null> {
  const { db, actor } = ctx
  const workspace = actor.kind === 'user' ? { workspaceID: actor.workspaceID } : {}
  const found =
    prefixOf(id) === 'dlv' ? await db.eventDelivery.findFirst({ where: { id, ...workspace } }) : null
  const endpoint = await findEndpoint(ctx, found?.endpointID ?? '', action)
  return endpoint && found
}

/** Returns the delivery that the input of a mutation names. The caller must be able to change its endpoint. */
export async function deliveryToChange(ctx: Context, input: DeliveryInput): Promise<EventDelivery> {
  const delivery = await findDelivery(ctx, parseInput(deliveryInput, input).deliveryID, 'write')
  if (!delivery) throw notFound('delivery')
  return delivery
}

const loadAttempts = rowLoader(async ({ db }: Context, workspaceID, ids) => {
  const parents = { table: 'event_deliveries', alias: 'd', workspaceID }
  const attempts = await query<EventAttempt>(
    db,
    Prisma.sql`
    SELECT ${eventAttemptColumns} FROM ${rowsBy('id', ids, parents)} CROSS JOIN LATERAL (
      SELECT * FROM event_attempts WHERE workspace_id = ${workspaceID} AND delivery_id = d.id
      ORDER BY number DESC LIMIT ${shownAttempts} OFFSET 0) AS a
    ORDER BY a.number`,
  )
  const byDelivery = ids.map((id) => ({
    id,
    attempts: attempts.filter(({ deliveryID }) => deliveryID === id),
  }))
  return byID(byDelivery)
})

export async function attemptsOf(ctx: Context, { workspaceID, id }: EventDelivery): Promise<EventAttempt[]> {
  return (await loadAttempts(ctx, workspaceID, id))?.attempts ?? []
}
