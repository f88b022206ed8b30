import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { type Service, startService } from '../support/service.ts'

const limited = await startService({
  MAX_CONNECTIONS_PER_ADDRESS: '2',
  TRUST_PROXY: '127.0.0.3, 127.1.0.0/16',
})
await limited.app.listen({ host: '0.0.0.0', port: 0 })
const opened: Socket[] = []

/** Sends a request on a new connection from a local address, and returns what happens to the connection. */
async function connection(localAddress: string, { app }: Service = limited) {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  opened.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  return Promise.race([once(socket, 'data').then(() => 'served'), once(socket, 'close').then(() => 'closed')])
}

const openConnections = promisify(limited.app.server.getConnections.bind(limited.app.server))

/** Ends all connections, and waits until the server has closed them. */
async function endAll(): Promise<void> {
  for (const socket of opened.splice(0)) socket.destroy()
  while ((await openConnections()) > 0) await sleep(5)
}

afterEach(endAll)

test('connections of an address above the limit are closed, and other addresses are served', async () => {
  limited.log.length = 0
  expect([await connection('127.0.0.1'), await connection('127.0.0.1')]).toEqual(['served', 'served'])
  expect([await connection('127.0.0.1'), await connection('127.0.0.1')]).toEqual(['closed', 'closed'])
  expect(await connection('127.0.0.2')).toBe('served')
  const warnings = limited.log.filter((line) => line.includes('an address has too many connections'))
  expect(warnings.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ address: '127.0.0.1', max: 2 }),
  ])
})

test('an address can open another connection after one of its connections has ended', async () => {
  await connection('127.0.0.1')
  await connection('127.0.0.1')
  expect(await connection('127.0.0.1')).toBe('closed')
  await endAll()
  expect(await connection('127.0.0.1')).toBe('served')
})

test('a trusted proxy has no limit of connections', async () => {
  for (const proxy of ['127.0.0.3', '127.1.2.3']) {
    const all = await Promise.all([1, 2, 3, 4].map(() => connection(proxy)))
    expect(all).toEqual(['served', 'served', 'served', 'served'])
  }
})
