import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { makeWorld, postToWebhook, requestToken } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { textOf } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'

const service = await startService({ REQUEST_TIMEOUT_SECONDS: '1' })
const port = await listen(service)

/** Sends the text unchanged, and returns everything received until the connection closes. */
async function exchange(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const received = textOf(socket)
  socket.write(text)
  await once(socket, 'close')
  return received()
}

describe('every response', () => {
  test('has the request ID of the caller if it is valid, and otherwise a new one', async () => {
    for (const url of ['/health/live', '/nowhere', '/public/graphql', '/oauth/token', '/webhook/a/b']) {
      const sane = await service.app.inject({ url, headers: { 'x-request-id': 'build-7:a_b.C' } })
      expect(sane.headers['x-request-id']).toBe('build-7:a_b.C')
      expect(sane.headers['x-content-type-options']).toBe('nosniff')
      for (const id of ['', 'a b', 'x'.repeat(129), '<script>']) {
        const other = await service.app.inject({ url, headers: { 'x-request-id': id } })
        expect(other.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      }
    }
  })

  test('is logged once, with the route but not the URL', async () => {
    service.log.length = 0
    await service.app.inject({ method: 'POST', url: '/webhook/wbh_1/secret-key?target=x', payload: {} })
    const lines = service.log.map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({
        method: 'POST',
        route: '/webhook/:webhookID/:key',
        status: 404,
        requestID: expect.any(String),
        ms: expect.any(Number),
      }),
    ])
  })
})

test('an unknown URL returns problem details that do not contain the URL', async () => {
  for (const url of ['/nowhere', '/webhook', '/webhook/wbh_x', '/%zz', `/webhook/${'x'.repeat(600)}/y`]) {
    const answer = await service.app.inject({ url })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.json()).toMatchObject({
      code: expect.any(String),
      requestID: answer.headers['x-request-id'],
    })
    expect(answer.body).not.toContain(url)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  }
})

test('the service returns 400 for invalid HTTP, and 408 for a request that does not arrive in time', async () => {
  const garbage = await exchange('nonsense\r\n\r\n')
  expect(garbage).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(garbage).toContain('"code":"invalid_input"')
  const { webhook } = await makeWorld(service)
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const late = await exchange(`POST ${webhook.path} HTTP/1.1\r\n${headers}`)
  expect(late).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(late).toContain('"code":"request_timeout"')
  expect(late).not.toContain(webhook.path)
})

test('a complete request is answered even if invalid data follows it', async () => {
  const { webhook, publicGroup } = await makeWorld(service)
  const body = JSON.stringify({ target: publicGroup.id, text: 'x' })
  const headers = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const answers = await exchange(`POST ${webhook.path} HTTP/1.1\r\n${headers}${body}nonsense\r\n\r\n`)
  expect(answers).toMatch(/^HTTP\/1.1 200/)
  expect(answers).toContain('"created":true')
})

test('the service returns 400 for a request without Host, and ignores an unknown Expect header', async () => {
  const hostless = await exchange('GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(hostless).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_input"/s)
  const expecting = 'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: a-lot\r\nConnection: close\r\n\r\n'
  expect(await exchange(expecting)).toMatch(/^HTTP\/1.1 200 .*x-content-type-options: nosniff/s)
})

describe('a body that is too large', () => {
  const headersFor = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${5 * 1024 ** 2}\r\n`

  test('is refused before it is asked for', async () => {
    const { webhook } = await makeWorld(service)
    for (const path of [`${webhook.path}/alertmanager`, webhook.path]) {
      const answer = await exchange(`${headersFor(path)}Expect: 100-continue\r\n\r\n`)
      expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 413'])
    }
  })

  test('is refused so that a client that is still sending can read the answer', async () => {
    const { webhook } = await makeWorld(service)
    for (let turn = 0; turn < 10; turn++) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      const received = textOf(socket)
      socket.write(`${headersFor(`${webhook.path}/alertmanager`)}\r\n`)
      // The client reads only after it has sent a part of the body.
      socket.pause()
      for (let part = 0; part < 8; part++) {
        socket.write('x'.repeat(64 * 1024))
        await setTimeout(5)
      }
      socket.resume()
      await expect.poll(received).toMatch(/^HTTP\/1.1 413 .*"code":"too_large"/s)
      socket.destroy()
    }
  })
})

test('a request that the client aborts is logged', async () => {
  const { webhook } = await makeWorld(service)
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${webhook.path} HTTP/1.1\r\nHost: x\r\nX-Request-ID: given-up\r\n`)
  socket.write('Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n')
  await once(socket, 'data')
  socket.write('{')
  socket.destroy()
  await expect.poll(() => service.log.join('')).toContain('"requestID":"given-up"')
})

test('the health endpoints report that the process is live and ready', async () => {
  const probe = await service.app.inject({ method: 'HEAD', url: '/health/ready' })
  expect([probe.statusCode, probe.body]).toEqual([200, ''])
  const posted = await service.app.inject({ method: 'POST', url: '/health/live' })
  expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  expect((await service.app.inject('/health/live')).json()).toEqual({ status: 'live' })
  expect((await service.app.inject('/health/ready')).json()).toEqual({ status: 'ready' })
})

test('an upload by a webhook returns 507 if the disk is full, and stores nothing', async () => {
  const { webhook, operator, workspaceID } = await makeWorld(service)
  // The error of a disk that becomes full during an upload.
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const disk = new Writable({ write: (_chunk, _encoding, done) => done(full) })
  vi.spyOn(operator.storage, 'receive').mockImplementationOnce(
    (bytes) => pipeline(bytes, disk) as Promise<never>,
  )
  const headers = `Host: x\r\nX-File-Name: x\r\nContent-MD5: ${Buffer.alloc(16).toString('base64')}\r\n`
  const answer = await exchange(
    `PUT ${webhook.path}/attachment HTTP/1.1\r\n${headers}Content-Length: 9\r\n\r\nhalf`,
  )
  expect(answer).toMatch(/^HTTP\/1.1 507 .*"code":"out_of_space"/s)
  expect(await operator.db.file.count({ where: { workspaceID } })).toBe(0)
})

test('every transport returns 503 with Retry-After while the database is unavailable', async () => {
  const stranded = await startService({}, await testDatabase())
  const world = await makeWorld(stranded)
  await stranded.closeDatabase()
  const answers = [
    await postToWebhook(stranded, world.webhook.path, { target: world.publicGroup.id, text: 'x' }),
    await requestToken(stranded, world.app.form),
    await stranded.app.inject({
      method: 'POST',
      url: '/public/graphql',
      headers: { authorization: `Bearer ${world.app.token}` },
      payload: { query: '{ me { id } }' },
    }),
    await stranded.app.inject('/health/ready'),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body).not.toMatch(/PGlite|prisma|SELECT|\bat \//i)
  }
  expect((await stranded.app.inject('/health/live')).statusCode).toBe(200)
})
