import { audited } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { query } from '../../database/query.ts'
import { type EventDelivery, Prisma } from '../../generated/prisma/client.ts'
import { databaseTime } from '../database-time.ts'
import { entryOf } from '../endpoints/access.ts'
import { type DeliveryInput, deliveryToChange } from './list-deliveries.ts'

/** Ends a pending delivery without sending its event, and attempts the next delivery of its queue now. */
export async function skipDelivery(ctx: Context, input: DeliveryInput): Promise<EventDelivery> {
  const { workspaceID, id, endpointID } = await deliveryToChange(ctx, input)
  await audited(
    ctx,
    ({ db }) => query(db, skip({ workspaceID, id })),
    () => entryOf('skipDelivery', { workspaceID, id: endpointID }, { deliveryID: id }),
  )
  return ctx.db.eventDelivery.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

// Locks the queue before the delivery, as the statement that records an attempt does. A new number of the claim takes the
// queue from the process that may be sending the delivery.
function skip({ workspaceID, id }: { workspaceID: string; id: string }): Prisma.Sql {
  return Prisma.sql`
    WITH queue AS MATERIALIZED (
      SELECT q.endpoint_id, q.key FROM event_deliveries d JOIN event_queues q USING (workspace_id, endpoint_id, key)
      WHERE d.workspace_id = ${workspaceID} AND d.id = ${id} FOR UPDATE OF q
    ), skipped AS (
      UPDATE event_deliveries d SET status = 'skipped' FROM queue
      WHERE d.workspace_id = ${workspaceID} AND d.id = ${id} AND d.status = 'pending'
      RETURNING d.id
    )
    UPDATE event_queues q SET claim = claim + 1, pending = pending - 1,
      next_attempt_at = CASE WHEN pending > 1 THEN ${databaseTime} END
    FROM queue CROSS JOIN skipped
    WHERE q.workspace_id = ${workspaceID} AND q.endpoint_id = queue.endpoint_id AND q.key = queue.key
      AND q.pending > 0`
}
