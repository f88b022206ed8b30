import type { Context, UserActor } from '../../context.ts'
import type { EventDelivery, EventEndpoint } from '../../generated/prisma/client.ts'
import { eventIDOf, loggedEventOf, testType } from '../deliveries/logged-event.ts'
import { validSecretsOf } from '../endpoints/secrets/endpoint-secrets.ts'
import { listenerOf, mayHear, type Shared } from '../fan-out/listener.ts'
import type { RequestResult } from '../requests/read-response.ts'
import type { RenderEvent } from '../requests/render-event.ts'
import type { RequestSender } from '../requests/request-sender.ts'
import { plainSignature, standardSignatures } from '../requests/sign-body.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { noteOutcome } from './endpoint-health.ts'
import { type DeliveryStatus, recordAttempt } from './record-attempt.ts'
import { nextAttempt } from './retry-schedule.ts'

export type DeliveryParts = { shared: Shared; sender: RequestSender; render: RenderEvent }

const gone = 410

/** Sends or drops one delivery, and records the outcome. Resolves to the status of the delivery. */
export async function deliver(
  { shared, sender, render }: DeliveryParts,
  claimed: ClaimedDelivery,
): Promise<DeliveryStatus> {
  const { db, config } = shared
  const { endpoint, delivery } = claimed
  const event = await eventFor({ shared, render }, endpoint, delivery)
  if (!event) {
    await recordAttempt(db, claimed, { status: 'dropped', nextAttemptAt: new Date() })
    return 'dropped'
  }
  const body = bodyOf(delivery, event)
  const [startedAt, began] = [new Date(), performance.now()]
  const headers = headersFor(config, endpoint, { id: eventIDOf(delivery), startedAt, body })
  const result = await sender.send({ url: endpoint.url, headers, body })
  const attempt = { startedAt, durationMs: Math.round(performance.now() - began), ...result }
  const { status, nextAttemptAt } = outcomeOf(delivery, result, new Date())
  const isRecorded = await recordAttempt(db, claimed, { status, nextAttemptAt, attempt })
  if (isRecorded) await noteOutcome(shared, endpoint, { status, isGone: result.status === gone })
  return status
}

/** Returns the contents of the event, or undefined if the endpoint may no longer receive it. */
async function eventFor(
  { shared, render }: Pick<DeliveryParts, 'shared' | 'render'>,
  endpoint: EventEndpoint,
  delivery: EventDelivery,
): Promise<object | undefined> {
  const event = loggedEventOf(delivery)
  if (!event) return { endpointID: endpoint.id }
  const actor = await listenerOf(shared.db, endpoint, event.workspaceID)
  if (!actor) return undefined
  const ctx: Context<UserActor> = { ...shared, actor }
  return (await mayHear(ctx, endpoint, event)) ? render(ctx, event) : undefined
}

function bodyOf(delivery: EventDelivery, event: object): string {
  const { eventWorkspaceID: workspaceID, eventCreatedAt: createdAt, position } = delivery
  const type = position === null ? testType : delivery.type
  return JSON.stringify({ id: eventIDOf(delivery), type, workspaceID, createdAt, event })
}

function headersFor(
  config: Shared['config'],
  endpoint: EventEndpoint,
  { id, startedAt, body }: { id: string; startedAt: Date; body: string },
): Record<string, string> {
  const secrets = validSecretsOf(config, endpoint)
  const timestamp = Math.floor(startedAt.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Skein',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignatures(secrets, { id, timestamp, body }),
    [config.eventSignatureHeader]: plainSignature(secrets[0] ?? '', body),
  }
}

function outcomeOf({ retryCount, startedAt }: EventDelivery, result: RequestResult, now: Date) {
  const { status, retryAfter } = result
  if (status !== null && status >= 200 && status < 300)
    return { status: 'succeeded', nextAttemptAt: now } as const
  if (status === gone) return { status: 'failed', nextAttemptAt: now } as const
  const nextAttemptAt = nextAttempt({ attempts: retryCount + 1, startedAt, now, retryAfter })
  return nextAttemptAt
    ? ({ status: 'pending', nextAttemptAt } as const)
    : ({ status: 'failed', nextAttemptAt: now } as const)
}
