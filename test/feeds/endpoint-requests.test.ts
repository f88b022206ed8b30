import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isPublicAddress } from '../../src/feeds/requests/allowed-addresses.ts'
import { RequestSender } from '../../src/feeds/requests/request-sender.ts'
import type { ResolveHost } from '../../src/feeds/requests/resolve-host.ts'
import { nextGapMs } from '../../src/feeds/sending/retry-schedule.ts'
import { isInNetworks, parseNetworks } from '../../src/platform/networks.ts'
import { startReceiver } from '../support/event-receiver.ts'

const request = { headers: { 'content-type': 'application/json' }, body: '{}' }
const refused = {
  status: null,
  response: null,
  error: 'The host has no address that requests may be sent to.',
}

/** Returns a resolver that knows one name, like a DNS server of an attacker. */
function resolverTo(...addresses: string[]): ResolveHost {
  return (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
}

describe('a request is not sent to', () => {
  const privateAddresses = [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::2',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ]

  test.each(privateAddresses)('the address %s', async (address) => {
    const { received } = await startReceiver()
    const host = address.includes(':') ? `[${address}]` : address
    const direct = new RequestSender({ networks: [], timeoutMs: 5000 })
    for (const scheme of ['http', 'https'])
      expect(await direct.send({ ...request, url: `${scheme}://${host}/` })).toEqual(refused)
    const named = new RequestSender({ networks: [], timeoutMs: 5000, resolve: resolverTo(address) })
    expect(await named.send({ ...request, url: 'https://rebound.example/' })).toEqual(refused)
    expect([isPublicAddress(address), received]).toEqual([false, []])
  })

  test('localhost, or a loopback address in another notation', async () => {
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    const sender = new RequestSender({ networks: [], timeoutMs: 5000 })
    for (const host of ['localhost', '2130706433', '0x7f.1', '0177.0.0.1'])
      for (const scheme of ['http', 'https'])
        expect(await sender.send({ ...request, url: `${scheme}://${host}:${port}/` })).toEqual(refused)
    expect(receiver.received).toEqual([])
  })

  test('a public address by http', async () => {
    const sender = new RequestSender({ networks: [], timeoutMs: 5000, resolve: resolverTo('8.8.8.8') })
    expect(await sender.send({ ...request, url: 'http://public.example/' })).toEqual(refused)
  })
})

describe('a request is sent to', () => {
  test('an address in a network that is listed in the settings, even if the name also has another address', async () => {
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    const resolve = resolverTo('10.0.0.1', '127.0.0.1')
    const sender = new RequestSender({ networks: ['127.0.0.0/8'], timeoutMs: 5000, resolve })
    const result = await sender.send({ ...request, url: `http://inside.example:${port}/` })
    expect(result).toEqual({ status: 200, response: 'ok', error: null, retryAfter: undefined })
    expect(receiver.received[0]?.headers.host).toBe(`inside.example:${port}`)
    sender.close()
  })

  test('public addresses', () => {
    const addresses = ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8']
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([])
  })

  test('an address in an IPv6 network that the settings list', () => {
    const networks = parseNetworks(['fd00::/8', '10.1.2.3'])
    const inside = ['fd12::1', '10.1.2.3', '::ffff:10.1.2.3', '10.1.2.4', 'fc00::1'].map((address) =>
      isInNetworks(address, networks),
    )
    expect(inside).toEqual([true, true, true, false, false])
  })
})

test('a response with too many headers is a failure', async () => {
  const receiver = await startReceiver()
  receiver.answer = (_received, response) =>
    void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()
  const sender = new RequestSender({ networks: ['127.0.0.1'], timeoutMs: 5000 })
  const result = await sender.send({ ...request, url: receiver.url })
  expect(result).toEqual({
    status: null,
    response: null,
    error: 'The request failed with HPE_HEADER_OVERFLOW.',
  })
})

test('a response that switches protocols is a failure, and its connection is closed', async () => {
  const receiver = await startReceiver()
  const closed = new Promise((resolve) => {
    receiver.answer = (_received, { socket }) => {
      socket?.on('close', resolve)
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
    }
  })
  const sender = new RequestSender({ networks: ['127.0.0.1'], timeoutMs: 5000 })
  const result = await sender.send({ ...request, url: receiver.url })
  expect(result).toEqual({ status: 101, response: null, error: null })
  await closed
})

test('a body that never ends does not prevent success', async () => {
  const receiver = await startReceiver()
  receiver.answer = (_received, response) => void response.writeHead(200).write('begin')
  const sender = new RequestSender({ networks: ['127.0.0.1'], timeoutMs: 300 })
  const result = await sender.send({ ...request, url: receiver.url })
  expect(result).toMatchObject({ status: 200, response: 'begin' })
})

describe('the next attempt', () => {
  const end = 3 * 86_400_000

  test('comes after a growing pause, and the last attempt comes three days after the first', () => {
    const gaps: number[] = []
    let ageMs = 0
    for (let attempts = 1; ; attempts += 1) {
      const gapMs = nextGapMs({ attempts, ageMs })
      if (gapMs === undefined) break
      gaps.push(gapMs / 1000)
      ageMs += gapMs
    }
    expect(gaps.slice(0, 3)).toEqual([10, 60, 600])
    for (const [index, gap] of gaps.slice(3, 7).entries()) {
      expect(gap).toBeGreaterThanOrEqual(0.8 * 1800 * 2 ** index)
      expect(gap).toBeLessThanOrEqual(1.2 * 1800 * 2 ** index)
    }
    expect(ageMs).toBe(end)
    expect(gaps.length).toBeLessThan(20)
  })

  test.each([
    ['30', 30],
    ['5', 10],
    ['Thu, 01 Jan 2026 01:00:00 GMT', 3600],
    ['999999', 12 * 3600],
    ['soon', 10],
    ['-1', 10],
  ])('with Retry-After %s comes after %i seconds', (retryAfter, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    expect(nextGapMs({ attempts: 1, ageMs: 0, retryAfter })).toBe(1000 * seconds)
  })
})
