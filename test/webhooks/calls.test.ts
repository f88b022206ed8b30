import { describe, expect, test } from 'vitest'
import { sweepCalls } from '../../src/messages/webhook-calls/sweep-calls.ts'
import { testDatabase } from '../support/database.ts'
import { makeApp, makeWorld, postToWebhook, uploadToWebhook, type World } from '../support/factories.ts'
import { withFailingStatement } from '../support/failing-statement.ts'
import { mutated } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '1' })
const withoutKey = await startService({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const fields = `calls {
  id createdAt method format targetID status sizeBytes createdCount updatedCount staleCount skipped problems ignored
  query body isBodyCut messages { text }
}`

/** Creates a world with an admin of the workspace who is in no private group, and a function that reads the calls. */
async function makePlace(of = service) {
  const world = await makeWorld(of)
  const admin = await signedIn(of, world, 'admin')
  const { path, id } = world.webhook
  const target = world.publicGroup.id
  const post = (body: object | string, end = '', headers = {}) =>
    postToWebhook(of, `${path}${end}`, body, headers)
  const callsFor = async (ask: (query: string, variables?: object) => Promise<{ data: unknown }>) => {
    await of.app.webhookCalls.flush()
    const answer = await ask(`query ($id: ID!) { node(id: $id) { ... on Webhook { ${fields} } } }`, { id })
    // biome-ignore lint/suspicious/noExplicitAny: the tests state what they expect
    return (answer.data as any).node?.calls as Record<string, any>[]
  }
  return { world, admin, target, post, callsFor, calls: () => callsFor(admin.ask) }
}

/** Makes the user of the webhook a member of the private group, so that the webhook can post there. */
function admitWebhook({ operator, workspaceID, privateGroup, webhook }: World) {
  const member = { workspaceID, groupID: privateGroup.id, userID: webhook.userID, role: 'member' }
  return giveRole(operator, member)
}

describe('Webhook.calls', () => {
  test('returns what became of each call, newest first', async () => {
    const { post, target, calls } = await makePlace()
    await post({ target, text: 'one', uniqueBy: 'k', version: 2 })
    await post({ target, text: 'two', uniqueBy: 'k', version: 3, sender_name: 'x' })
    await post({ target, text: 'three', uniqueBy: 'k', version: 1 })
    await post({ target, text: '' })
    await post({ text: 'hello' }, `/slack?target=${target}`)
    await post({ zen: 'Speak like a human.' }, `/alertmanager?target=${target}`)
    const found = await calls()
    expect(found.map(({ status, format }) => [status, format])).toEqual([
      [400, 'alertmanager'],
      [200, 'slack'],
      [400, null],
      [200, null],
      [200, null],
      [200, null],
    ])
    const [, slack, blank, stale, updated, created] = found
    expect(created).toMatchObject({
      method: 'POST',
      targetID: target,
      createdCount: 1,
      updatedCount: 0,
      staleCount: 0,
      problems: [],
      isBodyCut: false,
      messages: [{ text: 'two' }],
    })
    expect(created?.sizeBytes).toBe(Buffer.byteLength(created?.body))
    expect(updated).toMatchObject({ createdCount: 0, updatedCount: 1, ignored: ['sender_name'] })
    expect(stale).toMatchObject({ createdCount: 0, updatedCount: 0, staleCount: 1 })
    expect(blank).toMatchObject({ createdCount: 0, problems: ['text must not be blank'], messages: [] })
    expect(slack).toMatchObject({ createdCount: 1, body: '{"text":"hello"}', query: `target=${target}` })
  })

  test('has the calls that were refused before their body was read, without a body', async () => {
    const tooMany = await makePlace(limited)
    await tooMany.post({ target: tooMany.target, text: 'one' })
    await tooMany.post({ target: tooMany.target, text: 'two' })
    expect((await tooMany.calls()).map(({ status, body }) => [status, body !== null])).toEqual([
      [429, false],
      [200, true],
    ])
    const tooLarge = await makePlace()
    const body = JSON.stringify({ target: tooLarge.target, text: 'x'.repeat(300_000) })
    await tooLarge.post(body)
    expect(await tooLarge.calls()).toMatchObject([{ status: 413, body: null, sizeBytes: body.length }])
  })

  test('has a body that is not JSON, and an upload without its bytes', async () => {
    const { post, target, callsFor, world } = await makePlace()
    const creator = await makeCreator(world)
    await post(`{"target": "${target}", text: hello, "password": "hunter2"`)
    await uploadToWebhook(service, world.webhook.path, 'bytes', { 'content-md5': 'x' })
    expect(await callsFor(creator.ask)).toMatchObject([
      { method: 'PUT', format: 'attachment', status: 400, sizeBytes: 5, body: null },
      {
        status: 400,
        problems: ['body is not valid JSON'],
        body: `{"target": "${target}", text: hello, "password": "[removed]"`,
      },
    ])
  })

  test('has at most 50 calls, and the table too', async () => {
    const { post, target, calls, world } = await makePlace()
    for (const number of Array(60).keys()) {
      await post({ target, text: `call ${number}` })
      if (number % 20 === 0) await service.app.webhookCalls.flush()
    }
    const found = await calls()
    expect(found).toHaveLength(50)
    expect(found.map(({ messages }) => messages[0].text)).toEqual(
      Array.from({ length: 50 }, (_, index) => `call ${59 - index}`),
    )
    expect(await callsOf(world)).toHaveLength(50)
  })

  test('has no call with a wrong key, and no call of a key that was replaced before it was stored', async () => {
    const { post, target, calls, world } = await makePlace()
    await postToWebhook(service, `/webhook/${world.webhook.id}/wrong`, { target, text: 'x' })
    await post({ target, text: 'x' })
    const { url } = await mutated(
      service,
      operatorToken,
      'rotateWebhookKey',
      { webhookID: world.webhook.id },
      'url',
    )
    expect(await calls()).toEqual([])
    await postToWebhook(service, new URL(url).pathname, { target, text: 'new key' })
    expect(await calls()).toHaveLength(1)
  })

  test('is for those who manage the webhook, and for the operator without what was sent', async () => {
    const { post, target, callsFor, world } = await makePlace()
    await post({ target, text: 'x' })
    const member = await signedIn(service, world, 'member')
    expect(await callsFor(member.ask)).toBeUndefined()
    const seen = await callsFor((query, variables) => service.graphql(operatorToken, query, variables))
    const hidden = { targetID: null, body: null, query: null, isBodyCut: null, messages: [] }
    expect(seen).toMatchObject([{ status: 200, createdCount: 1, ...hidden }])
  })

  test('needs webhooks:read, and threads.messages:read for what was sent', async () => {
    const { post, target, world } = await makePlace()
    await post({ target, text: 'x' })
    await service.app.webhookCalls.flush()
    const { token, userID } = await makeApp(service, world.operator, world.workspaceID, ['webhooks:read'])
    const { workspaceID, generalGroupID: groupID } = world
    await giveRole(world.operator, { workspaceID, groupID, userID, role: 'admin' })
    const answer = await service.graphql(
      token,
      `{ node(id: "${world.webhook.id}") { ... on Webhook { calls { status body } } } }`,
    )
    expect(answer.data.node.calls).toEqual([{ status: 200, body: null }])
    expect(codesOf(answer)).toEqual(['INSUFFICIENT_SCOPE'])
  })
})

describe('what was sent', () => {
  test('is hidden from a manager who cannot see the thread of each message', async () => {
    const { post, calls, world, callsFor } = await makePlace()
    await admitWebhook(world)
    await post({ target: world.privateGroup.id, text: 'secret plan' })
    expect(await calls()).toMatchObject([{ createdCount: 1, body: null, targetID: null, messages: [] }])
    const { operator, workspaceID, generalGroupID: groupID, ada } = world
    await giveRole(operator, { workspaceID, groupID, userID: ada.id, role: 'admin' })
    const insider = await signedIn(service, world, 'admin')
    await giveRole(operator, {
      workspaceID,
      groupID: world.privateGroup.id,
      userID: insider.id,
      role: 'member',
    })
    const [seen] = await callsFor(insider.ask)
    expect(seen).toMatchObject({ targetID: world.privateGroup.id, messages: [{ text: 'secret plan' }] })
    expect(seen?.body).toContain('secret plan')
  })

  test('of a call that posted nothing needs its target, or the creator of the webhook if it named none', async () => {
    const { post, calls, callsFor, world, target } = await makePlace()
    await post({ target: world.privateGroup.id, text: 'refused' })
    await post({ target, text: '' })
    await post({ text: 'no target' })
    const bodies = (found: { body: string | null }[]) => found.map(({ body }) => body !== null)
    expect(bodies((await calls()) as never)).toEqual([false, true, false])
    const creator = await makeCreator(world)
    expect(bodies((await callsFor(creator.ask)) as never)).toEqual([true, true, false])
  })

  test('is deleted with a message of the call, also if the call is stored later', async () => {
    const { post, target, calls, world } = await makePlace()
    const ids: string[] = []
    for (const text of ['stored', 'not stored yet', 'kept']) {
      ids.push((await post({ target, text })).json().messageID)
      if (text === 'stored') await service.app.webhookCalls.flush()
    }
    for (const messageID of ids.slice(0, 2))
      await mutated(service, await adminToken(world), 'deleteMessage', { messageID }, 'message { id }')
    expect((await calls()).map(({ body }) => body !== null)).toEqual([true, false, false])
    expect((await callsOf(world)).map(({ content }) => content !== null)).toEqual([true, false, false])
  })

  test('is stored encrypted, and the sweep removes it after 24 hours', async () => {
    const { post, target, calls, world } = await makePlace()
    const { db } = world.operator
    await post({ target, text: 'a plain text' })
    await service.app.webhookCalls.flush()
    const [stored] = await callsOf(world)
    expect(Buffer.from(stored?.content ?? []).includes('plain')).toBe(false)
    await db.$executeRaw`
      UPDATE webhook_calls SET created_at = now() - interval '25 hours' WHERE workspace_id = ${world.workspaceID}`
    expect(await calls()).toMatchObject([{ body: null, targetID: target }])
    await sweepCalls(db)
    expect(await callsOf(world)).toMatchObject([{ content: null }])
  })

  test('is not stored without an encryption key', async () => {
    const { post, target, calls } = await makePlace(withoutKey)
    await post({ target, text: 'x' })
    expect(await calls()).toMatchObject([{ status: 200, createdCount: 1, body: null, targetID: target }])
  })

  test('has no secrets', async () => {
    const { post, target, calls } = await makePlace()
    const body = {
      target,
      text: 'Look at https://ada:pw@ci.example.com/?build=7&access_token=abc',
      apiKey: 'k1',
      nested: [{ Password: { a: 'k2' }, 'X-Hub-Signature': 'k3', keyed: 'kept' }],
      token: null,
    }
    await post(body)
    await post(
      `payload=${encodeURIComponent('{"text":"hi","token":"k4"}')}&secret=k5`,
      `/slack?target=${target}&sig=k6`,
      form,
    )
    const [slack, plain] = await calls()
    const url = 'https://[removed]@ci.example.com/?build=7&access_token=[removed]'
    expect(JSON.parse(plain?.body)).toEqual({
      target,
      text: `Look at ${url}`,
      apiKey: '[removed]',
      nested: [{ Password: '[removed]', 'X-Hub-Signature': '[removed]', keyed: 'kept' }],
      token: '[removed]',
    })
    expect(Object.fromEntries(new URLSearchParams(slack?.body))).toEqual({
      payload: '{"text":"hi","token":"[removed]"}',
      secret: '[removed]',
    })
    expect(slack?.query).toBe(`target=${target}&sig=%5Bremoved%5D`)
  })

  test('has no secrets whose name is escaped, and none in the fragment of a URL', async () => {
    const { post, target, calls } = await makePlace()
    const text = 'https://a.example.com/cb#access_token=k1 https://b.example.com/x?key=k2'
    await post(`{"target":"${target}","text":"${text}","\\u0074oken":"k3","otp":"k4","sessionID":"k5"}`, '', {
      'content-type': 'application/json',
    })
    const [call] = await calls()
    expect(JSON.parse(call?.body)).toEqual({
      target,
      text: 'https://a.example.com/cb#access_token=[removed] https://b.example.com/x?key=[removed]',
      token: '[removed]',
      otp: '[removed]',
      sessionID: '[removed]',
    })
  })

  test('is only the beginning of a long body', async () => {
    const { post, target, calls } = await makePlace()
    await post({ target, text: 'x', more: '€'.repeat(40_000) })
    const [call] = await calls()
    expect(call?.isBodyCut).toBe(true)
    expect(Buffer.byteLength(call?.body)).toBeGreaterThan(65_530)
    expect(Buffer.byteLength(call?.body)).toBeLessThanOrEqual(65_536)
  })
})

test('many calls of busy webhooks do not hide the call of another', async () => {
  const rare = await makePlace()
  const busy = await Promise.all(Array.from({ length: 5 }, () => makePlace()))
  await rare.post({ target: rare.target, text: 'rare' })
  for (const number of Array(60).keys())
    for (const { post, target } of busy) await post({ target, text: `call ${number}` })
  expect(await rare.calls()).toHaveLength(1)
  for (const { calls } of busy) {
    const [newest] = await calls()
    expect(newest?.messages).toEqual([{ text: 'call 59' }])
  }
})

test('a post succeeds even if its call cannot be stored, and later calls are stored again', async () => {
  const { post, target, calls, world } = await makePlace()
  await service.app.webhookCalls.flush()
  await withFailingStatement(world.operator.db, 'INTO webhook_calls', async () => {
    expect((await post({ target, text: 'lost' })).statusCode).toBe(200)
    await service.app.webhookCalls.flush()
  })
  await post({ target, text: 'stored' })
  expect((await calls()).map(({ messages }) => messages[0].text)).toEqual(['stored'])
  expect(service.log.join()).toContain('calls of webhooks cannot be stored')
})

test('calls are stored within seconds, and when the service stops', async () => {
  const { post, target, world } = await makePlace()
  const stored = ({ operator, workspaceID }: World) =>
    operator.db.webhookCall.count({ where: { workspaceID } })
  await post({ target, text: 'x' })
  await expect.poll(() => stored(world), { timeout: 20_000 }).toBe(1)
  const stopping = await startService({}, await testDatabase())
  const last = await makePlace(stopping)
  await last.post({ target: last.target, text: 'x' })
  await stopping.app.close()
  expect(await stored(last.world)).toBe(1)
})

test('the sweep removes the calls of a deleted webhook', async () => {
  const { post, target, world } = await makePlace()
  await post({ target, text: 'x' })
  await service.app.webhookCalls.flush()
  await mutated(service, operatorToken, 'deleteWebhook', { webhookID: world.webhook.id }, 'webhook { id }')
  await sweepCalls(world.operator.db)
  expect(await callsOf(world)).toEqual([])
})

/** Makes an admin of the workspace the creator of the webhook. */
async function makeCreator(world: World) {
  const creator = await signedIn(service, world, 'admin')
  const { workspaceID, webhook } = world
  await world.operator.db.webhook.updateMany({
    where: { workspaceID, id: webhook.id },
    data: { creatorID: creator.id },
  })
  return creator
}

async function adminToken({ operator, workspaceID, generalGroupID: groupID, app }: World) {
  await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
  return app.token
}

/** Returns the rows of the calls of a world, newest first. */
async function callsOf({ operator, workspaceID }: World) {
  await service.app.webhookCalls.flush()
  return operator.db.webhookCall.findMany({
    where: { workspaceID },
    orderBy: { id: 'desc' },
  })
}
