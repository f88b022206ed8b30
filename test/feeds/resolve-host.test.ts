import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { RequestSender } from '../../src/feeds/requests/request-sender.ts'
import { hostResolver } from '../../src/feeds/requests/resolve-host.ts'
import { startReceiver } from '../support/event-receiver.ts'

const request = { headers: { 'content-type': 'application/json' }, body: '{}' }
const [networks, timeoutMs] = [['127.0.0.0/8'], 60_000]

/** Starts a DNS server that knows one name. It does not answer if the first label of a name is `none`. */
async function startNameServer(): Promise<string> {
  const server = createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    const label = query.subarray(13, 13 + (query[12] ?? 0)).toString()
    if (label !== 'none') server.send(answerTo(query, label === 'loopback'), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  return `127.0.0.1:${server.address().port}`
}

/** Answers a query for addresses (RFC 1035 4.1): the header, the question, and the address 127.0.0.1 for A. */
function answerTo(query: Buffer, isKnown: boolean): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5
  const isA = query.readUInt16BE(questionEnd - 4) === 1
  const hasAddress = isKnown && isA
  const header = Buffer.alloc(12)
  for (const [at, value] of [query.readUInt16BE(0), 0x8180, 1, Number(hasAddress)].entries())
    header.writeUInt16BE(value, at * 2)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([header, query.subarray(12, questionEnd), ...(hasAddress ? [record] : [])])
}

const servers = [await startNameServer()]
const receiver = await startReceiver()
const { port } = new URL(receiver.url)

test('names whose name server does not answer do not delay other names', async () => {
  const resolve = hostResolver({ knowsOwnNames: true, servers })
  const sender = new RequestSender({ networks, timeoutMs, resolve })
  const ended: string[] = []
  const send = async (host: string) => {
    const result = await sender.send({ ...request, url: `http://${host}:${port}/` })
    ended.push(host)
    return result
  }
  const hanging = Array.from({ length: 16 }, (_, number) => send(`none.${number}.example`))
  expect(await send('loopback.example')).toMatchObject({ status: 200 })
  expect(ended).toEqual(['loopback.example'])
  sender.close()
  await Promise.allSettled(hanging)
})

test('a name that the DNS does not know is looked up by the operating system only if knowsOwnNames is set', async () => {
  // The DNS does not know 127.1, but the system reads it as an address. A name in /etc/hosts behaves the same way.
  const found = (knowsOwnNames: boolean) =>
    new Promise((resolve) =>
      hostResolver({ knowsOwnNames, servers })('127.1', { all: true }, (error, addresses) =>
        resolve({ code: error?.code, addresses }),
      ),
    )
  expect(await found(true)).toEqual({ code: undefined, addresses: [{ address: '127.0.0.1', family: 4 }] })
  expect(await found(false)).toEqual({ code: 'ENODATA', addresses: [] })
})

test('by default, the operating system looks up localhost', async () => {
  const sender = new RequestSender({ networks, timeoutMs })
  expect(await sender.send({ ...request, url: `http://localhost:${port}/` })).toMatchObject({ status: 200 })
  sender.close()
})
