import { expect } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { type EventReceiver, startReceiver } from '../support/event-receiver.ts'
import { makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, type Service } from '../support/service.ts'

type Delivery = {
  id: string
  eventID: string
  type: string
  status: string
  attemptCount: number
  attempts: { number: number; status: number | null; error: string | null; response: string | null }[]
}

export type Endpoint = { id: string; secret: string }

/** Creates an endpoint with the URL of the receiver, as the operator. */
export async function makeEndpoint(
  service: Service,
  { url }: Pick<EventReceiver, 'url'>,
  input: { appID?: string; webhookID?: string; types?: string[]; groupID?: string },
): Promise<Endpoint> {
  const selection = 'eventEndpoint { id } secret'
  const made = await mutated(service, operatorToken, 'createEventEndpoint', { url, ...input }, selection)
  return { id: made.eventEndpoint.id, secret: made.secret }
}

export async function deliveriesOf(service: Service, { id }: { id: string }): Promise<Delivery[]> {
  const { data, errors } = await service.graphql(
    operatorToken,
    `query ($id: ID!) { deliveries(endpointID: $id) { nodes {
      id eventID type status attemptCount attempts { number status error response } } } }`,
    { id },
  )
  expect(errors).toBeUndefined()
  return data.deliveries.nodes
}

export async function stateOf(service: Service, { id }: { id: string }): Promise<string> {
  const { data } = await service.graphql(
    operatorToken,
    '{ eventEndpoint(id: "$id") { state } }'.replace('$id', id),
  )
  return data.eventEndpoint.state
}

/** Waits until the deliveries of an endpoint have these values of `status`, in order of creation. */
export async function expectStatuses(
  service: Service,
  endpoint: { id: string },
  statuses: string[],
): Promise<void> {
  await expect
    .poll(async () => (await deliveriesOf(service, endpoint)).map(({ status }) => status))
    .toEqual(statuses)
}

/** Waits until the first delivery of an endpoint has been attempted this many times. */
export async function expectAttempts(
  service: Service,
  endpoint: { id: string },
  count: number,
): Promise<void> {
  await expect.poll(async () => (await deliveriesOf(service, endpoint))[0]?.attemptCount).toBe(count)
}

/** Creates a world, a receiver, and an endpoint of the app for events of these types. */
export async function makeListeningWorld(service: Service, types = ['messageCreated']) {
  const [world, receiver] = [await makeWorld(service), await startReceiver()]
  const endpoint = await makeEndpoint(service, receiver, { appID: world.app.id, types })
  const texts = () => receiver.received.map(({ json }) => json.event.message?.text)
  return { world, receiver, endpoint, texts }
}

/** Posts a message to the public group of a world. */
export async function postText(
  service: Service,
  { webhook, publicGroup }: World,
  text: string,
  body: object = {},
) {
  const posted = await postToWebhook(service, webhook.path, { target: publicGroup.id, text, ...body })
  return posted.json() as { messageID: string; threadID: string }
}

/** Holds the answers of a receiver until `release`, which also answers all later requests immediately. */
export function holdAnswers(receiver: EventReceiver, status = 200) {
  const held: (() => void)[] = []
  receiver.answer = (_received, response) => void held.push(() => void response.writeHead(status).end())
  const release = () => {
    receiver.answer = (_received, response) => void response.writeHead(status).end()
    for (const answer of held.splice(0)) answer()
  }
  return { held, release }
}

/** Moves the times of all deliveries and endpoints into the past, and makes the service look for due attempts. */
export async function moveIntoPast({ app, contextOf }: Service, ms: number): Promise<void> {
  const { db } = contextOf({ kind: 'operator' })
  const gap = Prisma.sql`${ms}::float8 * interval '1 millisecond'`
  await db.$executeRaw`UPDATE event_queues SET next_attempt_at = next_attempt_at - ${gap}`
  await db.$executeRaw`UPDATE event_deliveries SET started_at = started_at - ${gap}`
  await db.$executeRaw`
    UPDATE event_endpoints
    SET failing_since = failing_since - ${gap}, previous_secret_ends_at = previous_secret_ends_at - ${gap}`
  app.deliveries.wake()
}

/** Returns the time until the next attempt of an endpoint's only queue, by the clock of the database. */
export async function msUntilNextAttempt({ contextOf }: Service, { id }: { id: string }): Promise<number> {
  const { db } = contextOf({ kind: 'operator' })
  const [queue] = await db.$queryRaw<{ ms: number }[]>`
    SELECT extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS ms
    FROM event_queues WHERE endpoint_id = ${id}`
  return queue?.ms ?? Number.NaN
}
