import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { revokeAccessTokens } from '../../../src/apps/tokens/revoke-access-tokens.ts'
import { OpenStreams } from '../../../src/graphql/subscriptions/open-streams.ts'
import { makeApp, makeWorld, requestToken, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { initialized } from '../../support/raw-web-socket.ts'
import {
  eventsDocument,
  fetchStream,
  latestCursor,
  subscribe,
  transports,
} from '../../support/subscribers.ts'

const service = await startLiveService({ SUBSCRIPTIONS_PER_CALLER: '2', SUBSCRIPTIONS: '3' })
const { url, port } = service
const world = await makeWorld(service)

const add = vi.spyOn(OpenStreams.prototype, 'add')
beforeEach(() => {
  add.mockClear()
})
afterAll(() => add.mockRestore())

/** Waits until this many streams of the test are open. Before that, another attempt could take one of their slots. */
const opened = (count: number) =>
  expect.poll(() => add.mock.results.filter(({ type }) => type === 'return').length).toBe(count)

/** Creates a new app, because each caller has its own limit. */
const newApp = () => makeApp(service, world.operator, world.workspaceID)

const quiet = { query: eventsDocument, variables: { types: ['appInstalled'] } }
const unknownThread = { query: eventsDocument, variables: { threadID: `thr_${'0'.repeat(27)}` } }

const post = (token: string, body: object, signal: AbortSignal | null = null) =>
  fetchStream(url, token, body, { signal })

/** Tries to open an event stream, and closes it. Returns the name of the limit that is reached. */
async function limitReached(token: string): Promise<string | undefined> {
  const answer = await post(token, quiet)
  if (answer.status === 200) return void (await answer.body?.cancel())
  const { errors } = JSON.parse(await answer.text())
  const { code, limit } = errors[0].extensions
  expect([answer.status, answer.headers.get('retry-after'), code]).toEqual([429, '10', 'RATE_LIMITED'])
  return limit.name
}

const eventually = (token: string) => expect.poll(() => limitReached(token))

async function openSocket(token: string) {
  const raw = await initialized(url, { Authorization: `Bearer ${token}` })
  raw.send({ type: 'subscribe', id: '1', payload: quiet })
  return raw
}

/** Ways to open and end a stream. Each function opens a stream, and resolves to a function that ends the stream. */
const ways: [string, (app: { id: string; token: string }) => Promise<() => unknown>][] = [
  [
    'the client closes an event stream',
    async ({ token }) => {
      // Without a reference to the answer, the client would cancel it.
      const answer = await post(token, quiet)
      return () => answer.body?.cancel()
    },
  ],
  [
    'the connection of an event stream breaks',
    async ({ token }) => {
      const socket = connect({ host: '127.0.0.1', port })
      const body = JSON.stringify(quiet)
      const head = ['POST /public/graphql HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
      const accept = ['Accept: text/event-stream', 'Content-Type: application/json']
      socket.write([...head, ...accept, `Content-Length: ${body.length}`, '', body].join('\r\n'))
      return () => socket.resetAndDestroy()
    },
  ],
  [
    'the client completes a subscription of a WebSocket',
    async ({ token }) => {
      const { send } = await openSocket(token)
      return () => send({ type: 'complete', id: '1' })
    },
  ],
  [
    'the client closes a WebSocket',
    async ({ token }) => {
      const { socket } = await openSocket(token)
      return () => socket.close()
    },
  ],
  [
    'the connection of a WebSocket breaks',
    async ({ token }) => {
      const { socket } = await openSocket(token)
      return () => socket.terminate()
    },
  ],
]

describe('a caller', () => {
  test.each(ways)('has its slot again after %s', async (_what, open) => {
    const app = await newApp()
    const ends = [await open(app), await open(app)]
    await opened(2)
    expect(await limitReached(app.token)).toBe('subscriptionsPerCaller')
    for (const end of ends) await end()
    await eventually(app.token).toBeUndefined()
  })

  test('has its slot again after the service has ended the stream', async () => {
    const app = await newApp()
    // A stream notices the revocation at the next event. Therefore these streams receive messages.
    const streams = transports.map((transport) =>
      subscribe(url, transport, { token: app.token, variables: { types: ['messageCreated'] } }),
    )
    await opened(2)
    await revokeAccessTokens(world.operator, { workspaceID: world.workspaceID, appID: app.id })
    await say(world.as(world.ada.id), [world.publicGroup.id], 'hello')
    for (const { ended } of streams) await ended
    const { access_token: token } = (await requestToken(service, app.form)).json()
    expect(await limitReached(token)).toBeUndefined()
  })

  test('has its slots again even if it leaves before the subscription is open', async () => {
    const app = await newApp()
    const raw = await initialized(url, { Authorization: `Bearer ${app.token}` })
    for (let number = 0; number < 20; number += 1) {
      const id = `${number}`
      raw.send({ type: 'subscribe', id, payload: quiet })
      raw.send({ type: 'complete', id })
      const hasty = await initialized(url, { Authorization: `Bearer ${app.token}` })
      hasty.send({ type: 'subscribe', id, payload: quiet })
      hasty.socket[number % 2 === 0 ? 'close' : 'terminate']()
      const closing = new AbortController()
      const answer = post(app.token, quiet, closing.signal).catch(() => undefined)
      for (let turn = 0; turn < number; turn += 1) await setImmediate()
      closing.abort()
      await answer
    }
    // If this stream holds one slot and another stream can be opened, both slots were free.
    const held = await vi.waitFor(async () => {
      const answer = await post(app.token, quiet)
      expect(answer.status).toBe(200)
      return answer
    }, 20_000)
    await eventually(app.token).toBeUndefined()
    await held.body?.cancel()
  })

  test('needs no slot for a query, or for a subscription whose arguments are refused', async () => {
    const app = await newApp()
    const ends = await Promise.all([ways[0]?.[1](app), ways[2]?.[1](app)])
    await opened(2)
    expect(await limitReached(app.token)).toBe('subscriptionsPerCaller')
    const query = '{ me { id } } # not a subscription'
    expect(await (await post(app.token, { query })).text()).toContain(app.userID)
    const raw = await initialized(url, { Authorization: `Bearer ${app.token}` })
    raw.send({ type: 'subscribe', id: '1', payload: { query } })
    await expect.poll(() => raw.messages.at(-1).type).toBe('complete')
    raw.send({ type: 'subscribe', id: '2', payload: quiet })
    await expect
      .poll(() => raw.messages.at(-1))
      .toMatchObject({
        type: 'error',
        payload: [
          { extensions: { code: 'RATE_LIMITED', limit: { name: 'subscriptionsPerCaller', max: 2 } } },
        ],
      })
    for (const end of ends) await end?.()
    await eventually(app.token).toBeUndefined()
    for (let number = 0; number < 5; number += 1)
      expect(await (await post(app.token, unknownThread)).text()).toContain('NOT_FOUND')
    expect(await limitReached(app.token)).toBeUndefined()
  })

  test('shares the limit of the process with other callers', async () => {
    const [one, other] = [await newApp(), await newApp()]
    const open = ways[0]?.[1]
    const ends = [await open?.(one), await open?.(one), await open?.(other)]
    expect(await limitReached(other.token)).toBe('subscriptions')
    expect(await limitReached(one.token)).toBe('subscriptionsPerCaller')
    for (const end of ends) end?.()
    await eventually(other.token).toBeUndefined()
  })
})

test('an event reaches all streams of a caller, even if the caller can run only one operation at a time', async () => {
  const narrow = await startLiveService({ GRAPHQL_OPERATIONS_AT_ONCE: '1', SUBSCRIPTIONS_PER_CALLER: '60' })
  const world = await makeWorld(narrow)
  const raw = await initialized(narrow.url, { Authorization: `Bearer ${world.app.token}` })
  for (const half of [1, 2]) {
    const payload = { ...quiet, variables: { types: ['messageCreated'] } }
    for (let number = 0; number < 30; number += 1)
      raw.send({ type: 'subscribe', id: `${half} ${number}`, payload })
    await opened(half * 30)
  }
  await say(world.as(world.ada.id), [world.publicGroup.id], 'hello')
  await expect.poll(() => raw.messages.length).toBe(61)
  expect(new Set(raw.messages.map(({ type }) => type))).toEqual(new Set(['connection_ack', 'next']))
})

describe('the cost', () => {
  test.each(transports)('of each event is charged, over %s', async (transport) => {
    const metered = await startLiveService({ INSTALLATION_POINTS_PER_MINUTE: '200' })
    const world = await makeWorld(metered)
    const { token } = world.app
    const query = `subscription ($after: String) { events(after: $after, types: [messageCreated]) { cursor message { text html } } }`
    const cursor = await latestCursor(metered, token)
    const stream = subscribe(metered.url, transport, {
      token,
      query,
      variables: { after: cursor },
    })
    const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'message 0', 'S')
    for (let number = 1; number < 20; number += 1)
      await say(world.as(world.ada.id), thread.id, `message ${number}`)
    expect(await stream.ended).toEqual({ codes: ['RATE_LIMITED'] })
    const points = 1 + 20 + 0.3
    const left = 200 - Math.ceil(0.2 * query.length)
    expect(stream.events.length).toBeGreaterThanOrEqual(Math.floor(left / Math.ceil(points)) - 3)
    expect(stream.events.length).toBeLessThan(10)
  })

  test('of a document is charged when its stream is opened, and a document that costs too much is refused', async () => {
    const metered = await startLiveService({ INSTALLATION_POINTS_PER_MINUTE: '100' })
    const { app } = await makeWorld(metered)
    const costly = `subscription { events { thread { messages(first: 100) { nodes { id } } } } }`
    const refused = subscribe(metered.url, 'WebSocket', { token: app.token, query: costly })
    expect(await refused.ended).toEqual({ codes: ['LIMIT_EXCEEDED'] })
    const plain = 'subscription { events { id } } #'.padEnd(300, '-')
    const streams = [1, 2].map(() => subscribe(metered.url, 'SSE', { token: app.token, query: plain }))
    expect(await Promise.race(streams.map(({ ended }) => ended))).toEqual({ codes: [], status: 429 })
  })
})
