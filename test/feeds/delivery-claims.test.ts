import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { driveStatements, holdStatements } from '../support/driven-statements.ts'
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

/** Returns the numbers of deliveries that claims have. Leaves out claims that find no due queue. */
function watchClaims(): number[] {
  const claims: number[] = []
  driveStatements(db, (driver) => async (...statement) => {
    const outcome = await driver(...statement)
    if (statement[0].includes('SET claim = q.claim + 1') && outcome.count > 0) claims.push(outcome.count)
    return outcome
  })
  return claims
}

/** Creates a world whose endpoint has deliveries of a thread. One claim gets them all when `claim` is called. */
async function makeWaiting(texts: string[]) {
  const made = await makeListeningWorld(service)
  const { release: claim } = holdStatements(db, { text: 'SKIP LOCKED', value: made.endpoint.id })
  for (const text of texts) await postText(service, made.world, text)
  await expect.poll(async () => (await deliveriesOf(service, made.endpoint)).length).toBe(texts.length)
  return { ...made, claim }
}

describe('one claim', () => {
  test('has several events of a thread', async () => {
    const sent = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const claims = watchClaims()
    const { endpoint, claim, texts } = await makeWaiting(sent)
    // The bodies stay fresh.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    claim()
    await expectStatuses(service, endpoint, Array(8).fill('succeeded'))
    expect(texts()).toEqual(sent)
    expect(claims).toEqual([8])
    const deliveries = await deliveriesOf(service, endpoint)
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(Array(8).fill(1))
  })

  test('ends with the first failure, and the later events follow in order', async () => {
    const { endpoint, receiver, claim, texts } = await makeWaiting(['a', 'fails', 'c', 'd'])
    receiver.answer = ({ json }, response) =>
      void response.writeHead(json.event.message.text === 'fails' ? 500 : 200).end()
    claim()
    await expect.poll(async () => (await deliveriesOf(service, endpoint))[1]?.attemptCount).toBe(1)
    await expectStatuses(service, endpoint, ['succeeded', 'pending', 'pending', 'pending'])
    expect(texts()).toEqual(['a', 'fails'])
    receiver.answer = (_received, response) => void response.end()
    await moveIntoPast(service, 10_000)
    await expectStatuses(service, endpoint, Array(4).fill('succeeded'))
    expect(texts()).toEqual(['a', 'fails', 'fails', 'c', 'd'])
  })

  test('is not continued after its endpoint was deleted', async () => {
    const { world, endpoint, receiver, claim, texts } = await makeWaiting(['a', 'b'])
    const { held, release } = holdAnswers(receiver)
    claim()
    await expect.poll(() => held.length).toBe(1)
    const input = { endpointID: endpoint.id }
    await mutated(service, operatorToken, 'deleteEventEndpoint', input, 'removedEventEndpointID')
    release()
    const { workspaceID } = world
    await expect.poll(() => db.eventAttempt.count({ where: { workspaceID } })).toBe(1)
    const other = await makeListeningWorld(service)
    await postText(service, other.world, 'later')
    await expectStatuses(service, other.endpoint, ['succeeded'])
    expect(texts()).toEqual(['a'])
  })

  test('uses one connection to the receiver', async () => {
    const { endpoint, receiver, claim } = await makeWaiting(['a', 'b', 'c', 'd'])
    const ports = new Set<number | undefined>()
    receiver.answer = (_received, response) => {
      ports.add(response.socket?.remotePort)
      response.end()
    }
    claim()
    await expectStatuses(service, endpoint, Array(4).fill('succeeded'))
    expect(ports.size).toBe(1)
  })
})

/** Lets all statements fail, from the first one that has the text until `end`. Counts the failures of this statement. */
function startOutage(text: string) {
  let [state, failures]: ['before' | 'during' | 'after', number] = ['before', 0]
  driveStatements(db, (driver) => async (...statement) => {
    const isSelected = statement[0].includes(text)
    if (state === 'before' && isSelected) state = 'during'
    if (state !== 'during') return driver(...statement)
    if (isSelected) failures += 1
    throw new Error('Connection terminated unexpectedly')
  })
  const end = () => {
    state = 'after'
  }
  return { failures: () => failures, end }
}

describe('after an outage of the database', () => {
  test('the outcome of a request is recorded, and the thread goes on', async () => {
    const { endpoint, claim, texts } = await makeWaiting(['a', 'b'])
    const outage = startOutage('INSERT INTO event_attempts')
    claim()
    await expect.poll(outage.failures).toBeGreaterThanOrEqual(3)
    outage.end()
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
    expect(texts()).toEqual(['a', 'b'])
    const deliveries = await deliveriesOf(service, endpoint)
    expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual([1, 1])
  })

  test('a claim that could not be used is released', async () => {
    const { endpoint, claim, texts } = await makeWaiting(['a'])
    // The first statement after the claim reads the installation.
    const outage = startOutage('FROM installations i')
    let releases = 0
    driveStatements(db, (driver) => (...statement) => {
      if (statement[0].trimStart().startsWith('UPDATE event_queues SET next_attempt_at')) releases += 1
      return driver(...statement)
    })
    claim()
    await expect.poll(() => releases).toBeGreaterThanOrEqual(3)
    outage.end()
    await expect.poll(() => msUntilNextAttempt(service, endpoint)).toBeLessThanOrEqual(5000)
    await moveIntoPast(service, 5000)
    await expectStatuses(service, endpoint, ['succeeded'])
    expect(texts()).toEqual(['a'])
  })
})

describe('a claim', () => {
  test('is short, and is renewed while its request lasts', async () => {
    const { world, endpoint, receiver, texts } = await makeListeningWorld(service)
    const { held, release } = holdAnswers(receiver)
    await postText(service, world, 'x')
    await expect.poll(() => held.length).toBe(1)
    expect(await msUntilNextAttempt(service, endpoint)).toBeLessThanOrEqual(5000)
    await db.$executeRaw`UPDATE event_queues SET next_attempt_at = now() - interval '1 minute' WHERE endpoint_id = ${endpoint.id}`
    await expect.poll(() => msUntilNextAttempt(service, endpoint)).toBeGreaterThan(0)
    release()
    await expectStatuses(service, endpoint, ['succeeded'])
    expect(texts()).toEqual(['x'])
  })

  test('that ended during an outage is not taken again by the process that still works on it', async () => {
    const { world, endpoint, receiver, texts } = await makeListeningWorld(service)
    const { held, release } = holdAnswers(receiver)
    await postText(service, world, 'x')
    await expect.poll(() => held.length).toBe(1)
    let isOut = true
    let renewals = 0
    driveStatements(db, (driver) => async (...statement) => {
      const isRenewal = statement[0].includes('AS own (workspace_id, endpoint_id, key, claim, number)')
      if (isRenewal) renewals += 1
      const isRecord = statement[0].includes('INSERT INTO event_attempts')
      if (isOut && (isRenewal || isRecord)) throw new Error('Connection terminated unexpectedly')
      return driver(...statement)
    })
    await db.$executeRaw`UPDATE event_queues SET next_attempt_at = now() - interval '1 minute' WHERE endpoint_id = ${endpoint.id}`
    release()
    await expect.poll(() => renewals).toBeGreaterThanOrEqual(2)
    isOut = false
    await expectStatuses(service, endpoint, ['succeeded'])
    expect(texts()).toEqual(['x'])
    expect((await deliveriesOf(service, endpoint)).map(({ attemptCount }) => attemptCount)).toEqual([1])
  })
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
