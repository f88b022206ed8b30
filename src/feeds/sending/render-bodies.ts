import type { Context, UserActor } from '../../context.ts'
import type { EventDelivery, EventEndpoint } from '../../generated/prisma/client.ts'
import { eventIDOf, loggedEventOf, testType } from '../deliveries/logged-event.ts'
import { listenerOf, mayHear, type Shared } from '../fan-out/listener.ts'
import type { RenderEvent } from '../requests/render-event.ts'
import type { Claim } from './claim-deliveries.ts'

/** Renders the bodies of a claim. A body is undefined if the endpoint may no longer receive the event. */
export async function renderBodies(
  { shared, render }: { shared: Shared; render: RenderEvent },
  { endpoint, deliveries }: Claim,
): Promise<(string | undefined)[]> {
  const [first] = deliveries
  // All deliveries of a queue are from one workspace.
  const actor = first && (await listenerOf(shared.db, endpoint, first.eventWorkspaceID))
  const ctx = actor && { ...shared, actor }
  return Promise.all(
    deliveries.map(async (delivery) => {
      const event = await eventFor({ ctx, render }, endpoint, delivery)
      return event && bodyOf(delivery, event)
    }),
  )
}

async function eventFor(
  { ctx, render }: { ctx: Context<UserActor> | undefined; render: RenderEvent },
  endpoint: EventEndpoint,
  delivery: EventDelivery,
): Promise<object | undefined> {
  const event = loggedEventOf(delivery)
  if (!event) return { endpointID: endpoint.id }
  return ctx && (await mayHear(ctx, endpoint, event)) ? render(ctx, event) : undefined
}

function bodyOf(delivery: EventDelivery, event: object): string {
  const { eventWorkspaceID: workspaceID, eventCreatedAt: createdAt, position } = delivery
  const type = position === null ? testType : delivery.type
  return JSON.stringify({ id: eventIDOf(delivery), type, workspaceID, createdAt, event })
}
