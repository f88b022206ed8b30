import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { makeWorld } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { closeConnections, openConnection, statusesIn } from '../support/raw-http.ts'

const service = await startLiveService({ MAX_CONNECTIONS_PER_ADDRESS: '2' })
const { port } = service
const world = await makeWorld(service)
const { webhook, publicGroup } = world
const key = webhook.path.split('/').at(-1) ?? ''

const warnings: Error[] = []
const onWarning = (warning: Error) => void warnings.push(warning)
process.on('warning', onWarning)
afterAll(() => process.off('warning', onWarning))

afterEach(closeConnections)

/** Opens a connection. `received` waits for a pattern in the received text. */
async function open() {
  const { socket, text, answered } = await openConnection(port)
  const received = async (pattern: RegExp) => {
    await expect.poll(text).toMatch(pattern)
    return text()
  }
  return { socket, write: (...lines: string[]) => socket.write(lines.join('\r\n')), received, answered }
}

const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']
const version = ['GET /health/version HTTP/1.1', 'Host: x']
const post = [`POST ${webhook.path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json']
const body = JSON.stringify({ target: publicGroup.id, text: 'posted' })
const length = `Content-Length: ${Buffer.byteLength(body)}`
const end = ['', '']

describe('a request with Upgrade: h2c', () => {
  test('is answered as if it had no such header', async () => {
    const { write, received } = await open()
    write(...version, ...h2c, ...end)
    const text = await received(/"version"/)
    expect(statusesIn(text)).toEqual([200])
    expect(text).not.toMatch(/^upgrade:/im)
  })

  test('can have a body, in one piece or in several', async () => {
    const { write, received } = await open()
    write(...post, ...h2c, length, ...end)
    for (const part of [body.slice(0, 1), body.slice(1, 20), body.slice(20)]) {
      await sleep(5)
      write(part)
    }
    await received(/messageID/)
    write(...post, ...h2c, length, '', body)
    expect(statusesIn(await received(/messageID[\s\S]*messageID/))).toEqual([200, 200])
  })

  test('can have a chunked body', async () => {
    const { write, received } = await open()
    write(...post, ...h2c, 'Transfer-Encoding: chunked', '', '5', body.slice(0, 5), '')
    await sleep(5)
    write((body.length - 5).toString(16), body.slice(5), '0', ...end)
    expect(statusesIn(await received(/messageID/))).toEqual([200])
  })

  test('can wait for 100 Continue', async () => {
    const { write, received } = await open()
    write(...post, ...h2c, length, 'Expect: 100-continue', ...end)
    await received(/HTTP\/1\.1 100 Continue/)
    write(body)
    expect(statusesIn(await received(/messageID/))).toEqual([100, 200])
  })

  test('leaves the connection usable, also for many such requests', async () => {
    const { write, answered } = await open()
    for (let number = 1; number <= 30; number += 1) {
      write(...version, ...(number % 3 === 0 ? [] : h2c), ...end)
      await answered(number)
    }
    expect(warnings).toEqual([])
  })

  test('still closes the connection if its Connection header contains close', async () => {
    const { socket, write, received } = await open()
    write(...version, 'Connection: Upgrade, close', 'Upgrade: h2c', ...end)
    await once(socket, 'close')
    expect(await received(/"version"/)).toMatch(/^connection: close/im)
  })

  test('is answered after the requests before it on the connection', async () => {
    const { write, received } = await open()
    write([...post, length, '', body].join('\r\n') + [...version, ...h2c, ...end].join('\r\n'))
    expect(await received(/"version"/)).toMatch(/messageID[\s\S]*"version"/)
  })

  test('does not count as another connection', async () => {
    const first = await open()
    for (let number = 1; number <= 5; number += 1) {
      first.write(...version, ...h2c, ...end)
      await first.answered(number)
    }
    const second = await open()
    second.write(...version, ...end)
    await second.received(/"version"/)
    await once((await open()).socket, 'close')
    first.socket.destroy()
    await expect
      .poll(async () => {
        const { write, socket, received } = await open()
        write(...version, ...end)
        return Promise.race([received(/"version"/).then(() => 'served'), once(socket, 'close')])
      })
      .toBe('served')
  })
})

describe('a request with Upgrade: websocket', () => {
  const handshake = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]

  test('on a URL that is not a GraphQL path is answered as if it had no such header, and no webhook key is logged', async () => {
    service.log.length = 0
    const { write, received } = await open()
    write(`GET ${webhook.path} HTTP/1.1`, 'Host: x', ...handshake, ...end)
    await received(/"formats"/)
    write(...post, ...handshake, length, '', body)
    await received(/messageID/)
    write(`GET /nothing/${key} HTTP/1.1`, 'Host: x', ...handshake, ...end)
    expect(statusesIn(await received(/not_found/))).toEqual([200, 200, 404])
    expect(service.log.length).toBeGreaterThanOrEqual(3)
    expect(service.log.join('')).not.toContain(key)
  })

  test('that is not a GET is answered as if it had no such header', async () => {
    const { write, received } = await open()
    const query = '{"query":"{ __typename }"}'
    const token = `Authorization: Bearer ${world.app.token}`
    const type = 'Content-Type: application/json'
    const head = ['POST /public/graphql HTTP/1.1', 'Host: x', token, type, ...handshake]
    write(...head, `Content-Length: ${query.length}`, '', query)
    expect(statusesIn(await received(/"Query"/))).toEqual([200])
  })

  test('opens a WebSocket on the GraphQL paths, with or without a query string', async () => {
    for (const path of ['/public/graphql', '/operator/graphql', '/public/graphql?x=1']) {
      const { socket, write, received } = await open()
      write(`GET ${path} HTTP/1.1`, 'Host: x', ...handshake, ...end)
      expect(statusesIn(await received(/\r\n\r\n/))).toEqual([101])
      socket.destroy()
      await once(socket, 'close')
    }
  })

  test.each([
    ['no key', handshake.slice(0, 3)],
    ['another version', handshake.with(2, 'Sec-WebSocket-Version: 7')],
  ])('with %s is refused', async (_what, lines) => {
    const { write, received } = await open()
    write('GET /public/graphql HTTP/1.1', 'Host: x', ...lines, ...end)
    expect(statusesIn(await received(/\r\n\r\n/))).toEqual([400])
  })

  test('does not remove its connection from the count of connections', async () => {
    const sockets = [await open(), await open()]
    for (const { write, received } of sockets) {
      write('GET /public/graphql HTTP/1.1', 'Host: x', ...handshake, ...end)
      await received(/101 Switching/)
    }
    await once((await open()).socket, 'close')
  })
})
