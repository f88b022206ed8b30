import { createHmac } from 'node:crypto'
import type { Config } from '../../config.ts'
import { eventIDOf } from '../deliveries/logged-event.ts'
import { validSecretsOf } from '../endpoints/secrets/endpoint-secrets.ts'
import type { RequestResult } from '../requests/read-response.ts'
import type { RequestSender } from '../requests/request-sender.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { CurrentEndpoint } from './current-endpoint.ts'
import type { Outcome } from './record-outcome.ts'
import { nextGapMs } from './retry-schedule.ts'

const gone = 410

/** Sends a delivery, unless it has no body because the endpoint may no longer receive the event. */
export async function sendDelivery(
  { config, sender }: { config: Config; sender: RequestSender },
  endpoint: CurrentEndpoint,
  delivery: ClaimedDelivery,
  body: string | undefined,
): Promise<Outcome> {
  if (body === undefined) return { status: 'dropped', gapMs: 0 }
  const [startedAt, began] = [new Date(), performance.now()]
  const headers = headersFor(config, endpoint, { id: eventIDOf(delivery), startedAt, body })
  const result = await sender.send({ url: endpoint.url, headers, body })
  const durationMs = Math.round(performance.now() - began)
  return { ...outcomeOf(delivery, result), attempt: { startedAt, durationMs, ...result } }
}

/** Returns whether the endpoint answered that it does not exist any more. */
export function isGone({ attempt }: Outcome): boolean {
  return attempt?.status === gone
}

function headersFor(
  config: Config,
  endpoint: CurrentEndpoint,
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

function outcomeOf({ retryCount, ageMs }: ClaimedDelivery, { status, retryAfter }: RequestResult): Outcome {
  if (status !== null && status >= 200 && status < 300) return { status: 'succeeded', gapMs: 0 }
  const gapMs = status === gone ? undefined : nextGapMs({ attempts: retryCount + 1, ageMs, retryAfter })
  return gapMs === undefined ? { status: 'failed', gapMs: 0 } : { status: 'pending', gapMs }
}

type Message = { id: string; timestamp: number; body: string }

/** Returns the header `webhook-signature` of Standard Webhooks: one signature for each valid secret. */
function standardSignatures(secrets: readonly string[], { id, timestamp, body }: Message): string {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return secrets.map(sign).join(' ')
}

/** Returns the signature for consumers that do not know Standard Webhooks: HMAC-SHA256 of the body in hexadecimal. */
function plainSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
