import { inspect } from 'node:util'
import { parse } from 'graphql'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { installApp } from '../../../src/apps/installations/install-app.ts'
import { uninstallApp } from '../../../src/apps/installations/uninstall-app.ts'
import { revokeAccessTokens } from '../../../src/apps/tokens/revoke-access-tokens.ts'
import { MeDocument, Skein, type TypedDocument } from '../../../src/sdk/index.ts'
import { createPerson } from '../../../src/workspaces/users/create-user.ts'
import { makeApp, makeWorld, say } from '../../support/factories.ts'
import { startProxy } from '../../support/proxy.ts'
import { all, credentialsOf, failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const proxy = await startProxy(service)

const tokensAsked = () => proxy.seen('/oauth/token').length

describe('a client with credentials', () => {
  test('requests a token when it is needed, and reuses it', async () => {
    const before = tokensAsked()
    const { world, skein } = await makeClients(service, proxy)
    expect(tokensAsked()).toBe(before)
    expect(await skein.me()).toEqual({ id: world.app.userID, name: 'Robot', kind: 'app', email: null })
    await skein.me()
    expect(tokensAsked()).toBe(before + 1)
  })

  test('requests one token for fifty concurrent calls', async () => {
    const before = tokensAsked()
    const { world, skein } = await makeClients(service, proxy)
    const people = await Promise.all(Array.from({ length: 50 }, () => skein.me()))
    expect(new Set(people.map(({ id }) => id))).toEqual(new Set([world.app.userID]))
    expect(tokensAsked()).toBe(before + 1)
  })

  test('requests one new token for concurrent calls after its token was revoked', async () => {
    const { world, skein } = await makeClients(service, proxy)
    await skein.me()
    const { operator, workspaceID, app } = world
    await revokeAccessTokens(operator, { workspaceID, appID: app.id })
    const before = tokensAsked()
    await Promise.all(Array.from({ length: 20 }, () => skein.me()))
    expect(tokensAsked()).toBe(before + 1)
  })

  test('retries a call that failed because of a revoked token, even a mutation in a string', async () => {
    const { world, skein } = await makeClients(service, proxy)
    await skein.me()
    const { operator, workspaceID, app, publicGroup } = world
    await revokeAccessTokens(operator, { workspaceID, appID: app.id })
    const source = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { created } }'
    const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'Once' } }
    expect(await skein.request(source, { input })).toEqual({ sendMessage: { created: true } })
    expect(await operator.db.message.count({ where: { workspaceID } })).toBe(1)
  })

  test('fails with INVALID_GRANT while its app is uninstalled', async () => {
    const { world, skein } = await makeClients(service, proxy)
    await skein.me()
    const { operator, workspaceID, app } = world
    await uninstallApp(operator, { workspaceID, appID: app.id })
    const error = await failureOf(skein.me())
    expect(error).toMatchObject({ code: 'INVALID_GRANT', status: 400, requestID: expect.any(String) })
    expect(error.message).toContain('not installed')
    await installApp(operator, { workspaceID, appID: app.id })
    expect((await skein.me()).id).toBe(app.userID)
  })

  test('fails with INVALID_CLIENT for a wrong secret', async () => {
    const world = await makeWorld(service)
    const skein = new Skein({ ...credentialsOf(proxy, world), clientSecret: 'wrong-secret' })
    expect(await failureOf(skein.me())).toMatchObject({ code: 'INVALID_CLIENT', status: 401 })
  })

  test('fails with UNEXPECTED_ANSWER if an answer is not from Skein', async () => {
    const { skein } = await makeClients(service, proxy)
    proxy.next('/oauth/token', { status: 200, body: '<html>Welcome</html>' })
    expect(await failureOf(skein.me())).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 })
    proxy.next('/public/graphql', { status: 404, body: '{"hello":"world"}' })
    expect(await failureOf(skein.me())).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: `The answer from ${new URL(proxy.url).host}, with the status 404, is not from Skein.`,
    })
  })

  test('does not follow redirects, which would send the secret elsewhere', async () => {
    const { skein, webhook } = await makeClients(service, proxy)
    const redirect = { status: 307, headers: { location: `${proxy.url}/elsewhere` } }
    for (const path of ['/oauth/token', '/public/graphql', '/webhook']) {
      proxy.next(path, redirect)
      const call = path === '/webhook' ? webhook.post({ text: 'x' }) : skein.me()
      expect(await failureOf(call)).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 307 })
    }
    expect(proxy.seen('/elsewhere')).toEqual([])
  })
})

test('a client with an access token uses it, and fails after it is revoked', async () => {
  const world = await makeWorld(service)
  const skein = new Skein({ baseURL: `${proxy.url}/`, accessToken: world.app.token })
  const before = tokensAsked()
  expect((await skein.me()).id).toBe(world.app.userID)
  const { operator, workspaceID, app } = world
  await revokeAccessTokens(operator, { workspaceID, appID: app.id })
  expect(await failureOf(skein.me())).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
  expect(tokensAsked()).toBe(before)
})

describe('secrets', () => {
  test('do not appear in a printed client or error', async () => {
    const { world, skein } = await makeClients(service, proxy, { retries: 0 })
    const errors = [await failureOf(skein.thread('thr_none'))]
    proxy.next('/public/graphql', 'lose')
    errors.push(await failureOf(skein.me()))
    const { clientSecret } = world.app
    const secret = { clientID: world.app.id, clientSecret: `${clientSecret}x` }
    errors.push(await failureOf(new Skein({ ...credentialsOf(proxy, world), ...secret }).me()))
    const unreachable = { ...credentialsOf(proxy, world), baseURL: 'http://127.0.0.1:1', retries: 0 }
    errors.push(await failureOf(new Skein(unreachable).me()))
    expect(errors.map(({ code }) => code)).toEqual(['NOT_FOUND', 'NO_ANSWER', 'INVALID_CLIENT', 'NO_ANSWER'])
    for (const thing of [skein, ...errors]) {
      const printed = [
        inspect(thing, { depth: 9, showHidden: true }),
        JSON.stringify(thing),
        String(thing),
      ].join()
      expect(printed).not.toContain(clientSecret)
      expect(printed).not.toMatch(/Bearer|[0-9a-f]{64}/)
    }
  })
})

describe('a request', () => {
  test('accepts a document as a string or with types', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const name = await skein.request<{ me: { name: string } }>('{ me { name } }')
    expect(name).toEqual({ me: { name: 'Robot' } })
    const tree = parse('query { me { id } }') as unknown as TypedDocument<{ me: { id: string } }, object>
    expect((await skein.request(tree)).me.id).toBe(world.app.userID)
  })

  test('has the types of its document', async () => {
    const { skein } = await makeClients(service, proxy)
    const me = skein.request(MeDocument)
    expectTypeOf(await me).toEqualTypeOf<{
      me: { id: string; name: string; kind: 'person' | 'app' | 'webhook'; email: string | null }
    }>()
    expectTypeOf(skein.request('{ me { id } }')).toEqualTypeOf<Promise<unknown>>()
    const thread = () => skein.thread('thr_')
    expectTypeOf(thread).returns.resolves.toHaveProperty('subject').toEqualTypeOf<string | null>()
    const send = () => skein.sendMessage({ threadID: 'thr_', message: { text: 'x' } })
    expectTypeOf(send).returns.resolves.toHaveProperty('created').toEqualTypeOf<boolean>()
    expectTypeOf(skein.sendMessage).parameter(0).toHaveProperty('message').toHaveProperty('text')
    // @ts-expect-error A message must have text.
    const wrong = () => skein.sendMessage({ threadID: 'thr_', message: {} })
    expect(wrong).toBeTypeOf('function')
  })

  test('fails with the code, the fields and the request ID of the service', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const input = { thread: { recipients: [world.publicGroup.id], subject: '' }, message: { text: '' } }
    const error = await failureOf(skein.sendMessage(input))
    expect(error).toMatchObject({
      name: 'SkeinError',
      code: 'INVALID_INPUT',
      status: 200,
      isTemporary: false,
    })
    expect(error.errors.map(({ field }) => field).sort()).toEqual(['message.text', 'thread.subject'])
    expect(service.log.some((line) => JSON.parse(line).requestID === error.requestID)).toBe(true)
    expect(await failureOf(skein.request('{ me { nothing } }'))).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      status: 400,
      message: expect.stringContaining('nothing'),
    })
  })

  test('fails if the response has an error, even with data', async () => {
    const { skein } = await makeClients(service, proxy)
    const source = '{ me { id } thread(id: "thr_none") { id } }'
    expect(await failureOf(skein.request(source))).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('fails with the reason of its signal whenever it is aborted', async () => {
    const { world } = await makeClients(service, proxy)
    const reason = new Error('enough')
    for (const path of ['/oauth/token', '/public/graphql']) {
      for (const twist of ['hang', { status: 503, headers: { 'retry-after': '60' } }] as const) {
        const skein = new Skein(credentialsOf(proxy, world))
        proxy.next(path, twist)
        const controller = new AbortController()
        const call = skein.me({ signal: controller.signal }).catch((error: unknown) => error)
        setTimeout(() => controller.abort(reason), 200)
        expect(await call).toBe(reason)
      }
    }
    // The token that it requests must not use up a twist.
    const skein = new Skein(credentialsOf(proxy, world))
    expect(await skein.me({ signal: AbortSignal.abort(reason) }).catch((error) => error)).toBe(reason)
  })

  test('that is aborted does not cancel the token request of other calls', async () => {
    const { skein } = await makeClients(service, proxy)
    const before = tokensAsked()
    const controller = new AbortController()
    const aborted = skein.me({ signal: controller.signal }).catch((error: unknown) => error)
    const other = skein.me()
    controller.abort('enough')
    expect(await aborted).toBe('enough')
    expect((await other).name).toBe('Robot')
    expect(tokensAsked()).toBe(before + 1)
  })

  test('can be aborted with a reason that is not an Error', async () => {
    const { skein } = await makeClients(service, proxy)
    proxy.next('/public/graphql', 'hang')
    const controller = new AbortController()
    const call = skein.me({ signal: controller.signal }).catch((error: unknown) => error)
    setTimeout(() => controller.abort('enough'), 200)
    expect(await call).toBe('enough')
  })
})

test('a mistake that the types do not allow is refused by the service, which names the field', async () => {
  const { world, skein: typed } = await makeClients(service, proxy)
  // biome-ignore lint/suspicious/noExplicitAny: The test passes values that the types do not allow.
  const skein: any = typed
  const thread = { recipients: [world.publicGroup.id] }
  const message = { text: 'x' }
  const calls: [string, () => Promise<unknown>][] = [
    ['"text" of required type', () => skein.sendMessage({ thread })],
    ['"recipients" of required type', () => skein.sendMessage({ thread: {}, message })],
    ['"input.message.text"', () => skein.sendMessage({ thread, message: { text: 1 } })],
    ['"threadby" is not defined', () => skein.sendMessage({ thread: { ...thread, threadby: 'k' }, message })],
    ['"foo" is not defined', () => skein.sendMessage({ thread, message: { ...message, foo: 1 } })],
    ['"messageID" of required type', () => skein.editMessage({ text: 'x' })],
    ['"upTo" is not defined', () => skein.markRead({ threadID: 'thr_', upTo: 'msg_' })],
    ['"$id" of required type', () => skein.thread()],
    ['"$threadID" of required type', () => all(skein.messages())],
    ['"$after"', () => all(skein.groups({ after: 1 }))],
    ['"knd" is not defined', () => all(skein.threads({ filter: { knd: 'dm' } }))],
    ['"filter.kind"', () => all(skein.threads({ filter: { kind: 'x' } }))],
    ['"$order"', () => all(skein.threads({ order: 'newest' }))],
    ['"author" is not defined', () => all(skein.search('x', { filter: { author: 'usr_' } }))],
    ['"filter.createdAfter"', () => all(skein.search('x', { filter: { createdAfter: 'now' } }))],
    ['"types[0]"', () => all(skein.events({ types: ['messageSent'] }))],
    ['after is not a cursor', () => all(skein.events({ after: '' }))],
  ]
  for (const [name, call] of calls) {
    expect(await failureOf(call())).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(name),
    })
  }
  expect(await all(skein.threads())).toEqual([])
})

describe('lists', () => {
  test('are read page by page, to their end or from a cursor', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const ada = world.as(world.ada.id)
    const { thread } = await say(ada, [world.publicGroup.id], 'message 1', 'A long thread')
    for (let turn = 2; turn <= 120; turn += 1) await say(ada, thread.id, `message ${turn}`)
    const before = proxy.seen('/public/graphql').length
    const messages = await all(skein.messages(thread.id))
    expect(messages.map(({ position }) => position)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1))
    expect(proxy.seen('/public/graphql')).toHaveLength(before + 2)
    const rest = await all(skein.messages(thread.id, { after: messages[117]?.cursor }))
    expect(rest.map(({ text, user }) => [text, user.name])).toEqual([
      ['message 119', 'Ada'],
      ['message 120', 'Ada'],
    ])
  })

  test('end when the reader stops, without another request', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const before = proxy.seen('/public/graphql').length
    for await (const user of skein.users()) {
      expect(user.id).toBe(world.ada.id)
      break
    }
    expect(proxy.seen('/public/graphql')).toHaveLength(before + 1)
  })

  test('exist for users, groups and threads', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const { publicGroup, workspaceID, ada } = world
    await say(world.as(ada.id), [publicGroup.id], 'x', 'One')
    await say(world.as(ada.id), [workspaceID], 'x', 'Two')
    const groups = await all(skein.groups())
    expect(groups.map(({ name, isGeneral }) => [name, isGeneral])).toContainEqual(['Builds', false])
    const threads = await all(skein.threads({ filter: { groupID: publicGroup.id } }))
    expect(threads.map(({ subject }) => subject)).toContain('One')
    expect(threads.map(({ subject }) => subject)).not.toContain('Two')
    const users = await all(skein.users())
    expect(users.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ada', 'Grace', 'Robot', 'Alerts']))
  })

  test('of users can be filtered by email address, which requires a scope', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const { operator, workspaceID } = world
    const email = 'linus@example.com'
    const { id } = await createPerson(operator, { workspaceID, name: 'Linus', email })
    const found = await all(skein.users({ email: 'LINUS@example.com' }))
    expect(await all(skein.users({ search: 'linu' }))).toEqual(found)
    expect(await all(skein.groups({ search: 'buil' }))).toEqual([expect.objectContaining({ name: 'Builds' })])
    expect(found).toEqual([{ id, name: 'Linus', kind: 'person', email, cursor: expect.any(String) }])
    const { token } = await makeApp(service, operator, workspaceID, ['workspaces:read'])
    const other = new Skein({ baseURL: proxy.url, accessToken: token })
    expect((await all(other.users())).find((user) => user.id === id)?.email).toBeNull()
    expect(await failureOf(all(other.users({ email })))).toMatchObject({
      message: expect.stringContaining('users.email:read'),
    })
  })

  test('exist for the results of a search, with excerpts', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const ada = world.as(world.ada.id)
    const { thread } = await say(ada, [world.publicGroup.id], 'the disk is full', 'Disks')
    await say(ada, thread.id, 'no it is empty')
    const found = await all(skein.search('"disk is"', { filter: { threadID: thread.id }, order: 'best' }))
    expect(found.map(({ text, excerpt, thread }) => [text, excerpt, thread.subject])).toEqual([
      ['the disk is full', expect.stringContaining('<mark>'), 'Disks'],
    ])
    const [first] = found
    expect(await all(skein.search('disk', { after: first?.cursor, order: 'best' }))).toEqual([])
  })

  test('fail for a thread that the app cannot see', async () => {
    const { world, skein } = await makeClients(service, proxy)
    const { thread } = await say(world.as(world.ada.id), [world.privateGroup.id], 'x', 'Hidden')
    const read = async () => {
      for await (const _ of skein.messages(thread.id));
    }
    expect(await failureOf(read())).toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('an app can send, edit, react to, read and delete messages', async () => {
  const { world, skein } = await makeClients(service, proxy)
  const { thread, message, created } = await skein.sendMessage({
    thread: { recipients: [world.publicGroup.id], subject: 'Release 4' },
    message: { text: 'It is **out**' },
  })
  expect([thread.subject, message.html, message.position, created]).toEqual([
    'Release 4',
    '<p>It is <strong>out</strong></p>',
    1,
    true,
  ])
  const messageID = message.id
  expect((await skein.editMessage({ messageID, text: 'It was out' })).text).toBe('It was out')
  await skein.addReaction({ messageID, emoji: '🎉' })
  const [read] = await all(skein.messages(thread.id))
  expect(read?.reactions.nodes).toEqual([{ emoji: '🎉', count: 1, viewerHasReacted: true }])
  await skein.removeReaction({ messageID, emoji: '🎉' })
  expect((await skein.deleteMessage({ messageID })).deletedAt).not.toBeNull()
  expect(await skein.markRead({ threadID: thread.id })).toEqual({ id: thread.id, unreadCount: 0 })
  expect((await skein.thread(thread.id)).recipients.nodes).toEqual([
    { id: world.publicGroup.id, name: 'Builds' },
  ])
})
