import { describe, expect, test } from 'vitest'
import { allowsLoopback, type EventReceiver, startDelivering } from '../support/event-receiver.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import {
  deliveriesOf,
  type Endpoint,
  expectAttempts,
  expectStatuses,
  holdAnswers,
  makeListeningWorld,
  moveIntoPast,
  postText,
} from './event-endpoints.ts'

const service = await startService(allowsLoopback)
startDelivering(service)

const firstGapMs = 10_000

function refuse(receiver: EventReceiver, text: string): void {
  receiver.answer = ({ json }, response) =>
    void response.writeHead(json.event.message.text === text ? 500 : 200).end()
}

/** Creates an endpoint that has refused the first message of a thread, and a second message in the thread. */
async function makeRefusing() {
  const made = await makeListeningWorld(service)
  refuse(made.receiver, 'a1')
  const { threadID } = await postText(service, made.world, 'a1', { threadSubject: 'A' })
  await expectAttempts(service, made.endpoint, 1)
  await postText(service, made.world, 'a2', { target: threadID })
  await expectStatuses(service, made.endpoint, ['pending', 'pending'])
  return made
}

/** Calls a mutation with a delivery of the endpoint, and returns the status of the delivery. */
async function change(name: 'skipDelivery' | 'replayDelivery', endpoint: Endpoint, index: number) {
  const delivery = (await deliveriesOf(service, endpoint))[index]
  const changed = await mutated(
    service,
    operatorToken,
    name,
    { deliveryID: delivery?.id },
    'delivery { status }',
  )
  return changed.delivery.status
}

async function failingSinceOf({ id }: Endpoint): Promise<string | null> {
  const { data } = await service.graphql(
    operatorToken,
    'query ($id: ID!) { eventEndpoint(id: $id) { failingSince } }',
    { id },
  )
  return data.eventEndpoint.failingSince
}

describe('a delivery that is skipped', () => {
  test('is not sent, and the next event of its thread is sent', async () => {
    const { endpoint, texts } = await makeRefusing()
    expect(await change('skipDelivery', endpoint, 0)).toBe('skipped')
    await expectStatuses(service, endpoint, ['skipped', 'succeeded'])
    await moveIntoPast(service, firstGapMs)
    expect(texts()).toEqual(['a1', 'a2'])
  })

  test('can be replayed', async () => {
    const { receiver, endpoint, texts } = await makeRefusing()
    await change('skipDelivery', endpoint, 0)
    await expectStatuses(service, endpoint, ['skipped', 'succeeded'])
    receiver.answer = (_received, response) => void response.end()
    expect(await change('replayDelivery', endpoint, 0)).toBe('pending')
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
    expect(texts()).toEqual(['a1', 'a2', 'a1'])
  })

  test('stays skipped if a request with it is in flight', async () => {
    const { world, receiver, endpoint } = await makeListeningWorld(service)
    const { held, release } = holdAnswers(receiver)
    const { threadID } = await postText(service, world, 'a1', { threadSubject: 'A' })
    await expect.poll(() => held.length).toBe(1)
    await postText(service, world, 'a2', { target: threadID })
    await expectStatuses(service, endpoint, ['pending', 'pending'])
    await change('skipDelivery', endpoint, 0)
    await expect.poll(() => held.length).toBe(2)
    release()
    await expectStatuses(service, endpoint, ['skipped', 'succeeded'])
  })

  test('does not change if it is not pending', async () => {
    const { world, endpoint } = await makeListeningWorld(service)
    await postText(service, world, 'a1')
    await expectStatuses(service, endpoint, ['succeeded'])
    expect(await change('skipDelivery', endpoint, 0)).toBe('succeeded')
  })
})

describe('an endpoint that refuses one event', () => {
  test('fails until another delivery succeeds, and not when it refuses the event again', async () => {
    const { world, endpoint } = await makeRefusing()
    expect(await failingSinceOf(endpoint)).not.toBeNull()
    await postText(service, world, 'b1', { threadSubject: 'B' })
    await expect.poll(() => failingSinceOf(endpoint)).toBeNull()
    await moveIntoPast(service, firstGapMs)
    await expectAttempts(service, endpoint, 2)
    expect(await failingSinceOf(endpoint)).toBeNull()
  })

  test('gets other events at the same time', async () => {
    const { world, receiver, endpoint } = await makeRefusing()
    await postText(service, world, 'b1', { threadSubject: 'B' })
    await expectStatuses(service, endpoint, ['pending', 'pending', 'succeeded'])
    await moveIntoPast(service, firstGapMs)
    await expectAttempts(service, endpoint, 2)
    const { held, release } = holdAnswers(receiver)
    for (const threadSubject of ['C', 'D', 'E']) await postText(service, world, 'c1', { threadSubject })
    await expect.poll(() => held.length).toBe(3)
    release()
  })

  test('fails if it also refuses a new event', async () => {
    const { world, receiver, endpoint } = await makeRefusing()
    await postText(service, world, 'b1', { threadSubject: 'B' })
    await expect.poll(() => failingSinceOf(endpoint)).toBeNull()
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await postText(service, world, 'c1', { threadSubject: 'C' })
    await expect.poll(() => failingSinceOf(endpoint)).not.toBeNull()
  })
})
