import { describe, expect, test } from 'vitest'
import { makeWorld } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { initialized, openWebSocket } from '../../support/raw-web-socket.ts'
import { eventsDocument, fetchStream, subscribe } from '../../support/subscribers.ts'

const service = await startLiveService()
const { url } = service
const { app, workspaceID } = await makeWorld(service)
const secret = '5ec12e7'.repeat(9).padEnd(64, '0')

const lines = () => service.log.map((line) => JSON.parse(line))

/** Waits until something is logged, and sends another request. Returns the lines before the line of this request. */
async function logged(): Promise<Record<string, unknown>[]> {
  await expect.poll(lines).not.toEqual([])
  await fetch(new URL('/nothing', url))
  await expect.poll(() => lines().at(-1)).toMatchObject({ status: 404 })
  for (const text of service.log) for (const token of [app.token, secret]) expect(text).not.toContain(token)
  return lines().slice(0, -1)
}

const stream = (token: string) => fetchStream(url, token, { query: eventsDocument, operationName: 'Events' })

const ids = { address: '127.0.0.1', appID: app.id, workspaceID }

describe('the log has one line for', () => {
  test('an event stream that its client closes', async () => {
    const answer = await stream(app.token)
    service.log.length = 0
    await answer.body?.cancel()
    expect(await logged()).toEqual([
      expect.objectContaining({
        ...ids,
        msg: 'request',
        route: '/public/graphql',
        status: 200,
        operation: 'Events',
        operationType: 'subscription',
      }),
    ])
  })

  test('an event stream that is refused', async () => {
    service.log.length = 0
    await (await stream(secret)).text()
    expect(await logged()).toEqual([
      expect.objectContaining({ msg: 'request', status: 401, code: 'UNAUTHENTICATED' }),
    ])
  })

  test('a WebSocket that its client closes', async () => {
    service.log.length = 0
    const raw = await initialized(url, { Authorization: `Bearer ${app.token}` })
    raw.send({ type: 'subscribe', id: '1', payload: { query: eventsDocument } })
    raw.send({ type: 'subscribe', id: '2', payload: { query: '{ __typename }' } })
    await expect.poll(() => raw.messages.at(-1).type).toBe('complete')
    raw.socket.close(1000)
    expect(await logged()).toEqual([
      expect.objectContaining({ ...ids, msg: 'WebSocket closed', route: '/public/graphql', code: 1000 }),
    ])
  })

  test('a WebSocket whose connection breaks', async () => {
    const raw = await initialized(url, { Authorization: `Bearer ${app.token}` })
    raw.send({ type: 'subscribe', id: '1', payload: { query: eventsDocument } })
    service.log.length = 0
    raw.socket.terminate()
    expect(await logged()).toEqual([expect.objectContaining({ ...ids, msg: 'WebSocket closed', code: 1006 })])
  })

  test('a WebSocket that is refused', async () => {
    service.log.length = 0
    await subscribe(url, 'WebSocket', { token: secret }).ended
    expect(await logged()).toEqual([expect.objectContaining({ msg: 'WebSocket closed', code: 4403 })])
  })
})

test('a message that is not valid is not logged with its text', async () => {
  service.log.length = 0
  const { send, closed } = await openWebSocket(`${url}?token=${secret}`)
  send(`{"type":"connection_init","payload":{"Authorization":"Bearer ${secret}"`)
  expect((await closed).code).toBe(4400)
  const first = await logged()
  expect(first.map(({ msg }) => msg)).toEqual(['WebSocket closed'])
  const other = await initialized(url, { Authorization: `Bearer ${app.token}` })
  service.log.length = 0
  other.send({ type: 'next', id: '1', payload: { token: secret } })
  await other.closed
  other.socket.terminate()
  const second = await logged()
  expect(second.map(({ msg }) => msg)).toEqual(['a WebSocket message failed', 'WebSocket closed'])
})

test('a stream that ends while a statement runs is not logged as an error', async () => {
  service.log.length = 0
  for (let number = 0; number < 20; number += 1) {
    const answer = await stream(app.token)
    const raw = await initialized(url, { Authorization: `Bearer ${app.token}` })
    raw.send({ type: 'subscribe', id: '1', payload: { query: eventsDocument } })
    await answer.body?.cancel()
    raw.socket.terminate()
  }
  await expect.poll(() => lines().length).toBe(40)
  expect((await logged()).filter(({ level }) => Number(level) > 30)).toEqual([])
})
