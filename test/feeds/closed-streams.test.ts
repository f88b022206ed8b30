import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeWorld } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const limit = 3
const service = await startService({ SUBSCRIPTIONS_PER_CALLER: String(limit) })
const url = (await service.app.listen({ port: 0 })).replace('http', 'ws')
const payload = { query: 'subscription { events { id } }' }

async function connect(token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/public/graphql`, 'graphql-transport-ws')
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } }))
  await once(socket, 'message')
  return socket
}

const subscribe = (socket: WebSocket, id: string) =>
  socket.send(JSON.stringify({ id, type: 'subscribe', payload }))

/** Opens as many subscriptions as possible, and returns their number. */
async function countPossible(token: string): Promise<number> {
  const socket = await connect(token)
  for (let count = 0; count <= limit; count += 1) subscribe(socket, String(count))
  const [refused] = await once(socket, 'message')
  socket.close()
  await once(socket, 'close')
  return Number(JSON.parse(String(refused)).id)
}

test('a subscription does not stay open if its connection is closed before the subscription has begun', async () => {
  const { app } = await makeWorld(service)
  for (let count = 0; count < limit; count += 1) {
    const socket = await connect(app.token)
    // The second message violates the protocol. Therefore the service closes the connection.
    for (const _ of [1, 2]) subscribe(socket, 'same')
    const [code] = await once(socket, 'close')
    expect(code).toBe(4409)
  }
  await expect.poll(() => countPossible(app.token)).toBe(limit)
})

test('a subscription does not stay open if its client completes it before it has begun', async () => {
  const { app } = await makeWorld(service)
  const socket = await connect(app.token)
  for (let count = 0; count < limit; count += 1) {
    subscribe(socket, `left ${count}`)
    socket.send(JSON.stringify({ id: `left ${count}`, type: 'complete' }))
  }
  await expect.poll(() => countPossible(app.token)).toBe(limit)
  socket.close()
  const isError = (line: string) => JSON.parse(line).level >= 50
  expect(service.log.filter(isError)).toEqual([])
})
