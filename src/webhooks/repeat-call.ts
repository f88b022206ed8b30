import type { FastifyInstance } from 'fastify'
import type { WebhookActor } from '../context.ts'
import type { RepeatedCall } from '../messages/webhook-calls/resend-call.ts'
import { newID } from '../platform/ids.ts'
import { newSecret } from '../platform/secrets/secrets.ts'

/** A call that the service itself sends. */
type OwnCall = { actor: WebhookActor; id: string }

/** The service does not know the key of a webhook. Therefore each of its own calls has a key that works once. */
const ownCalls = new Map<string, OwnCall>()

/** Returns the call of the service that has this key. */
export function ownCallOf(key: string): OwnCall | undefined {
  return ownCalls.get(key)
}

/** Sends a call to its route again. Returns the ID under which it is recorded. */
export async function repeatCall(
  app: FastifyInstance,
  { actor, format, targetID, content: { query, contentType, body } }: RepeatedCall,
): Promise<string> {
  const [key, id] = [newSecret(), newID('whc')]
  const path = ['/webhook', actor.webhook.id, key, format ?? []].flat().join('/')
  // The settings of the webhook may have changed since. The body can still name another target.
  const target = targetID === null || new URLSearchParams(query).has('target') ? '' : `target=${targetID}`
  const fullQuery = [query, target].filter((part) => part !== '').join('&')
  const webhook = format === null ? { ...actor.webhook, format } : actor.webhook
  ownCalls.set(key, { actor: { ...actor, webhook }, id })
  try {
    await app.inject({
      method: 'POST',
      url: fullQuery === '' ? path : `${path}?${fullQuery}`,
      ...(contentType !== '' && { headers: { 'content-type': contentType }, payload: body }),
    })
  } finally {
    ownCalls.delete(key)
  }
  return id
}
