import { expect } from 'vitest'
import type { EventReceiver } from '../support/event-receiver.ts'
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
