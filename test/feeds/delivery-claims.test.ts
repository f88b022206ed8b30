import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { driveStatements } from '../support/driven-statements.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import {
  deliveriesOf,
  expectAttempts,
  expectStatuses,
  holdAnswers,
  makeListeningWorld,
  moveIntoPast,
  msUntilNextAttempt,
  postText,
} from './event-endpoints.ts'

const service = await startService(allowsLoopback)
startDelivering(service)
const { db } = service.contextOf({ kind: 'operator' })

/** Counts the statements that contain the text, and that returned or wrote rows. */
function countStatements(text: string): () => number {
  let count = 0
  driveStatements(db, (driver) => async (...statement) => {
    const outcome = await driver(...statement)
    if (statement[0].includes(text) && outcome.count > 0) count += 1
    return outcome
  })
  return () => count
}

/**
 * Creates a world whose endpoint has a request in flight for the first message of a thread, while the other messages
 * of the thread wait for it.
 */
async function makeWaiting(texts: string[]) {
  const made = await makeListeningWorld(service)
  const { held, release } = holdAnswers(made.receiver)
  onTestFinished(release)
  await postText(service, made.world, 'first')
  await expect.poll(() => held.length).toBe(1)
  for (const text of texts) await postText(service, made.world, text)
  await expect.poll(async () => (await deliveriesOf(service, made.endpoint)).length).toBe(1 + texts.length)
  return { ...made, release }
}

describe('one claim', () => {
  test('has several events of a thread', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const { endpoint, release, texts: received } = await makeWaiting(texts)
    const claims = countStatements('SKIP LOCKED')
    release()
    await expectStatuses(service, endpoint, Array(9).fill('succeeded'))
    expect(received()).toEqual(['first', ...texts])
    expect(claims()).toBeLessThan(texts.length)
    const deliveries = await deliveriesOf(service, endpoint)
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(Array(9).fill(1))
  })

  test('ends with the first failure, and the later events follow in order', async () => {
    const { endpoint, receiver, release, texts } = await makeWaiting(['a', 'fails', 'c', 'd'])
    release()
    receiver.answer = ({ json }, response) =>
      void response.writeHead(json.event.message.text === 'fails' ? 500 : 200).end()
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'pending', 'pending', 'pending'])
    await expect.poll(async () => (await deliveriesOf(service, endpoint))[2]?.attemptCount).toBe(1)
    expect(texts()).toEqual(['first', 'a', 'fails'])
    receiver.answer = (_received, response) => void response.end()
    await moveIntoPast(service, 10_000)
    await expectStatuses(service, endpoint, Array(5).fill('succeeded'))
    expect(texts()).toEqual(['first', 'a', 'fails', 'fails', 'c', 'd'])
  })

  test('is not continued after its endpoint was deleted', async () => {
    const { endpoint, release, texts, world } = await makeWaiting(['a', 'b'])
    const input = { endpointID: endpoint.id }
    await mutated(service, operatorToken, 'deleteEventEndpoint', input, 'removedEventEndpointID')
    release()
    const { workspaceID } = world
    await expect.poll(() => db.eventAttempt.count({ where: { workspaceID } })).toBe(1)
    expect(texts()).toEqual(['first'])
  })

  test('uses one connection to the receiver', async () => {
    const { endpoint, receiver, release } = await makeWaiting(['a', 'b', 'c'])
    const ports = new Set<number | undefined>()
    release()
    receiver.answer = (_received, response) => {
      ports.add(response.socket?.remotePort)
      response.end()
    }
    await expectStatuses(service, endpoint, Array(4).fill('succeeded'))
    expect(ports.size).toBe(1)
  })
})

test('the outcome of a request is recorded after an outage of the database, and the thread goes on', async () => {
  const { endpoint, release, texts } = await makeWaiting(['next'])
  let failures = 0
  let isDown = true
  driveStatements(db, (driver) => async (...statement) => {
    if (!isDown) return driver(...statement)
    if (statement[0].includes('INSERT INTO event_attempts')) failures += 1
    throw new Error('Connection terminated unexpectedly')
  })
  release()
  await expect.poll(() => failures).toBeGreaterThanOrEqual(3)
  isDown = false
  await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
  expect(texts()).toEqual(['first', 'next'])
  const deliveries = await deliveriesOf(service, endpoint)
  expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual([1, 1])
})

test('a claim is released after an outage of the database', async () => {
  const { world, endpoint, texts } = await makeListeningWorld(service)
  let [isDown, releases] = [false, 0]
  driveStatements(db, (driver) => async (...statement) => {
    if (!isDown) {
      const outcome = await driver(...statement)
      // The outage begins after the claim.
      isDown = releases === 0 && statement[0].includes('SKIP LOCKED') && outcome.count > 0
      return outcome
    }
    if (statement[0].trimStart().startsWith('UPDATE event_queues SET next_attempt_at')) releases += 1
    throw new Error('Connection terminated unexpectedly')
  })
  await postText(service, world, 'x')
  await expect.poll(() => releases).toBeGreaterThanOrEqual(2)
  isDown = false
  await expect.poll(() => msUntilNextAttempt(service, endpoint)).toBeLessThan(5000)
  await moveIntoPast(service, 5000)
  await expectStatuses(service, endpoint, ['succeeded'])
  expect(texts()).toEqual(['x'])
})

test('a clock that is two hours ahead during an attempt does not delay the next attempts', async () => {
  const { world, receiver, endpoint, texts } = await makeListeningWorld(service)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  receiver.answer = (_received, response) => void response.writeHead(500).end()
  await postText(service, world, 'x')
  await expectAttempts(service, endpoint, 1)
  vi.useRealTimers()
  expect(await msUntilNextAttempt(service, endpoint)).toBeLessThanOrEqual(10_000)
  const { failingSince } = await db.eventEndpoint.findFirstOrThrow({ where: { id: endpoint.id } })
  expect((failingSince?.getTime() ?? 0) - Date.now()).toBeLessThan(60_000)
  receiver.answer = (_received, response) => void response.end()
  await moveIntoPast(service, 10_000)
  await postText(service, world, 'y')
  await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
  expect(texts()).toEqual(['x', 'x', 'y'])
})
