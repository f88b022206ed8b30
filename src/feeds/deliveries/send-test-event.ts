import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { type EventDelivery, Prisma } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'
import { newID } from '../../platform/ids.ts'
import { accessEndpoint } from '../endpoints/access.ts'
import { endpointInput } from '../endpoints/change-endpoint.ts'
import { testType } from './logged-event.ts'

/** Creates the delivery of a test. A paused or disabled endpoint receives the test when it is enabled. */
export async function sendTestEvent(
  ctx: Context,
  input: z.input<typeof endpointInput>,
): Promise<EventDelivery> {
  const { endpointID } = parseInput(endpointInput, input)
  const { workspaceID } = await accessEndpoint(ctx, endpointID, 'write')
  const [id, now] = [newID('dlv'), new Date()]
  const times = { eventCreatedAt: now, startedAt: now, createdAt: now }
  const event = { type: testType, eventWorkspaceID: workspaceID, objectID: endpointID }
  return inTransaction(ctx.db, async (tx) => {
    await execute(
      tx,
      Prisma.sql`
      INSERT INTO event_queues (workspace_id, endpoint_id, key, pending, next_attempt_at)
      VALUES (${workspaceID}, ${endpointID}, ${id}, 1, ${now.toISOString()}::timestamptz)`,
    )
    return tx.eventDelivery.create({ data: { workspaceID, id, endpointID, key: id, ...event, ...times } })
  })
}
