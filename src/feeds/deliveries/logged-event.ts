import type { EventDetails, EventType } from '../../events/event-types.ts'
import type { LoggedEvent } from '../../events/read-events.ts'
import type { EventDelivery } from '../../generated/prisma/client.ts'
import { derivedID } from '../../platform/ids.ts'
import { eventID } from '../event-cursor.ts'

/** The type of a test event, which is not in the log. */
export const testType = 'test'

/** Returns the ID of the event, which is the same for every endpoint and every attempt. */
export function eventIDOf({ id, eventWorkspaceID, position, tag }: EventDelivery): string {
  return position === null
    ? derivedID('evt', id)
    : eventID(eventWorkspaceID, { position: Number(position), tag })
}

/** Returns the event of a delivery, or undefined for a test delivery. */
export function loggedEventOf(delivery: EventDelivery): LoggedEvent | undefined {
  if (delivery.position === null) return undefined
  const { eventWorkspaceID: workspaceID, threadID, objectID, eventCreatedAt: createdAt } = delivery
  return {
    workspaceID,
    position: Number(delivery.position),
    tag: delivery.tag,
    type: delivery.type as EventType,
    threadID,
    objectID,
    details: delivery.details as EventDetails | null,
    createdAt,
  }
}
