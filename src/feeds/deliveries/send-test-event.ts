import type { Context } from '../../context.ts'
import { query } from '../../database/query.ts'
import { type EventDelivery, Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { databaseTime } from '../database-time.ts'
import { type EndpointInput, endpointToChange } from '../endpoints/access.ts'
import { eventDeliveryColumns } from '../endpoints/rows.ts'
import type { EndpointKey } from '../sending/due-endpoints.ts'
import { testType } from './logged-event.ts'

/** Creates the delivery of a test. A paused or disabled endpoint receives the test when it is enabled. */
export async function sendTestEvent(ctx: Context, input: EndpointInput): Promise<EventDelivery> {
  const { workspaceID, id: endpointID } = await endpointToChange(ctx, input)
  const [delivery] = await query<EventDelivery>(ctx.db, insertion({ workspaceID, endpointID }))
  if (!delivery) throw new Error('The statement returned no delivery')
  return delivery
}

function insertion({ workspaceID, endpointID }: EndpointKey): Prisma.Sql {
  const id = newID('dlv')
  return Prisma.sql`
    WITH queue AS (
      INSERT INTO event_queues (workspace_id, endpoint_id, key, pending, next_attempt_at)
      VALUES (${workspaceID}, ${endpointID}, ${id}, 1, ${databaseTime})
    )
    INSERT INTO event_deliveries AS d (workspace_id, id, endpoint_id, key, event_workspace_id, type, object_id,
      event_created_at, started_at, created_at)
    VALUES (${workspaceID}, ${id}, ${endpointID}, ${id}, ${workspaceID}, ${testType}, ${endpointID},
      ${databaseTime}, ${databaseTime}, ${databaseTime})
    RETURNING ${eventDeliveryColumns}`
}
