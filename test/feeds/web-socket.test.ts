import { createClient } from 'graphql-ws'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeWorld, say } from '../support/factories.ts'
import { withFailingStatement } from '../support/failing-statement.ts'
import { startLiveService } from '../support/live-service.ts'

const service = await startLiveService()
const url = service.url.replace('http', 'ws')

const open: (() => unknown)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** Runs an operation over a WebSocket. Adds each result to the returned array when it arrives. */
function run(token: string, query: string, variables: Record<string, unknown> = {}) {
  const results: object[] = []
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
    retryAttempts: 0,
  })
  open.push(() => client.dispose())
  const sink = {
    next: (result: object) => void results.push(result),
    error: (error: unknown) => void results.push({ error }),
    complete: () => void results.push({ complete: true }),
  }
  client.subscribe({ query, variables }, sink)
  return results
}

describe('a WebSocket', () => {
  test('returns each event with the errors of the fields that the caller may not read', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(service, ['threads.messages:read'])
    const after = (await service.graphql(app.token, '{ latestEventCursor }')).data.latestEventCursor
    const results = run(
      app.token,
      `subscription ($after: String) { events(after: $after, types: [messageCreated]) {
        message { text startedThreads { nodes { id } } } } }`,
      { after },
    )
    await say(as(ada.id), [publicGroup.id], 'one', 'S')
    await say(as(ada.id), [publicGroup.id], 'two', 'S')
    const event = (text: string) => ({
      data: { events: { message: { text, startedThreads: null } } },
      errors: [
        {
          message: expect.any(String),
          locations: [{ line: 2, column: 24 }],
          path: ['events', 'message', 'startedThreads'],
          extensions: expect.objectContaining({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'threads:read' }),
        },
      ],
    })
    await expect.poll(() => results).toEqual([event('one'), event('two')])
  })

  test('ends a subscription with UNAVAILABLE before an event that could not be loaded', async () => {
    const { app, as, ada, publicGroup, operator } = await makeWorld(service)
    const query = `subscription ($after: String) {
      events(after: $after, types: [messageCreated]) { cursor message { text } } }`
    const { data } = await service.graphql(app.token, '{ latestEventCursor }')
    const variables = { after: data.latestEventCursor }
    const event = (text: string) => ({ data: { events: { message: { text } } } })
    const results = run(app.token, query, variables)
    await say(as(ada.id), [publicGroup.id], 'one', 'S')
    await expect.poll(() => results).toMatchObject([event('one')])
    await withFailingStatement(operator.db, 'AND id = m.thread_id OFFSET 0', async () => {
      await say(as(ada.id), [publicGroup.id], 'two', 'S')
      await expect
        .poll(() => results)
        .toMatchObject([event('one'), { error: [{ extensions: { code: 'UNAVAILABLE' } }] }])
    })
    const again = run(app.token, query, variables)
    await expect.poll(() => again).toMatchObject([event('one'), event('two')])
  })

  test('answers a query with its errors', async () => {
    const { app } = await makeWorld(service)
    const results = run(app.token, '{ me { id } searchMessages(query: "x", first: 1000) { nodes { id } } }')
    await expect
      .poll(() => results)
      .toMatchObject([
        {
          data: { me: { id: app.userID }, searchMessages: null },
          errors: [{ path: ['searchMessages'], extensions: { code: expect.any(String) } }],
        },
        { complete: true },
      ])
  })

  test('ends a subscription with an error if its arguments are refused', async () => {
    const { app } = await makeWorld(service)
    const results = run(app.token, 'subscription { events(after: "x") { id } }')
    await expect
      .poll(() => results)
      .toMatchObject([{ error: [{ path: ['events'], extensions: { code: 'INVALID_INPUT' } }] }])
  })
})
