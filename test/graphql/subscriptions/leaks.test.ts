import { getEventListeners } from 'node:events'
import { afterAll, expect, test, vi } from 'vitest'
import * as reading from '../../../src/events/read-events.ts'
import { OpenStreams } from '../../../src/graphql/subscriptions/open-streams.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { initialized } from '../../support/raw-web-socket.ts'
import { fetchStream, latestCursor } from '../../support/subscribers.ts'

const service = await startLiveService({ SUBSCRIPTIONS_PER_CALLER: '1000', GRAPHQL_OPERATIONS_AT_ONCE: '32' })
const { url } = service
const world = await makeWorld(service)
const { token } = world.app

const failures: unknown[] = []
const onFailure = (failure: unknown) => void failures.push(failure)
process.on('unhandledRejection', onFailure)
process.on('warning', onFailure)
const add = vi.spyOn(OpenStreams.prototype, 'add')
const readNewBatches = vi.spyOn(reading, 'readNewBatches')
afterAll(() => {
  process.off('unhandledRejection', onFailure)
  process.off('warning', onFailure)
  add.mockRestore()
  readNewBatches.mockRestore()
})

const query = 'subscription { events { id } }'
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
const signalsOfStreams = () => add.mock.calls.map(([, { signal }]) => signal)
const openStreams = () => signalsOfStreams().filter(({ aborted }) => !aborted).length
const opened = (count: number) => expect.poll(() => add.mock.calls.length).toBe(count)
const speak = (text: string) => say(world.as(world.ada.id), [world.publicGroup.id], text)

const openStream = (signal: AbortSignal) => fetchStream(url, token, { query }, { signal })

test('hundreds of closed subscriptions leave no listeners, no timers and no reads of the event log', async () => {
  add.mockClear()
  await speak('warm up')
  const before = timers()
  const sockets = await Promise.all(
    Array.from({ length: 5 }, () => initialized(url, { Authorization: `Bearer ${token}` })),
  )
  for (const { send } of sockets)
    for (let id = 0; id < 40; id += 1) send({ type: 'subscribe', id: `${id}`, payload: { query } })
  await opened(200)
  const closing = new AbortController()
  const answers = await Promise.all(Array.from({ length: 20 }, () => openStream(closing.signal)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await opened(220)
  await speak('heard by all')
  for (const { messages } of sockets)
    await expect.poll(() => messages.filter(({ type }) => type === 'next').length).toBeGreaterThanOrEqual(40)
  for (const [index, { send, socket }] of sockets.entries()) {
    if (index > 2) socket.terminate()
    else for (let id = 0; id < 40; id += 1) send({ type: 'complete', id: `${id}` })
  }
  closing.abort()
  await expect.poll(openStreams).toBe(0)
  const signals = signalsOfStreams()
  // A statement keeps its abort listener until the server has stopped the statement.
  await expect.poll(() => signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([])
  for (const { socket } of sockets) socket.terminate()
  await expect.poll(timers).toBeLessThanOrEqual(before + 5)
  // The last read of the log may still be in flight.
  const readsAfterMessage = async () => {
    readNewBatches.mockClear()
    await speak('heard by nobody')
    const { eventLog } = service.app
    await new Promise<void>((resolve) => {
      const remove = eventLog.onAdvance(() => {
        remove()
        setImmediate(resolve)
      })
      eventLog.wake()
    })
    return readNewBatches.mock.calls.length
  }
  await expect.poll(readsAfterMessage).toBe(0)
  expect(failures).toEqual([])
  expect(service.log.filter((line) => JSON.parse(line).level > 30)).toEqual([])
})

test('a long stream does not accumulate abort listeners', async () => {
  add.mockClear()
  const sockets = await Promise.all(
    [1, 2, 3].map(() => initialized(url, { Authorization: `Bearer ${token}` })),
  )
  const cursor = await latestCursor(service, token)
  const query = `subscription { events(after: "${cursor}", types: [messageCreated]) { id } }`
  for (const { send } of sockets) send({ type: 'subscribe', id: '1', payload: { query } })
  await opened(3)
  const listeners = () => signalsOfStreams().map((signal) => getEventListeners(signal, 'abort').length)
  await speak('first')
  for (const { messages } of sockets) await expect.poll(() => messages.length).toBeGreaterThanOrEqual(2)
  const few = Math.max(...listeners())
  for (let number = 0; number < 50; number += 1) await speak(`message ${number}`)
  for (const { messages } of sockets) await expect.poll(() => messages.length).toBeGreaterThanOrEqual(52)
  await expect.poll(() => Math.max(...listeners())).toBeLessThanOrEqual(few + 1)
  expect(failures).toEqual([])
  for (const { socket } of sockets) socket.terminate()
  await expect.poll(openStreams).toBe(0)
})
