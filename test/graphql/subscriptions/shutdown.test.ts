import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { makeWorld } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { textOf } from '../../support/raw-http.ts'
import { initialized, openWebSocket } from '../../support/raw-web-socket.ts'
import { eventsDocument } from '../../support/subscribers.ts'

const payload = { query: eventsDocument }

async function start() {
  const service = await startLiveService()
  const { app } = await makeWorld(service)
  const authorization = `Bearer ${app.token}`
  const post = () =>
    fetch(service.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization },
      body: JSON.stringify(payload),
    })
  return { ...service, post, params: { Authorization: authorization } }
}

test('the shutdown ends 50 open streams: event streams without a complete event, and WebSockets with 1001', async () => {
  const { app, url, post, params } = await start()
  const answers = await Promise.all(Array.from({ length: 25 }, post))
  const sockets = await Promise.all(Array.from({ length: 25 }, () => initialized(url, params)))
  for (const { send } of sockets) send({ type: 'subscribe', id: '1', payload })
  for (const { send, messages } of sockets) {
    send({ type: 'subscribe', id: '2', payload: { query: '{ __typename }' } })
    await expect.poll(() => messages.at(-1)).toMatchObject({ type: 'complete', id: '2' })
  }
  const closing = app.close()
  const [texts, codes] = await Promise.all([
    Promise.all(answers.map((answer) => answer.text())),
    Promise.all(sockets.map(async ({ closed }) => (await closed).code)),
  ])
  await closing
  expect([...new Set(texts)]).toEqual([':\n\n'])
  expect([...new Set(codes)]).toEqual([1001])
})

test('the shutdown does not wait for clients that do not answer or have sent nothing', async () => {
  const { app, url, port, params } = await start()
  const deaf = await initialized(url, params)
  deaf.send({ type: 'subscribe', id: '1', payload })
  deaf.socket.pause()
  const idle = await openWebSocket(url)
  idle.socket.pause()
  const silent = connect({ host: '127.0.0.1', port })
  await once(silent, 'connect')
  const ended = once(silent, 'close')
  silent.resume()
  await app.close()
  await ended
})

test('the service refuses new streams while it stops', async () => {
  const { app, port, params } = await start()
  const socket = connect({ host: '127.0.0.1', port })
  const text = textOf(socket)
  const body = JSON.stringify(payload)
  const request = [
    'POST /public/graphql HTTP/1.1',
    'Host: x',
    `Authorization: ${params.Authorization}`,
    'Accept: text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  socket.write(request)
  await expect.poll(text).toContain(':\n\n')
  const closing = app.close()
  // The stream ends with the last chunk, and its client sends the next request on the same connection.
  await expect.poll(text).toMatch(/\r\n0\r\n\r\n$/)
  socket.write(request)
  await closing
  expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503'])
})

test('during the delay before the shutdown, requests are answered, and streams end in its second half', async () => {
  const { app, port, post } = await start()
  const streams: Promise<number>[] = []
  const open = async () => {
    const answer = await post()
    expect(answer.status).toBe(200)
    streams.push(answer.text().then(() => performance.now()))
  }
  for (let count = 0; count < 3; count += 1) await open()
  const statuses = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return [answer.status, answer.headers.get('connection')]
  }
  expect([await statuses('/health/ready'), await statuses('/health/live')]).toEqual([
    [200, 'keep-alive'],
    [200, 'keep-alive'],
  ])
  const begun = performance.now()
  const drained = app.drain.begin(6000)
  expect([await statuses('/health/ready'), await statuses('/health/live')]).toEqual([
    [503, 'close'],
    [200, 'close'],
  ])
  // A load balancer may not have noticed yet.
  await open()
  await streams[0]
  expect((await post()).status).toBe(503)
  await drained
  expect(performance.now() - begun).toBeGreaterThanOrEqual(5995)
  const ends = (await Promise.all(streams)).map((end) => end - begun)
  expect(ends.filter((end, index) => end < 2995 + 745 * index)).toEqual([])
  await app.close()
})
