import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { startService } from '../support/service.ts'
import { contentMD5 } from '../support/uploads.ts'

const service = await startLiveService({ MAX_CONNECTIONS_PER_ADDRESS: '0', WEBHOOK_RATE_PER_MINUTE: '0' })
const world = await makeWorld(service)
const { webhook, publicGroup, app } = world

/** The requests that the service handles now and has handled, of the routes whose names begin with a text. */
const inWork = { now: 0, most: 0, routes: [] as string[] }
type Handled = { request: { url: string; method: string }; reply: { raw: { once(event: string, listener: () => void): void } } }
const onStart = (message: unknown) => {
  const { request, reply } = message as Handled
  inWork.routes.push(request.url)
  inWork.now++
  inWork.most = Math.max(inWork.most, inWork.now)
  reply.raw.once('close', () => inWork.now--)
}
const channel = 'tracing:fastify.request.handler:start'
beforeAll(() => subscribe(channel, onStart))
afterAll(() => void unsubscribe(channel, onStart))
beforeEach(() => {
  Object.assign(inWork, { most: 0, routes: [] })
})

const opened = new Set<Socket>()
afterEach(async () => {
  const closed = [...opened].filter((socket) => !socket.closed).map((socket) => once(socket, 'close'))
  for (const socket of opened) socket.destroy()
  await Promise.all(closed)
  opened.clear()
  await expect.poll(() => inWork.now).toBe(0)
})

/** Opens a connection, to which the test writes raw requests. */
async function open(port = service.port) {
  const socket = connect({ host: '127.0.0.1', port })
  opened.add(socket)
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  await once(socket, 'connect')
  const answers = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))
  const answered = (count: number) => expect.poll(() => answers().length).toBe(count)
  return { socket, answers, answered, text: () => text }
}

function post(path: string, body: string, ...headers: string[]): string {
  const type = path.startsWith('/oauth') ? 'application/x-www-form-urlencoded' : 'application/json'
  return [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')
}
const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
const message = (text: string) => post(webhook.path, JSON.stringify({ target: publicGroup.id, text }))
const texts = async (operator = world.operator) =>
  (await operator.db.message.findMany({ where: { workspaceID: world.workspaceID }, orderBy: { position: 'asc' } }))
    .map(({ text }) => text)

/** A stream of events, which is an answer that does not end, and a function that ends it. */
const stream = post(
  '/public/graphql',
  JSON.stringify({ query: 'subscription { events(types: [appInstalled]) { id } }' }),
  'Accept: text/event-stream',
  `Authorization: Bearer ${app.token}`,
)

describe('pipelined requests', () => {
  test('are handled one at a time and answered in order, beside other clients', async () => {
    const count = 5000
    const flood = await open()
    const bodies = Array.from({ length: count }, () => message(''))
    flood.socket.write(bodies.join(''))
    await flood.answered(1)
    const other = await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'innocent' })
    expect(other.statusCode).toBe(200)
    expect(flood.answers().length).toBeLessThan(count)
    await flood.answered(count)
    expect(inWork.most).toBeLessThanOrEqual(2)
  })
})
