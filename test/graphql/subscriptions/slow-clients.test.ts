import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { revokeAccessTokens } from '../../../src/apps/tokens/revoke-access-tokens.ts'
import { OpenStreams } from '../../../src/graphql/subscriptions/open-streams.ts'
import { makeApp, makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { textOf } from '../../support/raw-http.ts'
import { initialized } from '../../support/raw-web-socket.ts'
import { type Ending, latestCursor, subscribe, transports } from '../../support/subscribers.ts'

const service = await startLiveService()
const { url, port } = service
const world = await makeWorld(service)
const authorization = `Bearer ${world.app.token}`
const params = { Authorization: authorization }
const heartbeatMs = 12_000
const tick = () => void vi.advanceTimersByTime(heartbeatMs)

/** The connections of the service, newest last. */
const connections: Socket[] = []
service.app.server.on('connection', (socket: Socket) => void connections.push(socket))

const events = 60
const copies = Array.from({ length: 10 }, (_, number) => `copy${number}: text`).join(' ')
const large = `subscription ($after: String) { events(after: $after, types: [messageCreated]) { cursor message { ${copies} } } }`
const eventBytes = 400_000
let after = ''

beforeAll(async () => {
  after = await latestCursor(service, world.app.token)
  const text = (number: number) => `${number} `.padEnd(eventBytes / 10, 'x')
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], text(0), 'S')
  for (let number = 1; number < events; number += 1)
    await say(world.as(world.ada.id), thread.id, text(number))
  // Heartbeats are the only intervals that begin after this.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterAll(() => void vi.useRealTimers())

/** Waits until the service writes no more to a connection, and returns how many bytes are waiting. */
async function waitingBytes(socket: Socket | undefined): Promise<number> {
  let before = -1
  await expect
    .poll(
      () => {
        const written = socket?.bytesWritten ?? 0
        const isSame = written === before && written > eventBytes && socket?.writableLength !== 0
        before = written
        return isSame
      },
      { interval: 300 },
    )
    .toBe(true)
  return socket?.writableLength ?? 0
}

/** Opens an event stream on its own connection. The test decides when to read from the connection. */
async function openStream(body: object) {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const text = JSON.stringify(body)
  socket.write(
    [
      'POST /public/graphql HTTP/1.1',
      'Host: x',
      `Authorization: ${authorization}`,
      'Accept: text/event-stream',
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
      '',
      text,
    ].join('\r\n'),
  )
  return { socket, own: connections.at(-1) }
}

const subscribing = () => ({ type: 'subscribe', id: '1', payload: { query: large, variables: { after } } })

describe('a client that stops reading', () => {
  test('is disconnected from an event stream, and the service keeps few events for it in memory', async () => {
    const { socket, own } = await openStream({ query: large, variables: { after } })
    socket.pause()
    expect(await waitingBytes(own)).toBeLessThan(3 * eventBytes)
    tick()
    tick()
    await expect.poll(() => own?.destroyed).toBe(true)
    const text = textOf(socket)
    socket.resume()
    await once(socket, 'close')
    const cursors = [...text().matchAll(/"cursor":"(\w+)"/g)].map(([, cursor]) => cursor)
    expect(cursors.length).toBeLessThan(events)
  })

  test('is disconnected from a WebSocket with 4408 if it reads again soon, and can continue', async () => {
    const raw = await initialized(url, params)
    const own = connections.at(-1)
    raw.socket.pause()
    raw.send(subscribing())
    expect(await waitingBytes(own)).toBeLessThan(3 * eventBytes)
    tick()
    tick()
    raw.socket.resume()
    expect(await raw.closed).toEqual({
      code: 4408,
      reason: 'The client reads too slowly. Continue after the last cursor.',
    })
    const received = raw.messages.slice(1).map(({ payload }) => payload.data.events)
    expect(received.length).toBeLessThan(events)
    const again = await initialized(url, params)
    after = received.at(-1).cursor
    again.send(subscribing())
    await expect.poll(() => again.messages.length).toBe(1 + events - received.length)
    const rest = again.messages.slice(1).map(({ payload }) => payload.data.events)
    const numbers = [...received, ...rest].map(({ message }) => Number.parseInt(message.copy0, 10))
    expect(numbers).toEqual(Array.from({ length: events }, (_, number) => number))
  })

  test('is disconnected from a WebSocket after another heartbeat if it does not read again', async () => {
    const raw = await initialized(url, params)
    const own = connections.at(-1)
    raw.socket.pause()
    const { data } = await service.graphql(
      world.app.token,
      '{ events(first: 1) { pageInfo { startCursor } } }',
    )
    after = data.events.pageInfo.startCursor
    raw.send(subscribing())
    await waitingBytes(own)
    for (let count = 0; count < 3; count += 1) tick()
    await expect.poll(() => own?.destroyed).toBe(true)
  })

  test('makes the service stop reading its pings until it reads again', async () => {
    const raw = await initialized(url, params)
    const own = connections.at(-1)
    raw.socket.pause()
    const payload = { text: 'x'.repeat(100_000) }
    for (let count = 0; count < 500; count += 1) raw.send({ type: 'ping', payload })
    expect(await waitingBytes(own)).toBeLessThan(20 * eventBytes)
    expect(raw.socket.bufferedAmount).toBeGreaterThan(1_000_000)
    raw.socket.resume()
    await expect.poll(() => raw.messages.length).toBe(501)
  })

  test('has its pings answered again after it has read the last event', async () => {
    const own = await makeWorld(service)
    const raw = await initialized(url, { Authorization: `Bearer ${own.app.token}` })
    const connection = connections.at(-1)
    const latest = await latestCursor(service, own.app.token)
    await say(own.as(own.ada.id), [own.publicGroup.id], '中'.repeat(40_000), 'S')
    const many = Array.from({ length: 95 }, (_, number) => `copy${number}: text`).join(' ')
    // 11 MB, which is more than the buffers of the operating system hold.
    const query = large.replace(copies, many)
    const variables = { after: latest }
    raw.socket.pause()
    raw.send({ type: 'subscribe', id: '1', payload: { query, variables } })
    await expect.poll(() => connection?.isPaused()).toBe(true)
    raw.send({ type: 'ping' })
    // Longer than the second in which the messages of the client are counted.
    await sleep(1100)
    raw.socket.resume()
    await expect.poll(() => raw.messages.at(-1)).toEqual({ type: 'pong' })
  })
})

describe('a quiet stream', () => {
  const quiet = { query: 'subscription { events(types: [appInstalled]) { id } }' }

  test('has heartbeats: comments on an event stream, pings on a WebSocket', async () => {
    const { socket } = await openStream(quiet)
    const text = textOf(socket)
    await expect.poll(text).toContain(':\n\n')
    const raw = await initialized(url, params)
    raw.send({ type: 'subscribe', id: '1', payload: quiet })
    const pings = vi.fn()
    raw.socket.on('ping', pings)
    for (let count = 1; count <= 4; count += 1) {
      tick()
      await expect.poll(() => text().match(/:\n\n/g)).toHaveLength(count + 1)
      await expect.poll(() => pings).toHaveBeenCalledTimes(count)
      // The answer to the ping comes before the next heartbeat.
      raw.send({ type: 'ping' })
      await expect.poll(() => raw.messages).toHaveLength(count + 1)
    }
    expect(raw.socket.readyState).toBe(raw.socket.OPEN)
    socket.destroy()
  })

  test.each(transports)('over %s ends if its token is revoked', async (transport) => {
    const { operator, workspaceID } = world
    const app = await makeApp(service, operator, workspaceID)
    const add = vi.spyOn(OpenStreams.prototype, 'add')
    const { ended } = subscribe(url, transport, { token: app.token, ...quiet })
    await expect.poll(() => add.mock.calls.length).toBe(1)
    add.mockRestore()
    await revokeAccessTokens(operator, { workspaceID, appID: app.id })
    let ending: Ending | undefined
    void ended.then((reached) => {
      ending = reached
    })
    vi.advanceTimersByTime(10_000)
    // The steps are small, because the service disconnects a client that does not answer a ping before the next ping.
    await expect
      .poll(() => {
        vi.advanceTimersByTime(50)
        return ending
      })
      .toEqual(transport === 'SSE' ? { codes: ['UNAUTHENTICATED'] } : { codes: [], closed: 4403 })
  })

  test('over a WebSocket ends if its client does not answer a ping', async () => {
    const raw = await initialized(url, params, { autoPong: false })
    raw.send({ type: 'subscribe', id: '1', payload: quiet })
    tick()
    tick()
    expect((await raw.closed).code).toBe(1006)
  })
})
