import { createClient } from 'graphql-sse'
import { describe, expect, test } from 'vitest'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { eventsDocument, fetchStream, latestCursor } from '../../support/subscribers.ts'

const service = await startLiveService()
const { url } = service
const world = await makeWorld(service)
const { token } = world.app

const speak = (text: string) => say(world.as(world.ada.id), [world.publicGroup.id], text, 'S')

async function variables() {
  return { after: await latestCursor(service, token), types: ['messageCreated'] }
}

const post = (body: object, accept?: string) => fetchStream(url, token, body, { accept })

/** Reads a stream until its text has the pattern. Then closes it. */
async function read(answer: Response, pattern: RegExp): Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader && !pattern.test(text)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The stream ended: ${text}`)
    text += value
  }
  await reader?.cancel()
  return text
}

/** Returns the messages of a stream, without the comments. */
const messagesIn = (text: string) =>
  text
    .split('\n\n')
    .filter((part) => part.startsWith('event:'))
    .map((part) => {
      const [, event, data = ''] = /^event: (.*)\ndata: ?(.*)$/.exec(part) ?? []
      return { event, data: data && JSON.parse(data) }
    })

describe('an event stream', () => {
  test('begins with a comment, and has the headers that proxies need', async () => {
    const answer = await post({ query: eventsDocument })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    expect(await read(answer, /\n\n/)).toBe(':\n\n')
  })

  test('has a message for each event, and keeps line breaks in the JSON', async () => {
    const answer = await post({ query: eventsDocument, variables: await variables() })
    await speak('one\ntwo')
    await speak('three')
    const messages = messagesIn(await read(answer, /three.*\n\n/))
    expect(messages).toMatchObject([
      { event: 'next', data: { data: { events: { message: { text: 'one\ntwo' } } } } },
      { event: 'next', data: { data: { events: { message: { text: 'three' } } } } },
    ])
  })

  test('can be opened by GET with a token', async () => {
    const query = new URLSearchParams({
      query: eventsDocument,
      variables: JSON.stringify(await variables()),
      operationName: 'Events',
    })
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const answer = await fetch(`${url}?${query}`, { headers })
    await speak('by GET')
    expect(messagesIn(await read(answer, /by GET.*\n\n/))).toHaveLength(1)
  })

  test.each([
    ['a query', '{ me { id } }', { data: { me: { id: world.app.userID } } }],
    [
      'a query with an error',
      `{ thread(id: "thr_${'0'.repeat(27)}") { id } }`,
      { data: { thread: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    ],
    [
      'a document that does not parse',
      '{ me {',
      { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
    ],
    [
      'a document that exceeds a limit',
      `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      { errors: [{ extensions: { code: 'LIMIT_EXCEEDED', limit: { name: 'aliases' } } }] },
    ],
    [
      'a subscription that does not match the schema',
      'subscription { nothing }',
      { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    ],
    [
      'an unknown thread',
      `subscription { threadEvents(threadID: "thr_${'0'.repeat(27)}") { id } }`,
      { errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    ],
  ])('has one result and its end for %s', async (_what, query, data) => {
    const answer = await post({ query })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(messagesIn(await answer.text())).toMatchObject([
      { event: 'next', data },
      { event: 'complete', data: '' },
    ])
  })

  test('delivers the result of a mutation to a client that accepts only streams, and the mutation runs once', async () => {
    const client = createClient({ url, headers: { authorization: `Bearer ${token}` }, retryAttempts: 0 })
    const query = `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { name } } }`
    const results: unknown[] = []
    for await (const result of client.iterate({ query, variables: { input: { name: 'By SSE' } } }))
      results.push(result)
    expect(results).toMatchObject([{ data: { createGroup: { group: { name: 'By SSE' } } } }])
    expect(await world.operator.db.group.count({ where: { name: 'By SSE' } })).toBe(1)
  })
})

describe('the Accept header', () => {
  const ofURQL =
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'

  test('of urql gives JSON for a query, and a stream for a subscription', async () => {
    const json = await post({ query: '{ me { id } }' }, ofURQL)
    expect(json.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')
    expect(await json.json()).toMatchObject({ data: { me: { id: world.app.userID } } })
    const stream = await post({ query: eventsDocument }, ofURQL)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await stream.body?.cancel()
  })

  test('of urql gives JSON for a document that does not match the schema', async () => {
    for (const query of ['subscription { nothing }', '{ nothing }']) {
      const answer = await post({ query }, ofURQL)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        400,
        'application/graphql-response+json; charset=utf-8',
      ])
      expect(await answer.json()).toMatchObject({
        errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
      })
    }
  })

  test.each([
    'Text/Event-Stream',
    'text/event-stream; charset=utf-8',
    'text/event-stream;q=0.5, */*;q=0.1',
  ])('can be %s', async (accept) => {
    const stream = await post({ query: eventsDocument }, accept)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await stream.body?.cancel()
  })

  test.each([
    'application/json',
    '*/*',
    'text/*',
  ])('%s causes a refusal of a subscription', async (accept) => {
    const answer = await post({ query: eventsDocument }, accept)
    if (accept === 'text/*') return void expect(answer.status).toBe(406)
    expect(await answer.json()).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('Send Accept: text/event-stream, or use a WebSocket'),
          extensions: { code: 'INVALID_INPUT' },
        },
      ],
    })
  })

  test('text/event-stream does not change the 405 that PUT returns', async () => {
    const put = await fetch(url, { method: 'PUT', headers: { accept: 'text/event-stream' } })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
  })
})
