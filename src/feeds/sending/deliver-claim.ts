import { setTimeout } from 'node:timers/promises'
import type { Context, UserActor } from '../../context.ts'
import { databaseFailure } from '../../database/database-errors.ts'
import type { EventDelivery, EventEndpoint } from '../../generated/prisma/client.ts'
import { inOwnTrace, linkToWriter } from '../../platform/tracing.ts'
import { eventIDOf, loggedEventOf, testType } from '../deliveries/logged-event.ts'
import { listenerOf, mayHear, type Shared } from '../fan-out/listener.ts'
import type { RenderEvent } from '../requests/render-event.ts'
import { type RequestSender, SenderClosed } from '../requests/request-sender.ts'
import { type Claim, releaseClaim } from './claim-deliveries.ts'
import { countDelivery } from './delivery-metrics.ts'
import { failsForAll, noteOutcome } from './endpoint-health.ts'
import type { Lease } from './leases.ts'
import { type Attempt, type Outcome, type Recorded, recordOutcome } from './record-outcome.ts'
import { isGone, sendDelivery } from './send-delivery.ts'

export type DeliveryParts = { shared: Shared; sender: RequestSender; render: RenderEvent }

type ClaimOptions = {
  lease: Lease
  signal: AbortSignal
  onAnswer: (attempt: Attempt, isFailing: boolean) => void
  onError: (error: unknown) => void
}

/** A body is sent at most this long after the rights were judged and the body was rendered. */
export const freshMs = 500
/** The pause after a failure of the service itself. */
const pauseAfterFailureMs = 5000
const repeatAfterMs = { first: 100, most: 1000 }

/**
 * Sends the deliveries of a claim one after another, and records the outcomes. Ends with the first delivery that does not
 * succeed, or when the bodies are not fresh any more. Then the queue is due again.
 */
export async function deliverClaim(parts: DeliveryParts, claim: Claim, options: ClaimOptions): Promise<void> {
  const { db, config } = parts.shared
  let current: Recorded = claim
  try {
    const bodies = await renderBodies(parts, claim)
    const freshUntil = performance.now() + freshMs
    // Another process may have claimed the queue.
    if (performance.now() > options.lease.endsAt) return
    for (const [index, delivery] of claim.deliveries.entries()) {
      const { endpoint } = current
      const trace = {
        links: [linkToWriter(delivery.objectID)],
        attributes: { 'skein.endpoint': endpoint.id },
      }
      const outcome = await inOwnTrace('delivery', trace, () =>
        sendDelivery({ ...parts, config }, endpoint, delivery, bodies[index]),
      )
      const health = {
        status: outcome.status,
        isGone: isGone(outcome),
        retryCount: delivery.retryCount,
      }
      countDelivery(outcome)
      if (outcome.attempt) options.onAnswer(outcome.attempt, failsForAll(current.endpoint, health))
      const isLast = index === claim.deliveries.length - 1
      const isOver = options.signal.aborted || performance.now() > freshUntil
      const isContinued = !isLast && !isOver && isDone(outcome)
      const { queue } = current
      const recorded = await untilAnswered(
        () => recordOutcome(db, queue, delivery, { ...outcome, isContinued }),
        options,
      )
      if (!recorded) return
      current = recorded
      options.lease.queue = recorded.queue
      await noteOutcome(parts.shared, recorded.endpoint, health).catch(options.onError)
      if (!isContinued || !isActive(recorded)) return
    }
  } catch (error) {
    const failedAt = performance.now()
    const isClosed = error instanceof SenderClosed
    if (!isClosed) options.onError(error)
    // The time of an outage counts as a part of the pause.
    const pauseMs = () => (isClosed ? 0 : Math.max(failedAt + pauseAfterFailureMs - performance.now(), 0))
    const { queue } = current
    await untilAnswered(() => releaseClaim(db, queue, pauseMs()), options).catch(options.onError)
  }
}

function isDone({ status }: Outcome): boolean {
  return status === 'succeeded' || status === 'dropped'
}

function isActive({ endpoint }: Recorded): boolean {
  return endpoint.state === 'active' && endpoint.deletedAt === null
}

// While the database is unavailable, an outcome must not be lost. If another process has claimed the queue meanwhile, the
// number of the claim has changed, and nothing is recorded.
async function untilAnswered<T>(work: () => Promise<T>, { signal, onError }: ClaimOptions): Promise<T> {
  for (let pauseMs = repeatAfterMs.first; ; pauseMs = Math.min(2 * pauseMs, repeatAfterMs.most)) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || databaseFailure(error) !== 'unavailable') throw error
      onError(error)
    }
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Renders the bodies of a claim. A body is undefined if the endpoint may no longer receive the event. */
async function renderBodies(
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
