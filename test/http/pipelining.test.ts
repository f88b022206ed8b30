import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { revokeAccessTokens } from '../../src/apps/tokens/revoke-access-tokens.ts'
import { afterStatement } from '../support/after-statement.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { closeConnections, openConnection } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'
import { md5Of } from '../support/uploads.ts'

const service = await startService({ WEBHOOK_RATE_PER_MINUTE: '0' })

/** The requests to `/gate` that wait for the test, and the number of those whose connection was closed. */
const gate = { waiting: [] as (() => void)[], closed: 0 }
service.app.get('/gate', (_request, reply) => {
  gate.waiting.push(() => reply.send({ passed: true }))
  reply.raw.once('close', () => reply.raw.writableFinished || gate.closed++)
  return reply
})
const largeChunks = 200
service.app.get('/large', (_request, reply) =>
  reply.send(Readable.from(Array.from({ length: largeChunks }, () => Buffer.alloc(65_536, 'x')))),
)
const world = await makeWorld(service)
const { webhook, publicGroup, operator, workspaceID } = world
service.app.eventLog.start()
const port = await listen(service)
const gateReached = (count = 1) => expect.poll(() => gate.waiting.length).toBe(count)
const openGate = () => gate.waiting.shift()?.()

/** How many requests the service handles now, how many it has handled at once, and the URLs of all. */
const inWork = { now: 0, most: 0, urls: [] as string[] }
const onStart = (handled: unknown) => {
  const { request, reply } = handled as { request: FastifyRequest; reply: FastifyReply }
  inWork.urls.push(request.url)
  inWork.now++
  inWork.most = Math.max(inWork.most, inWork.now)
  reply.raw.once('close', () => inWork.now--)
}
const channel = 'tracing:fastify.request.handler:start'
beforeAll(() => subscribe(channel, onStart))
afterAll(() => void unsubscribe(channel, onStart))
beforeEach(() => {
  Object.assign(inWork, { most: 0, urls: [] })
  Object.assign(gate, { waiting: [], closed: 0 })
})

/** The connections of the service, newest last. */
const connections: Socket[] = []
service.app.server.on('connection', (socket: Socket) => void connections.push(socket))
afterEach(async () => {
  await closeConnections()
  for (const open of gate.waiting) open()
  await expect.poll(() => inWork.now).toBe(0)
})

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')

function send(method: string, path: string, body: string, ...headers: string[]): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [`${method} ${path} HTTP/1.1`, 'Host: x', length, ...headers, '', body].join('\r\n')
}

const json = 'Content-Type: application/json'
const post = (text: string, ...headers: string[]) =>
  send('POST', webhook.path, JSON.stringify({ target: publicGroup.id, text }), json, ...headers)
const upload = (bytes: string, ...headers: string[]) =>
  send(
    'PUT',
    `${webhook.path}/attachment`,
    bytes,
    'X-File-Name: a.txt',
    `Content-MD5: ${md5Of(bytes)}`,
    ...headers,
  )

/** The texts of the messages whose text begins with a prefix, in the order of their positions. */
async function posted(prefix: string): Promise<string[]> {
  const where = { workspaceID, text: { startsWith: prefix } }
  const messages = await operator.db.message.findMany({ where, orderBy: { position: 'asc' } })
  return messages.map(({ text }) => text)
}

/** Sets how long the requests of the current test may take to arrive. Other tests have no limit that a pause exceeds. */
function limitRequestsTo(ms: number): void {
  const { headersTimeout, requestTimeout } = service.app.server
  Object.assign(service.app.server, { headersTimeout: ms, requestTimeout: ms })
  onTestFinished(() => void Object.assign(service.app.server, { headersTimeout, requestTimeout }))
}

describe('pipelined requests', () => {
  test.each([
    ['a webhook', () => post(''), 400],
    [
      'the token endpoint',
      () => send('POST', '/oauth/token', 'grant_type=x', 'Content-Type: application/x-www-form-urlencoded'),
      400,
    ],
    [
      'GraphQL',
      () =>
        send(
          'POST',
          '/public/graphql',
          '{"query":"{ me { id } }"}',
          json,
          `Authorization: Bearer ${world.app.token}`,
        ),
      200,
    ],
    ['a health check', () => get('/health/live'), 200],
  ])('to %s are handled one at a time, beside other clients', async (_what, request, status) => {
    const count = 1000
    const { socket, answers, answered } = await openConnection(port)
    const other = await openConnection(port)
    socket.write(request().repeat(count))
    other.socket.write(get('/health/live?other'))
    await answered(count)
    await other.answered(1)
    expect(new Set(answers())).toEqual(new Set([status]))
    // One request of each connection.
    expect(inWork.most).toBeLessThanOrEqual(2)
    expect(inWork.urls.indexOf('/health/live?other')).toBeLessThan(10)
  })

  test('are answered in order', async () => {
    const { socket, text } = await openConnection(port)
    const numbers = Array.from({ length: 300 }, (_, number) => `ordered ${number}`)
    const ids = numbers.map((_, number) => `X-Request-ID: ordered-${number}`)
    socket.write(numbers.map((number, index) => post(number, ids[index] ?? '')).join(''))
    const answeredIDs = () => [...text().matchAll(/ordered-\d+/g)].map(([id]) => `X-Request-ID: ${id}`)
    await expect.poll(() => answeredIDs().length).toBe(numbers.length)
    expect(answeredIDs()).toEqual(ids)
    expect(await posted('ordered')).toEqual(numbers)
  })

  test('do not begin before the answer of an earlier request has ended', async () => {
    const { socket, answered, answers } = await openConnection(port)
    socket.write(get('/gate') + post('after the gate') + get('/gate'))
    await gateReached()
    socket.write(post('after both gates'))
    await fetch(`http://127.0.0.1:${port}/health/live`)
    expect({ urls: inWork.urls, posted: await posted('after') }).toEqual({
      urls: ['/gate', '/health/live'],
      posted: [],
    })
    openGate()
    await gateReached()
    expect(answers()).toEqual([200, 200])
    expect(await posted('after')).toEqual(['after the gate'])
    openGate()
    await answered(4)
    expect(await posted('after')).toEqual(['after the gate', 'after both gates'])
  })

  test('are received up to a limit, and completely after the first answer', async () => {
    const { socket, answered } = await openConnection(port)
    const own = connections.at(-1)
    const large = post('x'.repeat(40_000))
    const count = 50
    socket.write(get('/gate') + large.repeat(count))
    await gateReached()
    await expect.poll(() => own?.isPaused()).toBe(true)
    expect(own?.bytesRead).toBeLessThan(512 * 1024)
    openGate()
    await answered(count + 1)
  })

  test('do not count the time that the service makes them wait', async () => {
    limitRequestsTo(1000)
    const { socket, answered, answers } = await openConnection(port)
    const late = post('late')
    socket.write(get('/gate') + get('/health/live') + late.slice(0, -10))
    await gateReached()
    // Node checks the limit of one second every second.
    await sleep(2500)
    openGate()
    socket.write(late.slice(-10))
    await answered(3)
    expect(answers()).toEqual([200, 200, 200])
  })
})

async function speak(text: string): Promise<void> {
  await say(world.as(world.ada.id), [publicGroup.id], text, 'S')
  service.app.eventLog.wake()
}

describe('behind a request whose answer is pending', () => {
  test('a body arrives in pieces', async () => {
    const { socket, answered, answers } = await openConnection(port)
    const whole = post('in pieces')
    socket.write(get('/gate') + whole.slice(0, -30))
    await gateReached()
    socket.write(whole.slice(-30, -20))
    openGate()
    await answered(1)
    socket.write(whole.slice(-20))
    await answered(2)
    expect({ answers: answers(), posted: await posted('in pieces') }).toEqual({
      answers: [200, 200],
      posted: ['in pieces'],
    })
  })

  test('an upload that is larger than what the service receives in advance is stored', async () => {
    const { socket, answered, text } = await openConnection(port)
    const own = connections.at(-1)
    const bytes = 'x'.repeat(3_000_000)
    socket.write(get('/gate') + upload(bytes) + upload('small'))
    await gateReached()
    await expect.poll(() => own?.isPaused()).toBe(true)
    openGate()
    await answered(3)
    expect(text().match(/"id":"fil_/g)).toHaveLength(2)
  })

  test('a client that expects 100 Continue receives it when its request begins', async () => {
    const { socket, answered, answers } = await openConnection(port)
    const whole = upload('expected', 'Expect: 100-continue')
    socket.write(get('/gate') + whole.slice(0, -'expected'.length))
    await gateReached()
    expect(answers()).toEqual([])
    openGate()
    await answered(2)
    socket.write('expected')
    await answered(3)
    expect(answers()).toEqual([200, 100, 200])
  })

  test.each([
    'end',
    'destroy',
    'resetAndDestroy',
  ] as const)('a connection that the client closes with %s is noticed, and nothing that waits begins', async (close) => {
    const { socket } = await openConnection(port)
    const waiting = post('never').repeat(650)
    socket.write(get('/gate') + waiting + waiting.slice(0, 40_001))
    await gateReached()
    await expect.poll(() => socket.writableLength).toBe(0)
    socket[close]()
    await expect.poll(() => gate.closed).toBe(1)
    expect({ urls: inWork.urls, posted: await posted('never') }).toEqual({ urls: ['/gate'], posted: [] })
  })

  test('a close is noticed in the middle of a large body', async () => {
    const { socket } = await openConnection(port)
    socket.write(get('/gate') + upload('x'.repeat(150_000)).slice(0, -1))
    await gateReached()
    await expect.poll(() => socket.writableLength).toBe(0)
    socket.destroy()
    await expect.poll(() => gate.closed).toBe(1)
  })

  test('a close cancels a query of GraphQL', async () => {
    const { socket } = await openConnection(port)
    const query = JSON.stringify({ query: '{ me { id } groups { nodes { id } } }' })
    const head = [json, `Authorization: Bearer ${world.app.token}`, 'X-Request-ID: cancelled']
    await afterStatement(
      operator.db,
      'FROM access_tokens',
      async () => {
        const line = () => service.log.find((text) => text.includes('"requestID":"cancelled"'))
        await expect.poll(() => socket.writableLength).toBe(0)
        socket.destroy()
        await expect.poll(line).toContain('request aborted')
      },
      async () => {
        socket.write(send('POST', '/public/graphql', query, ...head) + post('not posted').repeat(10))
        await once(socket, 'close')
      },
    )
    expect(await posted('not posted')).toEqual([])
  })

  test('a malformed request is answered last, and the connection is closed', async () => {
    const { socket, answers } = await openConnection(port)
    socket.write(`${get('/gate')}${post('valid')}nonsense\r\n\r\n`)
    await gateReached()
    openGate()
    await once(socket, 'close')
    expect(answers()).toEqual([200, 200, 400])
  })

  test('a malformed body is answered last', async () => {
    const { socket, answers } = await openConnection(port)
    const chunked = `POST ${webhook.path} HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`
    socket.write(get('/gate') + chunked)
    await gateReached()
    openGate()
    await once(socket, 'close')
    expect(answers()).toEqual([200, 400])
  })

  test('a request with Upgrade: h2c is answered in order', async () => {
    const { socket, answered, answers } = await openConnection(port)
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAAB',
    ]
    const whole = post('upgraded', ...upgrade)
    socket.write(get('/gate') + get('/health/live') + whole.slice(0, -20))
    await gateReached()
    socket.write(whole.slice(-20, -10))
    expect(answers()).toEqual([])
    openGate()
    await answered(2)
    socket.write(whole.slice(-10))
    await answered(3)
    socket.write(get('/health/live'))
    await answered(4)
    expect(await posted('upgraded')).toEqual(['upgraded'])
  })

  test('a WebSocket opens after the answers', async () => {
    const { socket, answered, answers, text } = await openConnection(port)
    const handshake = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    ]
    socket.write(get('/gate') + get('/health/live') + get('/public/graphql', ...handshake))
    await gateReached()
    expect(answers()).toEqual([])
    openGate()
    await answered(3)
    expect(answers()).toEqual([200, 200, 101])
    const ping = Buffer.from('{"type":"ping"}')
    // A masked text frame (RFC 6455 5.2). The mask of zeros changes nothing.
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | ping.length, 0, 0, 0, 0]), ping]))
    await expect.poll(text).toContain('{"type":"pong"}')
  })

  test('a large answer is sent completely while an upgrade waits', async () => {
    const { socket, answered, text } = await openConnection(port)
    socket.write(
      get('/large') + get('/health/live') + get('/health/live', 'Connection: Upgrade', 'Upgrade: h2c'),
    )
    await answered(3)
    expect(text().split('x'.repeat(1000))).toHaveLength(largeChunks * 65 + 1)
  })

  test.each(['a WebSocket', 'h2c'])('a close is noticed while an upgrade to %s waits', async (what) => {
    const { socket } = await openConnection(port)
    const upgrade = what === 'h2c' ? 'h2c' : 'websocket'
    socket.write(
      get('/gate') +
        get('/health/live') +
        get('/public/graphql', 'Connection: Upgrade', `Upgrade: ${upgrade}`),
    )
    await gateReached()
    await expect.poll(() => socket.writableLength).toBe(0)
    socket.destroy()
    await expect.poll(() => gate.closed).toBe(1)
  })

  test('the events of a stream are sent, and the next request is handled after the stream', async () => {
    const { socket, answers, answered, text } = await openConnection(port)
    const app = await makeApp(service, operator, workspaceID)
    const query = 'subscription { events(types: [messageCreated]) { message { text } } }'
    const head = [json, 'Accept: text/event-stream', `Authorization: Bearer ${app.token}`]
    socket.write(send('POST', '/public/graphql', JSON.stringify({ query }), ...head) + post('follows'))
    await expect.poll(text).toContain(':\n\n')
    await speak('streamed')
    await expect.poll(text).toContain('"streamed"')
    expect({ answers: answers(), posted: await posted('follows') }).toEqual({ answers: [200], posted: [] })
    await revokeAccessTokens(operator, { workspaceID, appID: app.id })
    await speak('ends the stream')
    await answered(2)
    expect(await posted('follows')).toEqual(['follows'])
  })
})

test('requests that follow each other on a connection begin as soon as they arrive', async () => {
  const { socket, answered } = await openConnection(port)
  const on = vi.spyOn(ServerResponse.prototype, 'once')
  for (let number = 1; number <= 20; number += 1) {
    socket.write(number % 2 ? post('sequential') : upload(`${number}`))
    await answered(number)
  }
  expect(on.mock.calls.filter(([event]) => event === 'socket')).toEqual([])
  on.mockRestore()
})
