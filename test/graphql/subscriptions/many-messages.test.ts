import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { OperationsAtOnce } from '../../../src/graphql/limits/operations-at-once.ts'
import { afterStatement } from '../../support/after-statement.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { initialized, type RawWebSocket } from '../../support/raw-web-socket.ts'
import { eventsDocument } from '../../support/subscribers.ts'

const perSecond = 100
const service = await startLiveService({ WEBSOCKET_MESSAGES_PER_SECOND: String(perSecond) })
const unlimited = await startLiveService({
  WEBSOCKET_MESSAGES_PER_SECOND: '0',
  GRAPHQL_OPERATIONS_AT_ONCE: '1000',
})
const world = await makeWorld(service)
const other = await makeWorld(service)
const params = { Authorization: `Bearer ${world.app.token}` }
const heartbeatMs = 12_000

/** The operations that have begun, and how many were in work at the same time. */
const operations = { begun: 0, now: 0, most: 0, held: Promise.resolve() }
beforeAll(() => {
  for (const name of ['run', 'runCheap'] as const) {
    const run = OperationsAtOnce.prototype[name]
    vi.spyOn(OperationsAtOnce.prototype, name).mockImplementation(async function (
      this: OperationsAtOnce,
      ...args
    ) {
      operations.begun++
      operations.now++
      operations.most = Math.max(operations.most, operations.now)
      await operations.held
      return run.apply(this, args).finally(() => operations.now--) as never
    })
  }
})
/** Makes operations wait until the returned function is called. */
function holdOperations(): () => void {
  let release = () => {}
  operations.held = new Promise((resolve) => {
    release = resolve
  })
  return release
}
afterEach(async () => {
  // A socket that is still open would handle its other messages in the next second.
  const open = connections.splice(0).filter((connection) => !connection.closed)
  for (const connection of open) connection.destroy()
  await Promise.all(open.map((connection) => connection.closed || once(connection, 'close')))
  await expect.poll(() => operations.now).toBe(0)
  // Otherwise the event log would wait for a timer that never fires.
  if (vi.isFakeTimers()) vi.runOnlyPendingTimers()
  vi.useRealTimers()
  Object.assign(operations, { begun: 0, now: 0, most: 0, held: Promise.resolve() })
})
afterAll(() => void vi.restoreAllMocks())

/** The connections of the service, newest last. */
const connections: Socket[] = []
for (const { app } of [service, unlimited])
  app.server.on('connection', (socket: Socket) => void connections.push(socket))

/** Opens a WebSocket. The seconds of its limit pass when the test says so. */
async function opened() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const raw = await initialized(service.url, params)
  return { ...raw, own: connections.at(-1) }
}
const nextSecond = () => void vi.advanceTimersByTime(1000)

const range = (count: number) => Array.from({ length: count }, (_, number) => number)
const refused = { query: '{ nothing }' }
const events = { query: eventsDocument, variables: { types: ['messageCreated'] } }
const speak = (text: string) => say(world.as(world.ada.id), [world.publicGroup.id], text, 'S')

function sendRefused({ send }: Pick<RawWebSocket, 'send'>, count: number): void {
  for (let number = 0; number < count; number += 1) {
    send({ type: 'subscribe', id: `${number}`, payload: refused })
    send({ type: 'complete', id: `${number}` })
  }
}

describe('many messages on a WebSocket', () => {
  test('do not delay the request of another caller', async () => {
    const raw = await opened()
    sendRefused(raw, 5000)
    await expect.poll(() => operations.begun).toBeGreaterThan(0)
    const { data } = await service.graphql(other.app.token, '{ me { id } }')
    expect(data).toEqual({ me: { id: other.app.userID } })
    expect(operations.begun).toBeLessThanOrEqual(perSecond / 2 + 1)
    nextSecond()
    await expect.poll(() => operations.begun).toBe(perSecond + 1)
  })

  test.each([
    1, 10,
  ])('begin at most 32 operations of a caller over %s sockets, and all are answered', async (count) => {
    const { app } = await makeWorld(unlimited)
    const authorization = { Authorization: `Bearer ${app.token}` }
    const sockets = await Promise.all(range(count).map(() => initialized(unlimited.url, authorization)))
    const each = 500 / count
    for (const raw of sockets)
      for (const number of range(each)) raw.send({ type: 'subscribe', id: `${number}`, payload: refused })
    const errors = () => sockets.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'))
    await expect.poll(() => errors().length).toBe(count * each)
    expect(operations).toMatchObject({ begun: count * each })
    expect(operations.most).toBeLessThanOrEqual(32)
  })

  test('are handled in order, and only so many in a second', async () => {
    const raw = await opened()
    const count = 3 * perSecond
    for (let n = 0; n < count; n += 1) raw.send({ type: 'ping', payload: { n } })
    // The message connection_init counts too.
    await expect.poll(() => raw.messages.length).toBe(perSecond)
    for (let second = 1; second <= 3; second += 1) {
      nextSecond()
      const expected = Math.min((second + 1) * perSecond, 1 + count)
      await expect.poll(() => raw.messages.length).toBe(expected)
    }
    const numbers = raw.messages.slice(1).map(({ payload }) => payload.n)
    expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n))
  })

  test('are read only up to a limit while others wait, also if results are sent meanwhile', async () => {
    const raw = await opened()
    const release = holdOperations()
    raw.send({ type: 'subscribe', id: 'query', payload: { query: '{ me { id } }' } })
    await expect.poll(() => operations.begun).toBe(1)
    const count = 2 * perSecond
    const text = 'x'.repeat(100_000)
    for (let n = 0; n < count; n += 1) raw.send({ type: 'ping', payload: { n, text } })
    // The messages connection_init and subscribe count too.
    await expect.poll(() => raw.messages.length).toBe(perSecond - 1)
    await expect.poll(() => raw.own?.isPaused()).toBe(true)
    const { bytesRead } = raw.own ?? {}
    release()
    await expect.poll(() => raw.messages.at(-1)?.type).toBe('complete')
    expect(raw.own).toMatchObject({ bytesRead })
    expect(raw.own?.isPaused()).toBe(true)
    await expect
      .poll(() => {
        nextSecond()
        return raw.messages.filter(({ type }) => type === 'pong').length
      })
      .toBe(count)
    expect(raw.own?.isPaused()).toBe(false)
  })

  test('are not handled while the client does not read, also in the next second', async () => {
    const raw = await opened()
    raw.socket.pause()
    const text = 'x'.repeat(100_000)
    for (let n = 0; n < 300; n += 1) raw.send({ type: 'ping', payload: { n, text } })
    await expect.poll(() => raw.own?.writableLength).toBeGreaterThan(0)
    await expect.poll(() => raw.own?.isPaused()).toBe(true)
    const { bytesRead } = raw.own ?? {}
    nextSecond()
    nextSecond()
    await service.graphql(other.app.token, '{ me { id } }')
    expect(raw.own).toMatchObject({ bytesRead })
    raw.socket.resume()
    await expect
      .poll(() => {
        nextSecond()
        return raw.messages.length
      })
      .toBe(301)
  })

  test.each(['close', 'terminate'] as const)('wait, and a %s of the client is noticed', async (end) => {
    const raw = await opened()
    sendRefused(raw, 500)
    await expect.poll(() => operations.begun).toBe(perSecond / 2)
    raw.socket[end]()
    await expect.poll(() => raw.own?.destroyed).toBe(true)
    nextSecond()
    await service.graphql(other.app.token, '{ me { id } }')
    expect(operations.begun).toBe(perSecond / 2 + 1)
  })

  test('do not disconnect the client, although the service does not read the answers to its pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { app } = await makeWorld(unlimited)
    const raw = await initialized(unlimited.url, { Authorization: `Bearer ${app.token}` })
    const own = connections.at(-1)
    const release = holdOperations()
    for (const n of range(40)) raw.send({ type: 'subscribe', id: `${n}`, payload: refused })
    await expect.poll(() => operations.now).toBe(32)
    const text = 'x'.repeat(100_000)
    for (let n = 0; n < 50; n += 1) raw.send({ type: 'ping', payload: { n, text } })
    await expect.poll(() => own?.isPaused()).toBe(true)
    for (let count = 0; count < 3; count += 1) vi.advanceTimersByTime(heartbeatMs)
    release()
    await expect.poll(() => raw.messages.filter(({ type }) => type === 'pong').length).toBe(50)
    expect(raw.socket.readyState).toBe(raw.socket.OPEN)
  })
})

describe('an ID that is used again after complete', () => {
  test.each([
    ['a query', { query: '{ me { id } }' }],
    ['a document that is refused', refused],
    ['a subscription', events],
    ['a subscription whose arguments are refused', { query: 'subscription { events(after: "x") { id } }' }],
  ])('names the new subscription, even if the earlier operation was %s and ends later', async (_what, payload) => {
    const raw = await initialized(service.url, params)
    const id = 'again'
    const pong = (n: number) =>
      expect.poll(() => raw.messages.at(-1)).toEqual({ type: 'pong', payload: { n } })
    await afterStatement(
      world.operator.db,
      'FROM access_tokens',
      async () => {
        raw.send({ type: 'complete', id })
        raw.send({ type: 'subscribe', id, payload: events })
        raw.send({ type: 'ping', payload: { n: 1 } })
        await pong(1)
      },
      async () => {
        raw.send({ type: 'subscribe', id, payload })
        await expect.poll(() => operations.begun).toBe(2)
        await expect.poll(() => operations.now).toBe(0)
      },
    )
    await speak('for the new subscription')
    const answers = () => raw.messages.filter((message) => message.id === id)
    await expect.poll(() => answers().length).toBe(1)
    expect(answers()).toEqual([
      {
        id,
        type: 'next',
        payload: { data: { events: expect.objectContaining({ type: 'messageCreated' }) } },
      },
    ])
    raw.send({ type: 'complete', id })
    raw.send({ type: 'ping', payload: { n: 2 } })
    await pong(2)
    await speak('for nobody')
    expect(answers()).toHaveLength(1)
  })
})
