import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { sweepEvents } from '../../../src/events/sweep-events.ts'
import { addReaction } from '../../../src/messages/reactions/react.ts'
import { addRecipients } from '../../../src/messages/thread-changes/change-recipients.ts'
import { type EventsOptions, Skein, type SkeinEvent } from '../../../src/sdk/index.ts'
import { createPerson } from '../../../src/workspaces/users/create-user.ts'
import { makeApp, say, type World } from '../../support/factories.ts'
import { openProxy } from '../../support/proxy.ts'
import { credentialsOf, failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
service.app.eventLog.start()
const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
const graphql = '/public/graphql'

/** Creates a world and a client behind a proxy of its own. `post` sends a message of Ada to a thread. */
async function setUp() {
  const proxy = await openProxy(url)
  onTestFinished(proxy.close)
  const { world, skein } = await makeClients(service, proxy)
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'zero', 'S')
  const post = (text: string) => say(world.as(world.ada.id), thread.id, text)
  const requests = () => proxy.seen(graphql).length
  return { proxy, world, skein, threadID: thread.id, post, requests }
}

/** Returns a function that resolves to the text of the next new message. */
function textsOf(skein: Skein, options: EventsOptions<'messageCreated'> = {}) {
  const events = skein.events({ types: ['messageCreated'], ...options })
  return async () => (await events.next()).value?.message?.text
}

/** Makes all existing events expire, and deletes them. */
async function expireEvents({ operator: { db }, workspaceID }: World) {
  await db.$executeRaw`UPDATE event_batches SET created_at = now() - interval '8 days' WHERE workspace_id = ${workspaceID}`
  await sweepEvents(db, 7)
}

describe('events', () => {
  test('begin after a cursor, and have the fields of their types', async () => {
    const { world, skein, threadID, post } = await setUp()
    const { grace } = world
    const after = await skein.latestEventCursor()
    const { message } = await post('one')
    await addRecipients(world.as(world.ada.id), { threadID, recipientIDs: [grace.id] })
    await createPerson(world.operator, { workspaceID: world.workspaceID, name: 'Joan' })
    const found: SkeinEvent[] = []
    for await (const event of skein.events({ after })) if (found.push(event) === 3) break
    expect(found).toMatchObject([
      {
        type: 'messageCreated',
        objectID: message.id,
        threadID,
        thread: { subject: 'S' },
        message: { text: 'one', user: { name: 'Ada' } },
      },
      { type: 'recipientsAdded', threadID, recipientIDs: [grace.id] },
      { type: 'userCreated', user: { name: 'Joan' } },
    ])
    const second = skein.events({ after: found[0]?.cursor ?? '' })
    expect((await second.next()).value).toEqual(found[1])
    await second.return()
  })

  test('begin at the time of the call, even if the first connection fails', async () => {
    const { proxy, skein, post, requests } = await setUp()
    await skein.me()
    proxy.next(graphql, 'pass', { status: 503 }, { status: 502 })
    const first = textsOf(skein)()
    await expect.poll(requests).toBe(3)
    await post('one')
    expect(await first).toBe('one')
  })

  test('can be limited to a thread, to a group and to types', async () => {
    const { world, skein, threadID, post } = await setUp()
    const after = await skein.latestEventCursor()
    await say(world.as(world.ada.id), [world.generalGroupID], 'elsewhere', 'S')
    await post('here')
    expect(await textsOf(skein, { after, threadID })()).toBe('here')
    expect(await textsOf(skein, { after, groupID: world.publicGroup.id })()).toBe('here')
    expect((await skein.events({ after, types: ['threadCreated'] }).next()).value?.thread?.id).not.toBe(
      threadID,
    )
  })

  test('have types that tell which fields can be null', async () => {
    const { skein } = await setUp()
    expectTypeOf<SkeinEvent<'messageCreated'>['threadID']>().toEqualTypeOf<string>()
    expectTypeOf<SkeinEvent<'messageDeleted'>['message']>().toBeNullable()
    expectTypeOf<SkeinEvent<'membersAdded'>['userIDs']>().toEqualTypeOf<string[]>()
    expectTypeOf<SkeinEvent<'threadUpdated'>['previousSubject']>().toEqualTypeOf<string | null>()
    expectTypeOf<keyof SkeinEvent>().toEqualTypeOf<'id' | 'type' | 'cursor' | 'createdAt' | 'objectID'>()
    const use = async (event: SkeinEvent) => {
      if (event.type === 'reactionAdded') expectTypeOf(event.emoji).toEqualTypeOf<string>()
      // @ts-expect-error A message event has no emoji.
      if (event.type === 'messageCreated') expectTypeOf(event.emoji)
      for await (const selected of skein.events({ types: ['userCreated', 'userUpdated'] }))
        expectTypeOf(selected).toEqualTypeOf<SkeinEvent<'userCreated' | 'userUpdated'>>()
    }
    expectTypeOf(use).toBeFunction()
    // @ts-expect-error There is no such type.
    const followUnknown = () => skein.events({ types: ['messageSent'] })
    expectTypeOf(followUnknown).toBeFunction()
  })

  test('are read one by one, as fast as the loop handles them', async () => {
    const { proxy, world, post } = await setUp()
    let received = 0
    const counting: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          received += chunk.length
          controller.enqueue(chunk)
        },
      })
      return new Response(response.body?.pipeThrough(count), response)
    }
    const skein = new Skein({ ...credentialsOf(proxy, world), fetch: counting })
    const after = await skein.latestEventCursor()
    const long = 'x'.repeat(39_000)
    for (let count = 1; count <= 60; count += 1) await post(`${count} ${long}`)
    let [handled, ahead, count] = [0, 0, 0]
    for await (const event of skein.events({ after, types: ['messageCreated'] })) {
      count += 1
      expect(event.message?.text).toBe(`${count} ${long}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
      handled += JSON.stringify(event).length
      ahead = Math.max(ahead, received - handled)
      if (count === 60) break
    }
    expect(received).toBeGreaterThan(4_000_000)
    expect(ahead).toBeLessThan(1_000_000)
  })
})

describe('a connection', () => {
  test('that is cut is replaced, and each event comes once', async () => {
    const { proxy, skein, post } = await setUp()
    const next = textsOf(skein, { after: await skein.latestEventCursor() })
    for (const round of [1, 2, 3, 4]) {
      const [first, second] = [`first of ${round}`, `second of ${round}`]
      await post(first)
      await post(second)
      expect(await next()).toBe(first)
      proxy.cut()
      expect(await next()).toBe(second)
    }
  })

  test('is opened again and again while the service is unavailable', async () => {
    const { proxy, skein, post, requests } = await setUp()
    const after = await skein.latestEventCursor()
    proxy.next(
      graphql,
      { status: 503 },
      'lose',
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 502 },
    )
    const before = requests()
    await post('one')
    expect(await textsOf(skein, { after })()).toBe('one')
    const times = proxy.seen(graphql).slice(before)
    expect(times.length).toBeGreaterThanOrEqual(5)
  })

  test('updates the cursor even while no event matches, so that the cursor does not expire', async () => {
    const { proxy, world, skein, post, requests } = await setUp()
    const after = await skein.latestEventCursor()
    const next = textsOf(skein, { after, groupID: world.generalGroupID })
    const first = next()
    const before = requests()
    await expect.poll(requests).toBe(before + 1)
    await post('one')
    proxy.cut()
    await expect.poll(requests).toBe(before + 3)
    await expireEvents(world)
    proxy.cut()
    await say(world.as(world.ada.id), [world.generalGroupID], 'two', 'S')
    expect(await first).toBe('two')
  })

  test('is closed when the loop ends', async () => {
    const limited = await startService({ SUBSCRIPTIONS_PER_CALLER: '1' })
    limited.app.eventLog.start()
    const proxy = await openProxy(await limited.app.listen({ host: '127.0.0.1', port: 0 }))
    onTestFinished(proxy.close)
    const { world, skein } = await makeClients(limited, proxy)
    const subscribe = async () => {
      const response = await fetch(`${proxy.url}${graphql}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${world.app.token}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query: 'subscription { events { id } }' }),
      })
      await response.body?.cancel()
      return response.status
    }
    const after = await skein.latestEventCursor()
    await say(world.as(world.ada.id), [world.publicGroup.id], 'one')
    for await (const _event of skein.events({ after })) {
      expect(await subscribe()).toBe(429)
      break
    }
    await expect.poll(subscribe).toBe(200)
  })
})

describe('an abort', () => {
  test('ends the loop with its reason before, while and after the loop waits for an event', async () => {
    const { skein, post, requests } = await setUp()
    const reason = new Error('stop')
    await expect(skein.events({ signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
    const controller = new AbortController()
    const { signal } = controller
    const after = await skein.latestEventCursor()
    const waiting = skein.events({ after, signal }).next()
    const handling = skein.events({ after, types: ['messageCreated'], signal })
    const before = requests()
    await expect.poll(requests).toBe(before + 1)
    await post('one')
    expect((await handling.next()).value?.message?.text).toBe('one')
    expect((await waiting).value?.type).toBe('messageCreated')
    const again = skein.events({ after: await skein.latestEventCursor(), signal }).next()
    await expect.poll(requests).toBe(before + 4)
    controller.abort(reason)
    await expect(again).rejects.toBe(reason)
    await expect(handling.next()).rejects.toBe(reason)
  })

  test('ends a pause before the next attempt', async () => {
    const { proxy, skein, requests } = await setUp()
    const after = await skein.latestEventCursor()
    proxy.next(graphql, { status: 503, headers: { 'retry-after': '3600' } })
    const controller = new AbortController()
    const before = requests()
    const first = skein.events({ after, signal: controller.signal }).next()
    await expect.poll(requests).toBe(before + 1)
    controller.abort(new Error('stop'))
    await expect(first).rejects.toThrow('stop')
  })
})

describe('a token', () => {
  const endTokens = ({ operator: { db }, workspaceID }: World) =>
    db.accessToken.deleteMany({ where: { workspaceID } })

  test('that has ended is replaced, before and during a connection', async () => {
    const { proxy, world, skein, post } = await setUp()
    const next = textsOf(skein, { after: await skein.latestEventCursor() })
    await endTokens(world)
    await post('one')
    expect(await next()).toBe('one')
    const tokens = proxy.seen('/oauth/token').length
    await endTokens(world)
    await post('two')
    expect(await next()).toBe('two')
    expect(proxy.seen('/oauth/token')).toHaveLength(tokens + 1)
  })

  test('that has ended and cannot be replaced makes the loop fail', async () => {
    const { proxy, world, post } = await setUp()
    const skein = new Skein({ baseURL: proxy.url, accessToken: world.app.token })
    const next = textsOf(skein, { after: await skein.latestEventCursor() })
    await post('one')
    await next()
    await endTokens(world)
    await post('two')
    expect(await failureOf(next())).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
  })
})

describe('the loop fails', () => {
  test('with CURSOR_EXPIRED if events after the cursor were deleted', async () => {
    const { world, skein, post } = await setUp()
    const after = await skein.latestEventCursor()
    await post('one')
    await skein.latestEventCursor()
    await expireEvents(world)
    const failure = await failureOf(skein.events({ after }).next())
    expect(failure).toMatchObject({ code: 'CURSOR_EXPIRED', requestID: expect.any(String) })
  })

  test('with NOT_FOUND if the thread is not visible, and with INVALID_INPUT for an invalid cursor', async () => {
    const { world, skein } = await setUp()
    const { thread } = await say(world.as(world.ada.id), [world.grace.id], 'a secret')
    expect(await failureOf(skein.events({ threadID: thread.id }).next())).toMatchObject({ code: 'NOT_FOUND' })
    expect(await failureOf(skein.events({ after: 'x' }).next())).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ field: 'after' }],
    })
  })

  test('with INSUFFICIENT_SCOPE if a type needs another scope, but not if only a field needs it', async () => {
    const { proxy, world, post } = await setUp()
    const { message } = await post('one')
    const { operator, workspaceID, grace } = world
    const reader = await makeApp(service, operator, workspaceID, ['threads.messages:read'])
    const credentials = { clientID: reader.id, clientSecret: reader.clientSecret }
    const skein = new Skein({ ...credentialsOf(proxy, world), ...credentials })
    const after = await skein.latestEventCursor()
    const refused = skein.events({ after, types: ['userCreated'] }).next()
    expect(await failureOf(refused)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
    await addReaction(world.as(grace.id), { messageID: message.id, emoji: '👍' })
    const { value } = await skein.events({ after }).next()
    expect(value).toMatchObject({ type: 'reactionAdded', message: { text: 'one' }, emoji: '👍', user: null })
  })

  test('with UNEXPECTED_ANSWER if the response is not from Skein', async () => {
    const { proxy, skein } = await setUp()
    const after = await skein.latestEventCursor()
    proxy.next(graphql, { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello' })
    expect(await failureOf(skein.events({ after }).next())).toMatchObject({ code: 'UNEXPECTED_ANSWER' })
  })
})
