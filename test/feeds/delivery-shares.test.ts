import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { testDatabase } from '../support/database.ts'
import { driveStatements, holdStatements } from '../support/driven-statements.ts'
import {
  allowsLoopback,
  type EventReceiver,
  startDelivering,
  startReceiver,
} from '../support/event-receiver.ts'
import { makeApp, makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'
import {
  expectStatuses,
  holdAnswers,
  makeEndpoint,
  makeListeningWorld,
  moveIntoPast,
  postText,
} from './event-endpoints.ts'

const service = await startService({ ...allowsLoopback, EVENT_TIMEOUT_SECONDS: '60' })
startDelivering(service)
const { db } = service.contextOf({ kind: 'operator' })

const types = ['messageCreated']

// The clock that measures the durations of requests.
let passedMs = 0
const now = performance.now.bind(performance)
const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
afterAll(() => clock.mockRestore())

/** Lets the requests in flight take longer. */
function pass(ms: number): void {
  passedMs += ms
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number)
}

/** Creates endpoints of one workspace, all at this receiver. An app has at most ten of them. */
async function makeEndpoints(world: World, receiver: EventReceiver, count: number) {
  for (const begin of range(count).filter((number) => number % 10 === 0)) {
    const app = begin === 0 ? world.app : await makeApp(service, world.operator, world.workspaceID)
    for (const _ of range(Math.min(10, count - begin)))
      await makeEndpoint(service, receiver, { appID: app.id, types })
  }
}

async function postThreads(world: World, names: string, count: number): Promise<void> {
  for (const number of range(count))
    await postText(service, world, 'x', { threadSubject: `${names}${number}` })
}

/** Counts the requests of a receiver that have no answer yet. `most` is the highest number so far. */
function countRequests(receiver: EventReceiver, onRequest: (answer: (status: number) => void) => void) {
  const count = { now: 0, most: 0 }
  receiver.answer = (_received, response) => {
    count.now += 1
    count.most = Math.max(count.most, count.now)
    onRequest((status) => {
      count.now -= 1
      response.writeHead(status).end()
    })
  }
  return count
}

test('one workspace never holds all places', async () => {
  const [busy, slow] = [await makeWorld(service), await startReceiver()]
  await makeEndpoints(busy, slow, 20)
  const { held, release } = holdAnswers(slow)
  onTestFinished(release)
  await postThreads(busy, 'T', 16)
  await expect.poll(() => held.length).toBe(64)
  const other = await makeListeningWorld(service)
  await postText(service, other.world, 'innocent')
  await expectStatuses(service, other.endpoint, ['succeeded'])
  // 320 requests are possible. The others still wait for a place of their workspace.
  expect({ held: held.length, innocent: other.texts() }).toEqual({ held: 64, innocent: ['innocent'] })
  release()
  await expect.poll(() => slow.received.length).toBe(320)
})

test('an endpoint with slow answers has fewer places, although its deliveries succeed', async () => {
  const { world, receiver, endpoint } = await makeListeningWorld(service)
  const answers: ((status: number) => void)[] = []
  const count = countRequests(receiver, (answer) => answers.push(answer))
  await postThreads(world, 'A', 16)
  await expect.poll(() => answers.length).toBe(16)
  pass(9000)
  for (const answer of answers.splice(0)) answer(200)
  await expectStatuses(service, endpoint, Array(16).fill('succeeded'))
  count.most = 0
  await postThreads(world, 'B', 5)
  for (const left of range(5).reverse()) {
    await expect.poll(() => answers.length).toBe(Math.min(left + 1, 2))
    pass(9000)
    answers.shift()?.(200)
  }
  await expectStatuses(service, endpoint, Array(21).fill('succeeded'))
  expect(count.most).toBe(2)
})

test('an endpoint that fails gets one request at a time until a request succeeds', async () => {
  const { world, receiver, endpoint } = await makeListeningWorld(service)
  const other = await startReceiver()
  await makeEndpoint(service, other, { appID: world.app.id, types })
  receiver.answer = (_received, response) => void response.writeHead(500).end()
  await postText(service, world, 'x', { threadSubject: 'first' })
  await expectStatuses(service, endpoint, ['pending'])
  await expect.poll(() => receiver.received.length).toBe(1)
  await expect
    .poll(() => db.eventAttempt.count({ where: { workspaceID: world.workspaceID, status: 500 } }))
    .toBe(1)
  const answers: ((status: number) => void)[] = []
  const count = countRequests(receiver, (answer) => answers.push(answer))
  await postThreads(world, 'T', 8)
  for (const number of range(4)) {
    await expect.poll(() => answers.length).toBe(1)
    // In the meantime, the worker visits the endpoints.
    await expect.poll(() => other.received.length).toBe(9)
    await moveIntoPast(service, 0)
    answers.shift()?.(number < 3 ? 500 : 200)
  }
  expect(count.most).toBe(1)
  await expect.poll(() => answers.length).toBeGreaterThan(1)
  for (const answer of answers.splice(0)) answer(200)
})

test('an endpoint is visited again if an event arrives during a claim that finds nothing', async () => {
  const { world, endpoint } = await makeListeningWorld(service)
  let isPosted = false
  driveStatements(db, (driver) => async (...statement) => {
    const outcome = await driver(...statement)
    // The worker does not find due endpoints by itself.
    if (statement[0].includes('WITH RECURSIVE waiting')) return { ...outcome, rows: [] }
    const isOfEndpoint = statement[0].includes('SKIP LOCKED') && statement[1].includes(endpoint.id)
    if (!isOfEndpoint || outcome.count > 0 || isPosted) return outcome
    isPosted = true
    await postText(service, world, 'y', { threadSubject: 'second' })
    await expect.poll(() => db.eventDelivery.count({ where: { endpointID: endpoint.id } })).toBe(2)
    return outcome
  })
  await postText(service, world, 'x', { threadSubject: 'first' })
  await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
})

test('one workspace never fills the way to the background connection', async () => {
  const [wide, receiver] = [await makeWorld(service), await startReceiver()]
  await makeEndpoints(wide, receiver, 20)
  const other = await makeListeningWorld(service)
  const { held, release } = holdStatements(db, {
    text: 'UPDATE event_queues SET claim',
    value: wide.workspaceID,
  })
  await postThreads(wide, 'T', 4)
  await expect.poll(() => held.length).toBe(7)
  await postText(service, other.world, 'innocent')
  await expectStatuses(service, other.endpoint, ['succeeded'])
  expect(held.length).toBe(7)
  release()
  await expect.poll(() => receiver.received.length).toBe(80)
})

describe('the fan-out of one message', () => {
  test('to many endpoints does not hold the fan-out of another workspace', async () => {
    const [wide, receiver] = [await makeWorld(service), await startReceiver()]
    await makeEndpoints(wide, receiver, 20)
    const other = await makeListeningWorld(service)
    const { held, release } = holdStatements(db, {
      text: 'UPDATE event_listeners SET position',
      value: wide.workspaceID,
    })
    await postText(service, wide, 'x')
    await expect.poll(() => held.length).toBe(3)
    await postText(service, other.world, 'innocent')
    await expectStatuses(service, other.endpoint, ['succeeded'])
    expect({ held: held.length, wide: receiver.received.length }).toEqual({ held: 3, wide: 0 })
    release()
    await expect.poll(() => receiver.received.length).toBe(20)
  })

  test('uses the places of its workspace, and not the rate limit of the sender', async () => {
    const [wide, receiver] = [await makeWorld(service), await startReceiver()]
    await makeEndpoints(wide, receiver, 20)
    const { held, release } = holdAnswers(receiver)
    onTestFinished(release)
    await postThreads(wide, 'T', 16)
    await expect.poll(() => held.length).toBe(64)
    const before = receiver.received.length
    const positions = () => db.eventListener.findMany({ where: { workspaceID: wide.workspaceID } })
    const answer = await postToWebhook(service, wide.webhook.path, { target: wide.publicGroup.id, text: 'x' })
    expect(answer.headers.ratelimit).toMatch(/^"webhook";r=5983;/)
    await sequenceEvents(db)
    const { position } = await db.eventHead.findUniqueOrThrow({ where: { workspaceID: wide.workspaceID } })
    const other = await makeListeningWorld(service)
    await postText(service, other.world, 'innocent')
    await expectStatuses(service, other.endpoint, ['succeeded'])
    const isBehind = (await positions()).every((listener) => listener.position < position)
    expect({ isBehind, received: receiver.received.length }).toEqual({ isBehind: true, received: before })
    release()
    await expect.poll(() => receiver.received.length).toBe(20 * 17)
  })
})

describe.runIf(process.env.TEST_DATABASE_URL)('the connection for deliveries', () => {
  test('is not in the pool that the callers share', async () => {
    const own = await startService(
      { ...allowsLoopback, ENCRYPTION_KEY: 'ab'.repeat(32) },
      await testDatabase(undefined, 2),
    )
    const { world, receiver } = await makeListeningWorld(own)
    await postText(own, world, 'x')
    await sequenceEvents(world.operator.db)
    const lock = await inOpenTransaction(world.operator.db, 'SELECT pg_advisory_xact_lock(41)', [])
    const waiting = range(2).map(() => world.operator.db.$queryRaw`SELECT FROM pg_advisory_xact_lock(41)`)
    own.app.deliveries.start()
    await expect.poll(() => receiver.received.length).toBe(1)
    await lock.query('COMMIT')
    await lock.end()
    await Promise.all(waiting)
  })
})
