import { randomBytes } from 'node:crypto'
import type { Server } from './processes.ts'
import type { Store } from './store.ts'
import { operate, type World, withReaders } from './worlds.ts'

const endpointsEach = 10
const withinMs = 300_000

/** The settings of a service that sends events to a receiver on this machine. */
export const sendsToReceiver = {
  EVENT_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
}

/** Creates paused endpoints for new messages, and one app for every ten endpoints. Returns the IDs of the endpoints. */
export async function makeEndpoints(
  service: Server,
  store: Store,
  world: World,
  urls: string[],
): Promise<string[]> {
  const apps = await withReaders(service.url, world, Math.ceil(urls.length / endpointsEach))
  const ids: string[] = []
  for (const url of urls) {
    const form = apps[Math.floor(ids.length / endpointsEach)]?.form
    const appID = new URLSearchParams(form).get('client_id')
    const { createEventEndpoint } = await operate(
      service.url,
      `mutation ($appID: ID!, $url: URL!) {
        createEventEndpoint(input: { appID: $appID, url: $url, types: [messageCreated] }) { eventEndpoint { id } }
      }`,
      { appID, url },
    )
    ids.push(createEventEndpoint.eventEndpoint.id)
  }
  await pause(store, ids)
  return ids
}

export async function pause({ client }: Store, ids: string[]): Promise<void> {
  await client.query("UPDATE event_endpoints SET state = 'paused' WHERE id = ANY ($1)", [ids])
}

/** Makes paused endpoints skip all events until now. */
export async function skip({ client }: Store, ids: string[]): Promise<void> {
  await client.query(
    `UPDATE event_listeners l SET position = h.position FROM event_heads h
     WHERE h.workspace_id = l.event_workspace_id AND l.endpoint_id = ANY ($1)`,
    [ids],
  )
}

/** Lets all endpoints continue at the same time. The mutation can enable only one endpoint at a time. */
export async function resume({ client }: Store, ids: string[]): Promise<void> {
  await client.query(
    `WITH resumed AS (UPDATE event_endpoints SET state = 'active' WHERE id = ANY ($1))
     UPDATE event_listeners SET is_resuming = TRUE WHERE endpoint_id = ANY ($1)`,
    [ids],
  )
}

/** Empties the receiver, and ends the requests that it has not answered. */
export async function forgetArrivals({ url }: Server): Promise<void> {
  await fetch(url, { method: 'DELETE' })
}

/** Waits until the receiver has this many events. Returns the times of the first and of the last, in milliseconds. */
export async function arrivals({ url }: Server, count: number): Promise<{ first: number; last: number }> {
  const answer = await fetch(`${url}/arrivals/${count}`, { signal: AbortSignal.timeout(withinMs) })
  return (await answer.json()) as { first: number; last: number }
}
