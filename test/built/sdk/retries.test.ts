import { describe, expect, type TestContext, test } from 'vitest'
import { SendMessageDocument, UpdateThreadDocument } from '../../../src/sdk/index.ts'
import { say, type World } from '../../support/factories.ts'
import { openProxy, type Twist, type TwistingProxy } from '../../support/proxy.ts'
import { all, failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
const graphql = '/public/graphql'
const unavailable = { status: 503, headers: { 'retry-after': '1' } }

const countMessages = ({ operator, workspaceID }: World) =>
  operator.db.message.count({ where: { workspaceID } })
const countThreads = ({ operator, workspaceID }: World) =>
  operator.db.thread.count({ where: { workspaceID, kind: 'thread' } })

/** Creates a world and its clients behind a proxy of their own, because the tests run at the same time. */
async function setUp(onTestFinished: TestContext['onTestFinished']) {
  const proxy = await openProxy(url)
  onTestFinished(proxy.close)
  return { proxy, ...(await makeClients(service, proxy)) }
}

/** Returns how often the path was requested during `call`, and the result of `call`. */
async function counting<T>(proxy: TwistingProxy, path: string, call: () => Promise<T>): Promise<[number, T]> {
  const before = proxy.seen(path).length
  const result = await call()
  return [proxy.seen(path).length - before, result]
}

// The response is lost after the service has committed the change, and the client sends the request again.
describe.each<Twist>(['lose', 'truncate'])('when the response is lost (%s), one message exists', {
  concurrent: true,
}, (twist) => {
  test('after a post to a chat, or to a new thread', async ({ onTestFinished }) => {
    const { world, webhook, proxy } = await setUp(onTestFinished)
    const target = world.publicGroup.id
    for (const more of [{}, { threadSubject: 'Opened' }, { threadSubject: 'Keyed', threadBy: 'key' }]) {
      const before = [await countMessages(world), await countThreads(world)]
      proxy.next('/webhook', twist, twist)
      const [times, posted] = await counting(proxy, '/webhook', () =>
        webhook.post({ target, text: 'Once', ...more }),
      )
      expect([times, posted.created]).toEqual([3, true])
      const after = [await countMessages(world), await countThreads(world)]
      expect(after).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + ('threadSubject' in more ? 1 : 0)])
    }
  })

  test('after sendMessage to a thread, a chat, a DM or a new thread', async ({ onTestFinished }) => {
    const { world, skein, proxy } = await setUp(onTestFinished)
    const { thread, message } = await say(world.as(world.ada.id), [world.publicGroup.id], 'x', 'There')
    const recipients = [world.publicGroup.id]
    const places = [
      { threadID: thread.id },
      { thread: { recipients } },
      { thread: { recipients: [world.ada.id] } },
      { thread: { recipients, subject: 'Opened' } },
      { thread: { recipients: [world.ada.id, world.grace.id], subject: 'Opened', threadBy: 'key' } },
      { thread: { recipients: [], fromMessageID: message.id } },
    ]
    for (const [index, place] of places.entries()) {
      const before = [await countMessages(world), await countThreads(world)]
      proxy.next(graphql, twist)
      const [times, sent] = await counting(proxy, graphql, () =>
        skein.sendMessage({ ...place, message: { text: 'Once' } }),
      )
      expect([times, sent.created, sent.message.text]).toEqual([2, true, 'Once'])
      const after = [await countMessages(world), await countThreads(world)]
      expect(after).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + (index > 2 ? 1 : 0)])
    }
  })

  test('after each of thirty concurrent posts and sendMessage calls', { timeout: 90_000 }, async ({
    onTestFinished,
  }) => {
    const { world, skein, webhook, proxy } = await setUp(onTestFinished)
    const target = world.publicGroup.id
    await skein.me()
    proxy.next('/webhook', ...Array<Twist>(30).fill(twist))
    proxy.next(graphql, ...Array<Twist>(30).fill(twist))
    const calls = Array.from({ length: 30 }, (_, turn) => [
      webhook.post({ target, text: `post ${turn}` }),
      skein.sendMessage({ thread: { recipients: [target] }, message: { text: `message ${turn}` } }),
    ])
    const threadIDs = (await Promise.all(calls.flat())).map((sent) =>
      'threadID' in sent ? sent.threadID : sent.thread.id,
    )
    const texts = (await all(skein.messages(threadIDs[0] ?? ''))).map(({ text }) => text)
    expect(texts).toHaveLength(60)
    expect(new Set(texts).size).toBe(60)
  })
})

test.concurrent('the uniqueBy of the caller is used, and `created` says whether the message is new', async ({
  onTestFinished,
}) => {
  const { world, skein, webhook } = await setUp(onTestFinished)
  const recipients = [world.publicGroup.id]
  const send = (text: string) =>
    skein.sendMessage({ thread: { recipients }, message: { text, uniqueBy: 'k' } })
  expect([(await send('one')).created, (await send('two')).created]).toEqual([true, false])
  const post = (text: string) => webhook.post({ target: world.publicGroup.id, text, uniqueBy: 'k' })
  const [first, second] = [await post('one'), await post('two')]
  expect([first.created, second.created, second.messageID]).toEqual([true, false, first.messageID])
})

test.concurrent('idempotent changes are retried', async ({ onTestFinished }) => {
  const { world, skein, proxy } = await setUp(onTestFinished)
  const sent = await skein.sendMessage({
    thread: { recipients: [world.publicGroup.id] },
    message: { text: 'x' },
  })
  const messageID = sent.message.id
  const changes = [
    () => skein.editMessage({ messageID, text: 'y' }),
    () => skein.addReaction({ messageID, emoji: '👍' }),
    () => skein.removeReaction({ messageID, emoji: '👍' }),
    () => skein.deleteMessage({ messageID }),
    () => skein.markRead({ threadID: sent.thread.id }),
    () => skein.thread(sent.thread.id),
  ]
  for (const change of changes) {
    proxy.next(graphql, 'lose')
    expect((await counting<unknown>(proxy, graphql, change))[0]).toBe(2)
  }
})

test.concurrent('a mutation that may not be safe to repeat is sent only once', async ({ onTestFinished }) => {
  const { world, skein, proxy } = await setUp(onTestFinished)
  const recipients = [world.publicGroup.id]
  const input = { thread: { recipients, subject: 'Twice?' }, message: { text: 'x' } }
  const source = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { created } }'
  const several = { ...input, thread: { recipients: [world.ada.id, world.grace.id] } }
  const calls = [
    () => skein.request(source, { input }),
    () => skein.request(SendMessageDocument, { input }),
    () => skein.sendMessage(several),
  ]
  for (const call of calls) {
    for (const twist of ['lose', unavailable] as const) {
      proxy.next(graphql, twist)
      const [times, error] = await counting(proxy, graphql, () => failureOf(call()))
      expect([times, error.code, error.isTemporary]).toEqual([1, expect.any(String), true])
    }
  }
  expect(await countThreads(world)).toBe(calls.length)
})

test.concurrent('a document is retried if the caller says that it is repeatable', async ({
  onTestFinished,
}) => {
  const { world, skein, proxy } = await setUp(onTestFinished)
  const { thread } = await skein.sendMessage({
    thread: { recipients: [world.publicGroup.id], subject: 'Old' },
    message: { text: 'x' },
  })
  proxy.next(graphql, 'lose')
  const variables = { input: { threadID: thread.id, subject: 'New' } }
  const changed = await skein.request(UpdateThreadDocument, variables, { isRepeatable: true })
  expect(changed.updateThread?.thread?.subject).toBe('New')
})

test('a call with a permanent failure is not retried', async ({ onTestFinished }) => {
  const { webhook, proxy } = await setUp(onTestFinished)
  const [times, error] = await counting(proxy, '/webhook', () =>
    failureOf(webhook.post({ target: 'grp_x', text: '' })),
  )
  expect([times, error.code, error.isTemporary]).toEqual([1, 'INVALID_INPUT', false])
})

describe('a call with a temporary failure', () => {
  const body = JSON.stringify({ code: 'rate_limited', detail: 'Slower.' })

  test.concurrent.for([408, 429, 502, 503, 504])('is retried after %i', async (status, {
    onTestFinished,
  }) => {
    const { world, skein, webhook, proxy } = await setUp(onTestFinished)
    proxy.next('/oauth/token', { status })
    proxy.next(graphql, { status })
    proxy.next('/webhook', { status, body })
    const target = world.publicGroup.id
    const posting = counting(proxy, '/webhook', () => webhook.post({ target, text: 'x' }))
    const [times] = await counting(proxy, '/oauth/token', () => counting(proxy, graphql, () => skein.me()))
    expect([times, (await posting)[0]]).toEqual([2, 2])
  })

  test('waits as long as Retry-After says, in seconds or as a date', async ({ onTestFinished }) => {
    const { world, webhook, proxy } = await setUp(onTestFinished)
    const post = { target: world.publicGroup.id, text: 'x' }
    proxy.next('/webhook', { status: 429, headers: { 'retry-after': '1' }, body })
    await webhook.post(post)
    const [first = 0, second = 0] = proxy.seen('/webhook').slice(-2)
    expect(second - first).toBeGreaterThanOrEqual(990)
    const date = new Date(Date.now() + 3000).toUTCString()
    proxy.next('/webhook', { status: 429, headers: { 'retry-after': date }, body })
    await webhook.post(post)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date))
  })

  test('fails immediately if it would have to wait longer than its timeout', async ({ onTestFinished }) => {
    const { world, webhook, proxy } = await setUp(onTestFinished)
    proxy.next('/webhook', { status: 429, headers: { 'retry-after': '3600' }, body })
    const post = { target: world.publicGroup.id, text: 'x' }
    const [times, error] = await counting(proxy, '/webhook', () => failureOf(webhook.post(post)))
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfterSeconds: 3600,
      message: 'Slower.',
    })
    expect(times).toBe(1)
  })

  test('is retried up to the limit, and then fails with the last error', async ({ onTestFinished }) => {
    const { world, webhook, proxy } = await setUp(onTestFinished)
    const post = { target: world.publicGroup.id, text: 'x' }
    proxy.next('/webhook', ...Array<Twist>(5).fill({ status: 503 }))
    const [times, error] = await counting(proxy, '/webhook', () =>
      failureOf(webhook.post(post, { retries: 2 })),
    )
    expect([times, error.status]).toEqual([3, 503])
    proxy.next('/webhook')
  })

  test('ends after its timeout, during an attempt or between two', async ({ onTestFinished }) => {
    const { world, webhook, proxy } = await setUp(onTestFinished)
    const post = { target: world.publicGroup.id, text: 'x' }
    for (const twist of ['hang', { status: 503 }] as const) {
      proxy.next('/webhook', ...Array<Twist>(50).fill(twist))
      const [times, error] = await counting(proxy, '/webhook', () =>
        failureOf(webhook.post(post, { timeoutMs: 1500, retries: 50 })),
      )
      expect(error.isTemporary).toBe(true)
      expect(times).toBeLessThan(50)
    }
    proxy.next('/webhook')
  })

  test('aborts an attempt that hangs, and retries', async ({ onTestFinished }) => {
    const { world, webhook, proxy } = await setUp(onTestFinished)
    proxy.next('/webhook', 'hang')
    const post = { target: world.publicGroup.id, text: 'x' }
    expect((await webhook.post(post, { attemptTimeoutMs: 1000 })).created).toBe(true)
    proxy.next('/webhook', 'hang')
    const error = await failureOf(webhook.post(post, { attemptTimeoutMs: 1000, retries: 0 }))
    expect(error.message).toBe(`There was no answer from ${new URL(proxy.url).host}: the request timed out.`)
  })

  test('is also retried if the HTTP status of a GraphQL response is 200', async ({ onTestFinished }) => {
    const { skein, proxy } = await setUp(onTestFinished)
    const answer = { data: { me: null }, errors: [{ message: 'Away', extensions: { code: 'UNAVAILABLE' } }] }
    proxy.next(graphql, { status: 200, body: JSON.stringify(answer) })
    expect((await counting(proxy, graphql, () => skein.me()))[0]).toBe(2)
  })

  test('is retried after a conflict only with the reason CONCURRENT_CHANGE', async ({ onTestFinished }) => {
    const { skein, proxy } = await setUp(onTestFinished)
    const conflict = (reason: string) => {
      const extensions = { code: 'CONFLICT', reason }
      return JSON.stringify({ data: { me: null }, errors: [{ message: 'x', extensions }] })
    }
    proxy.next(graphql, { status: 200, body: conflict('CONCURRENT_CHANGE') })
    expect((await counting(proxy, graphql, () => skein.me()))[0]).toBe(2)
    proxy.next(graphql, { status: 200, body: conflict('MESSAGE_DELETED') })
    const [times, error] = await counting(proxy, graphql, () => failureOf(skein.me()))
    expect([times, error.code, error.reason]).toEqual([1, 'CONFLICT', 'MESSAGE_DELETED'])
  })
})
