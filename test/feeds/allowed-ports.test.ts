import { describe, expect, test } from 'vitest'
import { RequestSender } from '../../src/feeds/requests/request-sender.ts'
import { allowsLoopback, startDelivering, startReceiver } from '../support/event-receiver.ts'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { mutate, refused } from '../support/mutations.ts'
import { operatorToken, type Service, startService } from '../support/service.ts'
import { deliveriesOf, makeEndpoint } from './event-endpoints.ts'

const receiver = await startReceiver()
const { port } = new URL(receiver.url)
const service = await startService()
const loopback = await startService(allowsLoopback)
// The ports of discard and of PostgreSQL are dangerous.
const listedPorts = `127.0.0.1:${port},127.0.0.1:9,[2001:db8::/32]:8443,[2001:db8::/32]:5432`
const listed = await startService({ EVENT_ALLOW_PRIVATE_ADDRESSES: listedPorts })

const ports = [0, 1, 20, 21, 22, 23, 25, 53, 110, 143, 389, 445, 465, 514, 587, 636, 993, 1433, 1521, 2049]
const dangerous = [...ports, 2375, 2379, 3306, 5060, 5432, 5672, 6000, 6379, 6667, 9042, 9092, 9200, 10080]
dangerous.push(11211, 26379, 27017)

const request = { headers: {}, body: '{}' }
const refusedPort = {
  status: null,
  response: null,
  error: 'Requests may not be sent to the port of the URL.',
}
const refusedAddress = { ...refusedPort, error: 'The host has no address that requests may be sent to.' }

/** Returns a function that creates an endpoint, and returns what is wrong with its fields. */
async function creator(where: Service) {
  const { app } = await makeWorld(where)
  return async (url: string): Promise<string[]> => {
    const input = { url, appID: app.id }
    const { errors = [] } = await mutate(where, operatorToken, 'createEventEndpoint', input, '__typename')
    type Problem = { field: string; message: string }
    const problems: Problem[] = errors.flatMap(({ extensions }) => extensions.errors as Problem[])
    return problems.map(({ field, message }) => `${field} ${message}`)
  }
}

const aboutPort = expect.stringMatching(/^url must not have a port .* setting EVENT_ALLOW_PRIVATE_ADDRESSES$/)

describe('an endpoint cannot have', () => {
  test('a dangerous port', async () => {
    const [create, createLocal] = [await creator(service), await creator(loopback)]
    for (const number of dangerous.filter((each) => each > 0)) {
      expect(await create(`https://receiver.example.com:${number}/`)).toEqual([aboutPort])
      expect(await create(`https://8.8.8.8:${number}/`)).toEqual([aboutPort])
      expect(await createLocal(`http://127.0.0.1:${number}/`)).toEqual([aboutPort])
    }
  })

  test('a dangerous port after a change', async () => {
    const { app } = await makeWorld(service)
    const { id: endpointID } = await makeEndpoint(service, { url: 'https://a.example/' }, { appID: app.id })
    const input = { endpointID, url: 'https://a.example:6379/' }
    expect(await refused(service, operatorToken, 'updateEventEndpoint', input, '__typename')).toEqual([
      'INVALID_INPUT',
      'url',
    ])
  })
})

describe('an address with a port in the settings', () => {
  test('is allowed with this port, even if the port is dangerous', async () => {
    const accepted = [`http://127.0.0.1:${port}/`, 'http://127.0.0.1:9/', 'https://[2001:db8::1]:8443/']
    const create = await creator(listed)
    for (const url of [...accepted, 'http://[2001:db8:1::]:5432/']) expect(await create(url)).toEqual([])
  })

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:8080/',
    'http://127.0.0.2:9/',
    'http://[2001:db8::1]:8444/',
    'https://[fd00::1]:8443/',
    'https://8.8.8.8:9/',
  ])('does not allow %s', async (url) => {
    const create = await creator(listed)
    expect(await create(url)).toEqual([expect.stringMatching(/^url must /)])
  })

  test('is allowed if it is IPv4 in IPv6 form', async () => {
    const entries = '[::ffff:127.0.0.1]:8080,[::ffff:10.0.0.0/104]:80,::ffff:192.168.1.1'
    const create = await creator(await startService({ EVENT_ALLOW_PRIVATE_ADDRESSES: entries }))
    for (const host of ['127.0.0.1:8080', '[::ffff:127.0.0.1]:8080', '10.1.2.3', '192.168.1.1:81'])
      expect(await create(`http://${host}/`)).toEqual([])
    for (const host of ['127.0.0.1', '10.1.2.3:81', '11.1.2.3', '192.168.1.2'])
      expect(await create(`http://${host}/`)).toEqual([expect.stringMatching(/^url must /)])
  })

  test('is the only one that a request is sent to', async () => {
    const networks = listedPorts.split(',')
    const sender = new RequestSender({
      networks,
      timeoutMs: 5000,
      resolve: (name, _options, callback) =>
        callback(null, [{ address: name === 'inside.example' ? '127.0.0.1' : '8.8.8.8', family: 4 }]),
    })
    const send = (url: string) => sender.send({ ...request, url })
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
    expect(await send(`http://inside.example:${port}/`)).toMatchObject({ status: 200 })
    // Nothing listens there, but the request was sent.
    expect(await send('http://127.0.0.1:9/')).toMatchObject({
      error: 'The request failed with ECONNREFUSED.',
    })
    for (const url of ['http://127.0.0.1:2/', 'http://inside.example:2/', 'https://outside.example:9/'])
      expect(await send(url)).toEqual(refusedAddress)
    sender.close()
  })
})

describe('a request is not sent to', () => {
  const sender = (networks: string[]) =>
    new RequestSender({
      networks,
      timeoutMs: 5000,
      resolve: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    })

  test('a dangerous port', async () => {
    const hosts = ['8.8.8.8', '127.0.0.1', 'inside.example']
    for (const networks of [[], ['127.0.0.0/8'], ['127.0.0.0/8', '127.0.0.0/8:80']])
      for (const url of hosts.flatMap((host) => dangerous.map((number) => `https://${host}:${number}/`)))
        expect(await sender(networks).send({ ...request, url })).toEqual(refusedPort)
  })

  test('a dangerous port of an endpoint that was stored before', async () => {
    const world = await makeWorld(loopback)
    const { id } = await makeEndpoint(loopback, { url: 'http://127.0.0.1:2/' }, { appID: world.app.id })
    await world.operator.db.eventEndpoint.updateMany({
      where: { id },
      data: { url: 'http://127.0.0.1:5432/' },
    })
    startDelivering(loopback)
    await postToWebhook(loopback, world.webhook.path, { target: world.publicGroup.id, text: 'x' })
    await expect
      .poll(async () => (await deliveriesOf(loopback, { id }))[0]?.attempts)
      .toEqual([{ number: 1, ...refusedPort }])
  })
})
