import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { borrowDatabase } from '../support/database.ts'
import { driveStatements, holdStatements } from '../support/driven-statements.ts'
import { allowsLoopback, startDelivering, startReceiver } from '../support/event-receiver.ts'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import {
  deliveriesOf,
  expectStatuses,
  holdAnswers,
  makeEndpoint,
  makeListeningWorld,
  postText,
} from './event-endpoints.ts'

// The two services share a database, like two processes.
const database = await borrowDatabase()
const env = { ...allowsLoopback, ENCRYPTION_KEY: randomBytes(32).toString('hex') }
const one = await startService(env, { db: database.db, close: database.giveBack })
const other = await startService(env, { db: database.db, close: async () => undefined })

test('two processes send each event once, and the events of each thread in order', async () => {
  const [world, receiver] = [await makeWorld(one), await startReceiver()]
  const { webhook, publicGroup, app } = world
  const endpoint = await makeEndpoint(one, receiver, { appID: app.id, types: ['messageCreated'] })
  for (const service of [one, other]) startDelivering(service)
  const threads = Array.from({ length: 10 }, (_, number) => `T${number}`)
  const numbers = Array.from({ length: 10 }, (_, number) => number)
  const post = (threadBy: string, number: number) => {
    const body = { target: publicGroup.id, threadBy, threadSubject: threadBy, text: `${threadBy} ${number}` }
    return postToWebhook(number % 2 === 0 ? one : other, webhook.path, body)
  }
  await Promise.all(
    threads.map(async (thread) => {
      for (const number of numbers) await post(thread, number)
    }),
  )
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(threads.length * numbers.length)
  const texts = receiver.received.map(({ json }) => json.event.message.text as string)
  for (const thread of threads)
    expect(texts.filter((text) => text.startsWith(`${thread} `))).toEqual(
      numbers.map((number) => `${thread} ${number}`),
    )
  // A receiver has an event before the outcome is recorded.
  const where = { endpointID: endpoint.id }
  const counts = () => database.db.eventDelivery.groupBy({ by: ['status'], where, _count: true })
  await expect.poll(counts).toEqual([{ status: 'succeeded', _count: threads.length * numbers.length }])
  const deliveries = await deliveriesOf(one, endpoint)
  expect(deliveries.every(({ attemptCount }) => attemptCount === 1)).toBe(true)
})

/** Counts the statements that contain the text and have returned. */
function countStatements(text: string): () => number {
  let count = 0
  driveStatements(database.db, (driver) => async (...statement) => {
    const outcome = await driver(...statement)
    if (statement[0].includes(text)) count += 1
    return outcome
  })
  return () => count
}

test('a process sends nothing more of a claim whose lease has ended', async () => {
  const { world, receiver, endpoint, texts } = await makeListeningWorld(one)
  for (const service of [one, other]) startDelivering(service)
  const { release: claim } = holdStatements(database.db, { text: 'SKIP LOCKED', value: endpoint.id })
  for (const text of ['a', 'b', 'c']) await postText(one, world, text)
  await expect.poll(async () => (await deliveriesOf(one, endpoint)).length).toBe(3)
  const { held, release } = holdAnswers(receiver)
  onTestFinished(release)
  claim()
  await expect.poll(() => held.length).toBe(1)
  const answer = held.shift()
  receiver.answer = (_received, response) => void response.end()
  // The process that waits for the answer renews its lease.
  const endLease = () =>
    database.db.$executeRaw`UPDATE event_queues SET next_attempt_at = now()
      WHERE endpoint_id = ${endpoint.id} AND pending > 0`
  const statuses = async () => {
    await endLease()
    // Otherwise the renewal can always come just before both processes look for what is due.
    for (const { app } of [one, other]) app.deliveries.wake()
    return (await deliveriesOf(one, endpoint)).map(({ status }) => status)
  }
  await expect.poll(statuses).toEqual(Array(3).fill('succeeded'))
  const next = holdAnswers(receiver)
  onTestFinished(next.release)
  await postText(other, world, 'd')
  await expect.poll(() => next.held.length).toBe(1)
  const where = { endpointID: endpoint.id }
  const before = await database.db.eventQueue.findFirst({ where })
  const records = countStatements('INSERT INTO event_attempts')
  answer?.()
  await expect.poll(records).toBe(1)
  expect(await database.db.eventQueue.findFirst({ where })).toEqual(before)
  next.release()
  await expectStatuses(one, endpoint, Array(4).fill('succeeded'))
  expect(texts()).toEqual(['a', 'a', 'b', 'c', 'd'])
  expect((await deliveriesOf(one, endpoint)).map(({ attemptCount }) => attemptCount)).toEqual([1, 1, 1, 1])
  expect(await database.db.eventQueue.findFirst({ where })).toMatchObject({ pending: 0 })
})
