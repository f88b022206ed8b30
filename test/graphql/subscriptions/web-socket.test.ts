import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { OperationsAtOnce } from '../../../src/graphql/limits/operations-at-once.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { initialized, openWebSocket } from '../../support/raw-web-socket.ts'
import { eventsDocument, latestCursor } from '../../support/subscribers.ts'

const service = await startLiveService({ GRAPHQL_OPERATIONS_AT_ONCE: '2', MAX_JSON_BYTES: '4096' })
const { url } = service
const world = await makeWorld(service)
const { token } = world.app
const params = { Authorization: `Bearer ${token}` }

const payload = { query: eventsDocument }
const speak = () => say(world.as(world.ada.id), [world.publicGroup.id], 'hello', 'S')

/** Runs an operation over a WebSocket, and returns the messages that answer it. */
async function run(payload: object, id = '1') {
  const raw = await initialized(url, params)
  raw.send({ type: 'subscribe', id, payload })
  await expect.poll(() => raw.messages.at(-1).type).toMatch(/complete|error/)
  return raw.messages.slice(1)
}

describe('the service', () => {
  test.each([
    ['requests another protocol', 'graphql-ws'],
    ['requests no protocol', []],
  ])('closes a socket with 4406 if it %s', async (_what, protocol) => {
    // The client refuses to connect if the server does not choose its protocol. Then the client does not report 4406.
    const raw = await openWebSocket(url, {}, protocol).catch((error) => error)
    if (raw instanceof Error) expect(raw.message).toContain('subprotocol')
    else expect((await raw.closed).code).toBe(4406)
  })

  test('chooses its protocol if the client offers several', async () => {
    const { socket } = await openWebSocket(url, {}, ['graphql-ws', 'graphql-transport-ws'])
    expect(socket.protocol).toBe('graphql-transport-ws')
  })

  test('closes a socket with 4408 if it sends no connection_init', async () => {
    const { closed } = await openWebSocket(url)
    expect(await closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' })
  })

  test('closes a socket with 4401 if it subscribes before connection_init', async () => {
    const { send, closed } = await openWebSocket(url)
    send({ type: 'subscribe', id: '1', payload })
    expect(await closed).toEqual({ code: 4401, reason: 'Unauthorized' })
  })

  test('closes a socket with 4429 if it sends connection_init twice', async () => {
    const { send, closed } = await initialized(url, params)
    send({ type: 'connection_init', payload: params })
    expect((await closed).code).toBe(4429)
  })

  test('closes a socket with 4409 if it subscribes twice with the same ID', async () => {
    const { send, closed } = await initialized(url, params)
    send({ type: 'subscribe', id: '1', payload })
    send({ type: 'subscribe', id: '1', payload })
    expect((await closed).code).toBe(4409)
  })

  test.each([
    'é'.repeat(100),
    `-${'é'.repeat(100)}`,
    '日本'.repeat(50),
    `-${'🧶'.repeat(50)}`,
  ])('cuts the reason of a close between two characters: %s', async (id) => {
    const { send, closed } = await initialized(url, params)
    for (let count = 0; count < 2; count += 1) send({ type: 'subscribe', id, payload })
    const { code, reason } = await closed
    expect(code).toBe(4409)
    expect(`Subscriber for ${id}`.startsWith(reason)).toBe(true)
    expect(Buffer.byteLength(reason)).toBeGreaterThan(119)
  })

  test.each([
    ['no JSON', 'hello'],
    ['connection parameters that are a list', { type: 'connection_init', payload: [1] }],
    ['an unknown type', { type: 'start', id: '1', payload }],
    ['no query', { type: 'subscribe', id: '1', payload: {} }],
    ['a type that only servers send', { type: 'next', id: '1', payload: {} }],
  ])('closes a socket with 4400 if it sends %s', async (_what, message) => {
    const { send, closed } = await initialized(url, params)
    send(message)
    expect(await closed).toEqual({ code: 4400, reason: 'Invalid message received' })
  })

  test('closes a socket with 1009 if a message exceeds the body limit', async () => {
    const { send, closed } = await initialized(url, params)
    send({ type: 'ping', payload: { text: 'x'.repeat(5000) } })
    expect((await closed).code).toBe(1009)
  })

  test('answers pings of both kinds', async () => {
    const raw = await initialized(url, params)
    raw.send({ type: 'ping', payload: { n: 1 } })
    await expect.poll(() => raw.messages.at(-1)).toEqual({ type: 'pong', payload: { n: 1 } })
    raw.socket.ping('x')
    expect(String((await once(raw.socket, 'pong'))[0])).toBe('x')
  })
})

describe('a query or mutation over a WebSocket', () => {
  test('returns one result', async () => {
    const name = 'Created over WebSocket'
    const query = `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { name } } }`
    expect(await run({ query, variables: { input: { name } } })).toEqual([
      { type: 'next', id: '1', payload: { data: { createGroup: { group: { name } } } } },
      { type: 'complete', id: '1' },
    ])
  })

  test('returns the errors of fields next to the data', async () => {
    const query = `{ me { id } thread(id: "thr_${'0'.repeat(27)}") { id } }`
    const [next] = await run({ query })
    expect(next).toMatchObject({
      type: 'next',
      payload: {
        data: { me: { id: world.app.userID }, thread: null },
        errors: [{ path: ['thread'], extensions: { code: 'NOT_FOUND', requestID: expect.any(String) } }],
      },
    })
  })

  test.each([
    ['aliases', `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
    ['nesting', `{ a(x: ${'['.repeat(101)}${']'.repeat(101)}) }`],
    ['depth', `{ events { ${'thread { messages { nodes { '.repeat(7)} id ${'} } }'.repeat(7)} } }`],
  ])('has the limit of %s', async (name, query) => {
    const asQuery = name === 'depth' ? query.replace('{ events {', '{ events { nodes {').concat('}') : query
    for (const source of [asQuery, `subscription ${query}`])
      expect(await run({ query: source })).toMatchObject([
        { type: 'error', payload: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: { name } } }] },
      ])
  })

  test.each([
    ['several operations without a name', { query: 'query A { me { id } } query B { me { id } }' }],
    ['an unknown operation name', { query: 'query A { me { id } }', operationName: 'B' }],
    ['several subscriptions without a name', { query: `${eventsDocument} query B { me { id } }` }],
    ['a variable of a wrong type', { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: {} }],
    ['a subscription with a wrong variable', { query: eventsDocument, variables: { types: ['x'] } }],
  ])('is refused with an error for %s, as over HTTP', async (_what, body) => {
    const [message] = await run(body)
    expect(message).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'INVALID_INPUT' } }] })
    if (body.query === eventsDocument) return
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: params.Authorization,
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
      },
      body: JSON.stringify(body),
    })
    const { errors } = (await answer.json()) as { errors: { message: string }[] }
    expect([answer.status, errors.map((error) => error.message)]).toEqual([
      400,
      message.payload.map((error: Error) => error.message),
    ])
  })

  test('runs in a slot of its caller, and waits for it', async () => {
    const run = vi.spyOn(OperationsAtOnce.prototype, 'run')
    onTestFinished(() => run.mockRestore())
    const raw = await initialized(url, params)
    const count = 2 + 2 * 32 + 10
    for (let number = 0; number < count; number += 1)
      raw.send({ type: 'subscribe', id: `q${number}`, payload: { query: '{ groups { nodes { id } } }' } })
    const ended = () => raw.messages.filter(({ type }) => type === 'error' || type === 'complete')
    await expect.poll(() => ended().length).toBe(count)
    expect(ended().every(({ type }) => type === 'complete')).toBe(true)
    expect(run).toHaveBeenCalledTimes(count)
  })
})

test('the error of a document that does not match the schema has its location', async () => {
  expect(await run({ query: 'subscription { nothing }' })).toEqual([
    {
      type: 'error',
      id: '1',
      payload: [
        {
          message: 'Cannot query field "nothing" on type "Subscription".',
          locations: [{ line: 1, column: 16 }],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', requestID: expect.any(String) },
        },
      ],
    },
  ])
})

test('several subscriptions share a WebSocket, and each can be completed', async () => {
  const cursor = await latestCursor(service, token)
  const payload = { query: eventsDocument, variables: { after: cursor } }
  const raw = await initialized(url, params)
  for (const id of ['a', 'b', 'c']) raw.send({ type: 'subscribe', id, payload })
  await speak()
  const nextOf = (id: string) => raw.messages.filter((message) => message.id === id)
  for (const id of ['a', 'b', 'c']) await expect.poll(() => nextOf(id).length).toBe(2)
  raw.send({ type: 'complete', id: 'b' })
  raw.send({ type: 'ping' })
  await expect.poll(() => raw.messages.at(-1)).toEqual({ type: 'pong' })
  await speak()
  for (const id of ['a', 'c']) await expect.poll(() => nextOf(id).length).toBe(4)
  expect(nextOf('b')).toHaveLength(2)
  expect(nextOf('a').map(({ payload }) => payload)).toEqual(nextOf('c').map(({ payload }) => payload))
})
