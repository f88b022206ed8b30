import { describe, expect, test } from 'vitest'
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhookKey,
} from '../../src/apps/webhooks/change-webhook.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { addRecipients, removeRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { newID } from '../../src/platform/ids.ts'
import {
  makeWebhook,
  makeWorld,
  postToWebhook,
  say,
  uploadToWebhook,
  type World,
} from '../support/factories.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '2' })

function post(world: World, body: object, query = '') {
  return postToWebhook(service, world.webhook.path + query, body)
}

function messagesOf(world: World, threadID: string) {
  const { workspaceID, operator } = world
  return operator.db.message.findMany({ where: { workspaceID, threadID }, orderBy: { position: 'asc' } })
}

function threadOf({ workspaceID, operator }: World, id: string) {
  return operator.db.thread.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

describe('a message goes', () => {
  test('to the chat of a group', async () => {
    const world = await makeWorld(service)
    const answer = await post(world, { target: world.publicGroup.id, text: 'one' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      messageID: expect.stringMatching(/^msg_[0-9A-Za-z]{27}$/),
      threadID: expect.stringMatching(/^thr_[0-9A-Za-z]{27}$/),
      created: true,
      threadCreated: false,
    })
    const { threadID } = answer.json()
    expect(await threadOf(world, threadID)).toMatchObject({
      kind: 'group_chat',
      chatGroupID: world.publicGroup.id,
    })
    const second = await post(world, { target: world.publicGroup.id, text: 'two' })
    expect(second.json().threadID).toBe(threadID)
    expect(
      (await messagesOf(world, threadID)).map(({ position, text, authorID }) => [position, text, authorID]),
    ).toEqual([
      [1, 'one', world.webhook.userID],
      [2, 'two', world.webhook.userID],
    ])
  })

  test('to the chat of General or to a thread in General, if the target is the ID of the workspace', async () => {
    const world = await makeWorld(service)
    const chat = (await post(world, { target: world.workspaceID, text: 'hello' })).json()
    expect(await threadOf(world, chat.threadID)).toMatchObject({ chatGroupID: world.generalGroupID })
    const thread = (
      await post(world, { target: world.workspaceID, threadSubject: 'News', text: 'hello' })
    ).json()
    expect(await threadOf(world, thread.threadID)).toMatchObject({ kind: 'thread', subject: 'News' })
  })

  test('to a thread', async () => {
    const world = await makeWorld(service)
    const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'A matter')
    const answer = await post(world, { target: thread.id, text: 'second' })
    expect(answer.json()).toMatchObject({ threadID: thread.id, created: true })
    expect(await messagesOf(world, thread.id)).toHaveLength(2)
  })

  test('to a new thread each time if threadSubject is given without threadBy', async () => {
    const world = await makeWorld(service)
    const body = { target: world.publicGroup.id, threadSubject: 'Build', text: 'starts' }
    const [one, two] = [(await post(world, body)).json(), (await post(world, body)).json()]
    expect(one.threadID).not.toBe(two.threadID)
    expect(await threadOf(world, one.threadID)).toMatchObject({
      kind: 'thread',
      subject: 'Build',
      startedByID: world.webhook.userID,
    })
  })

  test('to the target in the query, unless the body has a target', async () => {
    const world = await makeWorld(service)
    const inQuery = (await post(world, { text: 'x' }, `?target=${world.publicGroup.id}`)).json()
    expect(await threadOf(world, inQuery.threadID)).toMatchObject({ chatGroupID: world.publicGroup.id })
    const both = (
      await post(world, { text: 'x', target: world.workspaceID }, `?target=${world.publicGroup.id}`)
    ).json()
    expect(await threadOf(world, both.threadID)).toMatchObject({ chatGroupID: world.generalGroupID })
    const nothing = (await post(world, { text: 'x', target: null }, `?target=${world.publicGroup.id}`)).json()
    expect(nothing.threadID).toBe(inQuery.threadID)
  })

  test('to its target with the fields in the query, unless the body overrides them', async () => {
    const world = await makeWorld(service)
    const fields = { target: world.publicGroup.id, threadSubject: 'Query', threadBy: 'q', uniqueBy: 'u' }
    const file = await uploadToWebhook(service, world.webhook.path, 'x')
    const query = `?${new URLSearchParams({ ...fields, text: 'from the query', attachments: file.json().id })}`
    const first = await service.app.inject({ method: 'POST', url: world.webhook.path + query })
    expect(first.json()).toMatchObject({ created: true })
    const { threadID, messageID } = first.json()
    expect(await threadOf(world, threadID)).toMatchObject({ subject: 'Query', threadBy: 'q' })
    expect(await messagesOf(world, threadID)).toMatchObject([{ text: 'from the query', attachmentCount: 1 }])
    const second = await post(world, { text: 'from the body' }, query)
    expect(second.json()).toMatchObject({ threadID, messageID, created: false })
    expect(await messagesOf(world, threadID)).toMatchObject([{ text: 'from the body' }])
  })

  test('to its target with the body as its text if the body is text/plain', async () => {
    const world = await makeWorld(service)
    const query = `?${new URLSearchParams({ target: world.publicGroup.id, text: 'overridden' })}`
    for (const type of ['text/plain', 'text/plain; charset=utf-8']) {
      const text = `Déployé: ${type}`
      const answer = await postToWebhook(service, world.webhook.path + query, text, { 'content-type': type })
      expect(answer.statusCode).toBe(200)
      expect((await messagesOf(world, answer.json().threadID)).at(-1)).toMatchObject({ text })
    }
  })
})

describe('uniqueBy', () => {
  test('updates text and attachments, and keeps ID, position and time', async () => {
    const world = await makeWorld(service)
    const body = { target: world.publicGroup.id, uniqueBy: 'status' }
    const first = (await post(world, { ...body, text: 'red' })).json()
    await post(world, { target: world.publicGroup.id, text: 'between' })
    const [before] = await messagesOf(world, first.threadID)
    const second = (await post(world, { ...body, text: 'green' })).json()
    expect(second).toEqual({ ...first, created: false })
    const [after, between] = await messagesOf(world, first.threadID)
    expect(after).toEqual({ ...before, text: 'green', editedAt: expect.any(Date) })
    expect(before?.editedAt).toBeNull()
    expect(between?.position).toBe(2)
  })

  test('belongs to one webhook and one thread', async () => {
    const world = await makeWorld(service)
    const other = await makeWebhook(world.operator, world.workspaceID, 'Other')
    const body = { target: world.publicGroup.id, uniqueBy: 'k', text: 'x' }
    const mine = (await post(world, body)).json()
    expect((await postToWebhook(service, other.path, body)).json()).toMatchObject({ created: true })
    expect((await post(world, { ...body, target: world.workspaceID })).json()).toMatchObject({
      created: true,
    })
    expect((await post(world, body)).json()).toEqual({ ...mine, created: false })
  })

  test('creates one message for a hundred concurrent calls', async () => {
    const world = await makeWorld(service)
    const calls = Array.from({ length: 100 }, (_, call) =>
      post(world, { target: world.publicGroup.id, uniqueBy: 'race', text: `call ${call}` }),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.json().messageID)).size).toBe(1)
    expect(answers.filter((answer) => answer.json().created)).toHaveLength(1)
    expect(await messagesOf(world, answers[0]?.json().threadID)).toHaveLength(1)
  })
})

describe('threadBy', () => {
  test('of a thread that the webhook can no longer see returns not_found, and the error says to use another value', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup, operator, workspaceID } = world
    const body = { target: publicGroup.id, threadBy: 'k', threadSubject: 'S', text: 'x' }
    const { threadID } = (await post(world, body)).json()
    await giveRole(operator, { workspaceID, groupID: publicGroup.id, userID: ada.id, role: 'admin' })
    await addRecipients(as(ada.id), { threadID, recipientIDs: [ada.id] })
    await removeRecipients(as(ada.id), { threadID, recipientIDs: [publicGroup.id] })
    const answer = await post(world, body)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    expect(answer.json().errors).toEqual([
      { field: 'threadBy', message: 'identifies a thread that you can no longer see; use another value' },
    ])
    expect((await post(world, { ...body, threadBy: 'another' })).json().created).toBe(true)
  })

  test('creates a thread, appends to it, and does not rename it', async () => {
    const world = await makeWorld(service)
    const body = { target: world.publicGroup.id, threadBy: 'build-1' }
    const first = (await post(world, { ...body, threadSubject: 'Build 1', text: 'starts' })).json()
    const second = (await post(world, { ...body, threadSubject: 'Another', text: 'runs' })).json()
    const third = (await post(world, { ...body, text: 'ends' })).json()
    expect([second.threadID, third.threadID]).toEqual([first.threadID, first.threadID])
    expect((await threadOf(world, first.threadID)).subject).toBe('Build 1')
    expect((await messagesOf(world, first.threadID)).map(({ text }) => text)).toEqual([
      'starts',
      'runs',
      'ends',
    ])
  })

  test('belongs to one webhook and one group', async () => {
    const world = await makeWorld(service)
    const other = await makeWebhook(world.operator, world.workspaceID, 'Other')
    const body = { target: world.publicGroup.id, threadBy: 'k', threadSubject: 'S', text: 'x' }
    const threads = [
      (await post(world, body)).json().threadID,
      (await postToWebhook(service, other.path, body)).json().threadID,
      (await post(world, { ...body, target: world.workspaceID })).json().threadID,
      (await post(world, { ...body, threadBy: 'l' })).json().threadID,
    ]
    expect(new Set(threads).size).toBe(4)
  })

  test('creates one thread with a hundred messages for a hundred concurrent calls', async () => {
    const world = await makeWorld(service)
    const calls = Array.from({ length: 100 }, (_, call) =>
      post(world, {
        target: world.publicGroup.id,
        threadBy: 'race',
        threadSubject: 'Race',
        text: `call ${call}`,
      }),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.json().threadID)).size).toBe(1)
    const messages = await messagesOf(world, answers[0]?.json().threadID)
    expect(messages.map(({ position }) => position)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
    const threads = await world.operator.db.thread.count({
      where: { workspaceID: world.workspaceID, threadBy: 'race' },
    })
    expect(threads).toBe(1)
  })

  test('with uniqueBy creates one thread with one message for concurrent calls', async () => {
    const world = await makeWorld(service)
    const body = { target: world.publicGroup.id, threadBy: 't', threadSubject: 'T', uniqueBy: 'u', text: 'x' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(world, body)))
    expect(answers.filter((answer) => answer.json().created)).toHaveLength(1)
    expect(await messagesOf(world, answers[0]?.json().threadID)).toHaveLength(1)
  })

  test('without threadSubject is refused if the thread does not exist', async () => {
    const world = await makeWorld(service)
    const answer = await post(world, { target: world.publicGroup.id, threadBy: 'new', text: 'x' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toEqual([{ field: 'threadSubject', message: expect.any(String) }])
  })
})

describe('a bad request', () => {
  const none = newID('grp')
  const refusals: [string, object | string, string[]][] = [
    ['no text', { target: none }, ['text']],
    ['null as text', { target: none, text: null }, ['text']],
    ['blank text', { target: none, text: ' \n\u200b' }, ['text']],
    ['a number as text', { target: none, text: 5 }, ['text']],
    ['text that is too long', { target: none, text: 'x'.repeat(40_001) }, ['text']],
    ['NUL in the text', { target: none, text: 'a\0b' }, ['text']],
    ['no target', { text: 'x' }, ['target']],
    ['an empty target', { text: 'x', target: '' }, ['target']],
    ['a user as target', { text: 'x', target: newID('usr') }, ['target']],
    ['a list as target', { text: 'x', target: [none] }, ['target']],
    [
      'everything wrong',
      { target: 7, text: '', uniqueBy: '', threadBy: {}, threadSubject: ' ', attachments: 'fil' },
      ['attachments', 'target', 'text', 'threadBy', 'threadSubject', 'uniqueBy'],
    ],
    ['a subject for a thread', { text: 'x', target: newID('thr'), threadSubject: 's' }, ['threadSubject']],
    ['threadBy for a thread', { text: 'x', target: newID('thr'), threadBy: 'k' }, ['threadBy']],
    [
      'threadSubject and threadBy for a thread, and no text',
      { target: newID('thr'), threadSubject: 's', threadBy: 'k' },
      ['text', 'threadBy', 'threadSubject'],
    ],
    [
      'a subject that is too long',
      { text: 'x', target: none, threadSubject: 's'.repeat(251) },
      ['threadSubject'],
    ],
    [
      'keys that are too long',
      { text: 'x', target: none, uniqueBy: 'k'.repeat(256), threadBy: 'k'.repeat(256) },
      ['threadBy', 'uniqueBy'],
    ],
    [
      'eleven attachments',
      { text: 'x', target: none, attachments: Array.from({ length: 11 }, () => newID('fil')) },
      ['attachments'],
    ],
    [
      'very many attachments',
      { text: 'x', target: none, attachments: Array.from({ length: 20_000 }, () => 'fil') },
      ['attachments'],
    ],
    ['a number among attachments', { text: 'x', target: none, attachments: [5] }, ['attachments.0']],
    ['a list as the body', [1], ['body']],
    ['null as the body', 'null', ['body']],
  ]

  test.each(refusals)('with %s is refused, and the error names the fields', async (_what, body, fields) => {
    const world = await makeWorld(service)
    const answer = await postToWebhook(service, world.webhook.path, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    const problem = answer.json()
    expect(problem).toMatchObject({
      status: 400,
      title: 'The input is not valid',
      code: 'invalid_input',
      type: `${service.config.baseURL}/docs/errors#invalid_input`,
    })
    expect(problem.requestID).toBe(answer.headers['x-request-id'])
    expect(problem.errors.map((error: { field: string }) => error.field).sort()).toEqual(fields)
  })

  test('creates no thread, even if its only mistake is an attachment that does not exist', async () => {
    const world = await makeWorld(service)
    const attachments = [newID('fil')]
    const body = { target: world.publicGroup.id, threadSubject: 'S', text: 'x', attachments }
    const answer = await post(world, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().detail).toContain(attachments[0])
    expect(await world.operator.db.thread.count({ where: { workspaceID: world.workspaceID } })).toBe(0)
  })

  test.each([
    ['is not JSON', '{"text":', 400, 'is not valid JSON'],
    ['is empty', '', 400, 'is empty'],
    ['is a JSON string', '"x"', 400, 'must be a JSON object'],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'is not UTF-8'],
    [
      'has a prototype key',
      '{"text":"x","__proto__":{"target":"y"}}',
      400,
      expect.stringContaining('__proto__'),
    ],
    ['is larger than 256 KiB', JSON.stringify({ text: 'x', more: 'x'.repeat(256 * 1024) }), 413, ''],
  ])('whose body %s is refused', async (_what, payload, status, reason) => {
    const world = await makeWorld(service)
    const answer = await postToWebhook(service, world.webhook.path, payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(answer.body).not.toContain(world.webhook.path)
    if (status === 413) expect(answer.json().detail).toContain(`${256 * 1024} bytes`)
    if (status === 400) expect(answer.json().errors).toEqual([{ field: 'body', message: reason }])
  })

  test.each([
    'text/html',
    'text/plain; charset=utf-16',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('with a body of type %s returns 415, and the error names the types to send', async (type) => {
    const world = await makeWorld(service)
    const answer = await postToWebhook(service, world.webhook.path, 'text=x', { 'content-type': type })
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type'])
    expect(answer.json().detail).toMatch(/application\/json.*text\/plain.*UTF-8/)
  })

  test('with a body of text/plain that is not UTF-8 is refused', async () => {
    const world = await makeWorld(service)
    const answer = await service.app.inject({
      method: 'POST',
      url: `${world.webhook.path}?target=${world.publicGroup.id}`,
      headers: { 'content-type': 'text/plain' },
      payload: Buffer.from([0x61, 0xff]),
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toEqual([{ field: 'body', message: 'is not UTF-8' }])
  })

  test('with fields that are twice in the query is refused, and the response has an error for each field', async () => {
    const world = await makeWorld(service)
    const query = '?threadBy=a&threadBy=b&text=x&text=y'
    const answer = await post(world, { target: world.publicGroup.id, text: 'x' }, query)
    expect(answer.statusCode).toBe(400)
    const fields = answer.json().errors.map((error: { field: string }) => error.field)
    expect(fields).toEqual(['text', 'threadBy'])
  })

  test('with a target that is twice in the query is refused', async () => {
    const world = await makeWorld(service)
    const query = `?target=${world.publicGroup.id}&target=${world.workspaceID}`
    const answer = await post(world, { text: 'x', target: world.publicGroup.id }, query)
    expect(answer.statusCode).toBe(400)
  })

  test.each(['%zz', '%', '%ff%fe'])('with the percent-encoding %s in the query is refused', async (value) => {
    const world = await makeWorld(service)
    const query = `?target=${world.publicGroup.id}&threadSubject=${value}`
    const answer = await post(world, { text: 'x' }, query)
    expect(answer.json()).toMatchObject({ status: 400, errors: [{ field: 'query' }] })
  })
})

test('unknown fields are ignored, null counts as absent, and the last of two equal keys counts', async () => {
  const world = await makeWorld(service)
  const body = `{"text":"one","text":"two","target":"${world.publicGroup.id}","uniqueBy":null,"threadBy":null,
    "threadSubject":null,"attachments":null,"username":"Bot","error":false}`
  const answer = await postToWebhook(service, world.webhook.path, body)
  expect(answer.statusCode).toBe(200)
  const [message] = await messagesOf(world, answer.json().threadID)
  expect(message).toMatchObject({ text: 'two', uniqueBy: null })
})

test('a byte order mark before a text is removed, and a compressed body is refused', async () => {
  const world = await makeWorld(service)
  const { threadID } = (await post(world, { target: world.publicGroup.id, text: '\ufeffhello' })).json()
  expect((await messagesOf(world, threadID))[0]?.text).toBe('hello')
  const headers = { 'content-encoding': 'gzip' }
  const packed = await postToWebhook(service, world.webhook.path, { text: 'x' }, headers)
  expect([packed.statusCode, packed.json().code]).toEqual([415, 'unsupported_media_type'])
})

test('limits count characters and not UTF-16 units, and half of a surrogate pair becomes U+FFFD', async () => {
  const world = await makeWorld(service)
  const long = await post(world, { target: world.publicGroup.id, text: '😀'.repeat(40_000) })
  expect(long.statusCode).toBe(200)
  const cut = await post(world, { target: world.publicGroup.id, text: 'cut \ud83d' })
  expect((await messagesOf(world, cut.json().threadID)).at(-1)?.text).toBe('cut \ufffd')
})

describe('the answer is the same for an unknown object and for an object that the webhook cannot see:', () => {
  test('private groups, their threads, DMs, threads between others, and other workspaces', async () => {
    const [world, strange] = [await makeWorld(service), await makeWorld(service)]
    const { as, ada, grace, privateGroup } = world
    const inPrivate = await say(as(ada.id), [privateGroup.id], 'secret', 'S')
    const dm = await say(as(ada.id), [grace.id], 'psst')
    const among = await say(as(ada.id), [grace.id], 'us', 'Us two')
    const targets = [
      privateGroup.id,
      inPrivate.thread.id,
      dm.thread.id,
      among.thread.id,
      strange.publicGroup.id,
      strange.workspaceID,
    ]
    for (const target of [...targets]) {
      const known = await post(world, { target, text: 'x' })
      const unknown = await post(world, {
        target: newID(target.startsWith('thr') ? 'thr' : 'grp'),
        text: 'x',
      })
      expect(known.statusCode).toBe(404)
      expect({ ...known.json(), requestID: '' }).toEqual({ ...unknown.json(), requestID: '' })
    }
  })

  test('a private group and its threads, after the webhook is removed from the group', async () => {
    const world = await makeWorld(service)
    const { privateGroup, webhook, operator } = world
    const membership = { groupID: privateGroup.id, userIDs: [webhook.userID] }
    await addMembers(operator, membership)
    const answer = await post(world, { target: privateGroup.id, threadSubject: 'S', text: 'x' })
    expect(answer.statusCode).toBe(200)
    await removeMembers(operator, membership)
    expect((await post(world, { target: privateGroup.id, text: 'x' })).statusCode).toBe(404)
    expect((await post(world, { target: answer.json().threadID, text: 'x' })).statusCode).toBe(404)
  })
})

test('a thread with the webhook as a recipient is visible to the webhook', async () => {
  const world = await makeWorld(service)
  const { thread } = await say(
    world.as(world.ada.id),
    [world.webhook.userID, world.grace.id],
    'you',
    'Us three',
  )
  expect((await post(world, { target: thread.id, text: 'x' })).statusCode).toBe(200)
})

describe('the URL of a webhook', () => {
  test('returns the same 404 for a wrong key and for an unknown, disabled or deleted webhook', async () => {
    const world = await makeWorld(service)
    const { operator, webhook } = world
    const off = await makeWebhook(operator, world.workspaceID)
    await disableWebhook(operator, { webhookID: off.id })
    const deleted = await makeWebhook(operator, world.workspaceID)
    await deleteWebhook(operator, { webhookID: deleted.id })
    const paths = [
      `${webhook.path}x`,
      `${webhook.path}${'x'.repeat(600)}`,
      `/webhook/${webhook.id}/%ff`,
      `/webhook/${newID('wbh')}/key`,
      '/webhook/wbh_%00/key',
      off.path,
      deleted.path,
    ]
    const answers = await Promise.all(paths.map((path) => postToWebhook(service, path, { text: 'x' })))
    expect(answers.map((answer) => answer.statusCode)).toEqual(paths.map(() => 404))
  })

  test('works again after the webhook is enabled, and stops working after its key is rotated', async () => {
    const world = await makeWorld(service)
    const { operator, webhook, publicGroup } = world
    await disableWebhook(operator, { webhookID: webhook.id })
    await enableWebhook(operator, { webhookID: webhook.id })
    expect((await post(world, { target: publicGroup.id, text: 'x' })).statusCode).toBe(200)
    const { url } = await rotateWebhookKey(operator, { webhookID: webhook.id })
    expect((await post(world, { target: publicGroup.id, text: 'x' })).statusCode).toBe(404)
    const body = { target: publicGroup.id, text: 'x' }
    expect((await postToWebhook(service, new URL(url).pathname, body)).statusCode).toBe(200)
  })

  test('and its key do not appear in the log or in a response', async () => {
    const { webhook } = await makeWorld(service)
    const key = webhook.path.split('/').at(-1) ?? ''
    for (const url of [webhook.path, `${webhook.path}/other`, `/x${webhook.path}`, `${webhook.path}%zz`]) {
      const answer = await service.app.inject({ method: 'POST', url, payload: {} })
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.body).not.toContain(key)
    }
    expect(service.log.join('')).not.toContain(key)
    expect(service.log.length).toBeGreaterThan(0)
  })
})

test('each webhook has its own limit per minute, and a refusal has Retry-After', async () => {
  const [one, other] = [await makeWorld(limited), await makeWorld(limited)]
  const send = (world: World) =>
    postToWebhook(limited, world.webhook.path, { target: world.publicGroup.id, text: 'x' })
  const answers = [await send(one), await send(one), await send(one), await send(other)]
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 429, 200])
  expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0)
  const wrongKey = await postToWebhook(limited, `${one.webhook.path}x`, { text: 'x' })
  expect(wrongKey.statusCode).toBe(404)
})
