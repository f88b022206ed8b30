import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, say, uploadToWebhook, type World } from '../support/factories.ts'
import { mutate, mutated, refused } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const selection = `created thread { id subject threadType recipients { nodes { id } } }
  message { id text createdAt editedAt user { id name } }`

type Sent = {
  created: boolean
  thread: { id: string; subject: string | null; threadType: string; recipients: { nodes: { id: string }[] } }
  message: {
    id: string
    text: string
    createdAt: string
    editedAt: string | null
    user: { id: string; name: string }
  }
}

const ask = ({ app }: Pick<World, 'app'>, input: object) =>
  mutate(service, app.token, 'sendMessage', input, selection)

function send({ app }: Pick<World, 'app'>, where: object, message: object = {}): Promise<Sent> {
  const input = { ...where, message: { text: 'x', ...message } }
  return mutated(service, app.token, 'sendMessage', input, selection)
}

/** Returns the code of the error, and the fields of the input that it names. */
const refusal = ({ app }: Pick<World, 'app'>, input: object) =>
  refused(service, app.token, 'sendMessage', input, selection)

function recipientsOf({ thread }: Sent): string[] {
  return thread.recipients.nodes.map(({ id }) => id).sort()
}

function threadsIn({ operator, workspaceID }: World): Promise<number> {
  return operator.db.thread.count({ where: { workspaceID } })
}

describe('a message is sent', () => {
  test('to a thread', async () => {
    const world = await makeWorld(service)
    const { as, ada, app, publicGroup } = world
    const { thread } = await say(as(ada.id), [publicGroup.id], 'first', 'A matter')
    const sent = await send(world, { threadID: thread.id }, { text: 'second', attachments: [] })
    expect(sent).toEqual({
      created: true,
      thread: {
        id: thread.id,
        subject: 'A matter',
        threadType: 'thread',
        recipients: { nodes: [{ id: publicGroup.id }] },
      },
      message: {
        id: expect.stringMatching(/^msg_[0-9A-Za-z]{27}$/),
        text: 'second',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        editedAt: null,
        user: { id: app.userID, name: 'Robot' },
      },
    })
  })

  test('to the chat of a group, and the ID of the workspace means the General group', async () => {
    const world = await makeWorld(service)
    const { publicGroup, workspaceID, generalGroupID } = world
    for (const [id, groupID] of [
      [publicGroup.id, publicGroup.id],
      [workspaceID, generalGroupID],
    ]) {
      const first = await send(world, { thread: { recipients: [id] } })
      expect([first.thread.threadType, recipientsOf(first)]).toEqual(['chat', [groupID]])
      expect((await send(world, { thread: { recipients: [id] } })).thread.id).toBe(first.thread.id)
      expect((await send(world, { threadID: first.thread.id })).thread.id).toBe(first.thread.id)
    }
  })

  test('to the DM with a user, even if the request also names the sender as a recipient', async () => {
    const world = await makeWorld(service)
    const { app, ada } = world
    const first = await send(world, { thread: { recipients: [ada.id] } })
    expect([first.thread.threadType, recipientsOf(first)]).toEqual(['chat', [ada.id, app.userID].sort()])
    const second = await send(world, { thread: { recipients: [app.userID, ada.id, ada.id] } })
    expect(second.thread.id).toBe(first.thread.id)
  })

  test('to a new thread each time if there is a subject', async () => {
    const world = await makeWorld(service)
    const where = { thread: { recipients: [world.publicGroup.id], subject: 'News' } }
    const [one, two] = [await send(world, where), await send(world, where)]
    expect(one.thread).toMatchObject({ subject: 'News', threadType: 'thread' })
    expect(one.thread.id).not.toBe(two.thread.id)
  })

  test('to a new thread, and the sender becomes a recipient unless a group is among the recipients', async () => {
    const world = await makeWorld(service)
    const { app, ada, grace, publicGroup, generalGroupID } = world
    const mixed = [ada.id, publicGroup.id, generalGroupID]
    expect(recipientsOf(await send(world, { thread: { recipients: mixed } }))).toEqual(mixed.sort())
    const users = await send(world, { thread: { recipients: [ada.id, grace.id], subject: 'S' } })
    expect(recipientsOf(users)).toEqual([ada.id, grace.id, app.userID].sort())
  })

  test('to a new thread with a group and the sender, and the sender still sees the thread after leaving the group', async () => {
    const world = await makeWorld(service)
    const { app, privateGroup, operator } = world
    const member = { groupID: privateGroup.id, userIDs: [app.userID] }
    await addMembers(operator, member)
    const recipients = [privateGroup.id, app.userID]
    const { thread } = await send(world, { thread: { recipients } })
    expect([thread.threadType, thread.recipients.nodes.map(({ id }) => id).sort()]).toEqual([
      'thread',
      recipients.sort(),
    ])
    await removeMembers(operator, member)
    const answer = await service.graphql(app.token, 'query ($id: ID!) { thread(id: $id) { id } }', thread)
    expect(answer.data).toEqual({ thread: { id: thread.id } })
  })

  test('to a private group of the sender', async () => {
    const world = await makeWorld(service)
    const { operator, privateGroup, app } = world
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    const sent = await send(world, { thread: { recipients: [privateGroup.id] } })
    expect(recipientsOf(sent)).toEqual([privateGroup.id])
  })
})

describe('threadBy', () => {
  test('creates a thread, and later appends to it without changing its subject', async () => {
    const world = await makeWorld(service)
    const thread = { recipients: [world.publicGroup.id], threadBy: 'build-1' }
    const first = await send(world, { thread: { ...thread, subject: 'Build 1' } })
    const second = await send(world, { thread: { ...thread, subject: 'Another' } })
    const third = await send(world, { thread })
    expect([second.thread, third.thread]).toEqual([first.thread, first.thread])
    expect([first.thread.subject, second.created]).toEqual(['Build 1', true])
  })

  test('identifies the same thread only for the same set of recipients, in any order', async () => {
    const world = await makeWorld(service)
    const { ada, grace, publicGroup, app } = world
    const thread = (...recipients: string[]) => ({ thread: { recipients, subject: 'S', threadBy: 'key' } })
    const first = await send(world, thread(ada.id, grace.id, publicGroup.id))
    for (const recipients of [
      [publicGroup.id, grace.id, ada.id],
      [ada.id, ada.id, publicGroup.id, grace.id],
    ]) {
      expect((await send(world, thread(...recipients))).thread.id).toBe(first.thread.id)
    }
    for (const recipients of [
      [ada.id, publicGroup.id],
      [publicGroup.id],
      [ada.id, grace.id, publicGroup.id, app.userID],
    ]) {
      expect((await send(world, thread(...recipients))).thread.id).not.toBe(first.thread.id)
    }
    const users = await send(world, thread(ada.id, grace.id))
    expect((await send(world, thread(app.userID, grace.id, ada.id))).thread.id).toBe(users.thread.id)
  })

  test('belongs to one app', async () => {
    const world = await makeWorld(service)
    const other = { app: await makeApp(service, world.operator, world.workspaceID) }
    const where = { thread: { recipients: [world.publicGroup.id], subject: 'S', threadBy: 'key' } }
    expect((await send(world, where)).thread.id).not.toBe((await send(other, where)).thread.id)
  })

  test('creates one thread with thirty messages for thirty concurrent calls', async () => {
    const world = await makeWorld(service)
    const { ada, publicGroup } = world
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => {
        const recipients = turn % 2 === 0 ? [ada.id, publicGroup.id] : [publicGroup.id, ada.id]
        return send(world, { thread: { recipients, subject: 'Race', threadBy: 'race' } })
      }),
    )
    expect(new Set(sent.map(({ thread }) => thread.id)).size).toBe(1)
    expect(await threadsIn(world)).toBe(1)
    const { workspaceID, operator } = world
    expect(await operator.db.message.count({ where: { workspaceID } })).toBe(30)
  })

  test('requires a subject if the thread does not exist', async () => {
    const world = await makeWorld(service)
    const thread = { recipients: [world.publicGroup.id], threadBy: 'new' }
    expect(await refusal(world, { thread, message: { text: 'x' } })).toEqual([
      'INVALID_INPUT',
      'thread.subject',
    ])
    expect(await threadsIn(world)).toBe(0)
  })
})

describe('uniqueBy', () => {
  test('updates the message, which keeps its ID and time', async () => {
    const world = await makeWorld(service)
    const where = { thread: { recipients: [world.publicGroup.id] } }
    const first = await send(world, where, { text: 'red', uniqueBy: 'status' })
    const second = await send(world, where, { text: 'green', uniqueBy: 'status' })
    expect(second).toEqual({
      created: false,
      thread: first.thread,
      message: { ...first.message, text: 'green', editedAt: expect.any(String) },
    })
    expect((await send(world, where, { uniqueBy: 'other' })).created).toBe(true)
  })

  test('belongs to one thread and one app', async () => {
    const world = await makeWorld(service)
    const other = { app: await makeApp(service, world.operator, world.workspaceID) }
    const where = { thread: { recipients: [world.publicGroup.id] } }
    expect((await send(world, where, { uniqueBy: 'key' })).created).toBe(true)
    expect((await send(other, where, { uniqueBy: 'key' })).created).toBe(true)
    const elsewhere = { thread: { recipients: [world.workspaceID] } }
    expect((await send(world, elsewhere, { uniqueBy: 'key' })).created).toBe(true)
    expect((await send(world, where, { uniqueBy: 'key' })).created).toBe(false)
  })

  test('creates one message for thirty concurrent calls, also in a new thread', async () => {
    const world = await makeWorld(service)
    const { workspaceID, operator, publicGroup } = world
    for (const more of [{}, { subject: 'S', threadBy: 'race' }]) {
      const thread = { recipients: [publicGroup.id], ...more }
      const sent = await Promise.all(
        Array.from({ length: 30 }, (_, turn) =>
          send(world, { thread }, { text: `${turn}`, uniqueBy: 'race' }),
        ),
      )
      expect(sent.filter(({ created }) => created)).toHaveLength(1)
      const threadID = sent[0]?.thread.id ?? ''
      expect(await operator.db.message.count({ where: { workspaceID, threadID } })).toBe(1)
    }
  })
})

describe('invalid input is refused, and the error names the fields:', () => {
  const none = newID('thr')
  const message = { text: 'x' }
  const thread = { recipients: [newID('grp')] }
  const refusals: [string, object, string[]][] = [
    ['no destination', { message }, ['threadID']],
    ['two destinations', { threadID: none, thread, message }, ['threadID']],
    ['null for both', { threadID: null, thread: null, message }, ['threadID']],
    ['an empty threadID', { threadID: '', message }, ['threadID']],
    ['no recipients', { thread: { recipients: [] }, message }, ['thread.recipients']],
    ['an empty recipient', { thread: { recipients: [none, ''] }, message }, ['thread.recipients.1']],
    [
      'more than 100 recipients',
      { thread: { recipients: Array(101).fill(none) }, message },
      ['thread.recipients'],
    ],
    ['a blank subject', { thread: { ...thread, subject: ' ' }, message }, ['thread.subject']],
    [
      'a subject that is too long',
      { thread: { ...thread, subject: 's'.repeat(251) }, message },
      ['thread.subject'],
    ],
    ['an empty threadBy', { thread: { ...thread, threadBy: '' }, message }, ['thread.threadBy']],
    [
      'a threadBy that is too long',
      { thread: { ...thread, threadBy: 'k'.repeat(256) }, message },
      ['thread.threadBy'],
    ],
    ['blank text', { threadID: none, message: { text: ' \n\u200b' } }, ['message.text']],
    ['text that is too long', { threadID: none, message: { text: 'x'.repeat(40_001) } }, ['message.text']],
    ['NUL in the text', { threadID: none, message: { text: 'a\0b' } }, ['message.text']],
    ['an empty uniqueBy', { threadID: none, message: { text: 'x', uniqueBy: '' } }, ['message.uniqueBy']],
    [
      'a uniqueBy that is too long',
      { threadID: none, message: { text: 'x', uniqueBy: 'k'.repeat(256) } },
      ['message.uniqueBy'],
    ],
    [
      'eleven attachments',
      { threadID: none, message: { text: 'x', attachments: Array.from({ length: 11 }, () => newID('fil')) } },
      ['message.attachments'],
    ],
    [
      'everything at once',
      {
        thread: { recipients: [''], subject: '', threadBy: '' },
        message: { text: '', uniqueBy: '', attachments: [''] },
      },
      [
        'message.attachments.0',
        'message.text',
        'message.uniqueBy',
        'thread.recipients.0',
        'thread.subject',
        'thread.threadBy',
      ],
    ],
  ]

  test.each(refusals)('%s', async (_what, input, fields) => {
    expect(await refusal(await makeWorld(service), input)).toEqual(['INVALID_INPUT', ...fields])
  })

  test('the sender as the only recipient', async () => {
    const world = await makeWorld(service)
    const own = { recipients: [world.app.userID, world.app.userID] }
    expect(await refusal(world, { thread: own, message })).toEqual(['INVALID_INPUT', 'thread.recipients'])
    const notes = await ask(world, { thread: { ...own, subject: 'Notes' }, message })
    expect(notes.errors).toBeUndefined()
  })

  test('each attachment that the sender did not upload', async () => {
    const world = await makeWorld(service)
    const upload = await uploadToWebhook(service, world.webhook.path, 'bytes')
    const attachments = [upload.json().id, newID('fil'), 'x']
    const input = { thread: { recipients: [world.publicGroup.id] }, message: { text: 'x', attachments } }
    const answer = await ask(world, input)
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      errors: attachments.map((id, index) => ({
        field: `message.attachments.${index}`,
        message: expect.stringContaining(id),
      })),
    })
    expect(await threadsIn(world)).toBe(0)
  })

  test('unknown or missing fields, and values of another type', async () => {
    const world = await makeWorld(service)
    for (const input of [
      { threadID: none },
      { threadID: none, message: {} },
      { threadID: none, message: { text: null } },
      { threadID: none, message: { text: 5 } },
      { threadID: none, message, other: 1 },
    ]) {
      const answer = await ask(world, input)
      expect(answer.errors?.map((error) => error.extensions.code)).toEqual(['INVALID_INPUT'])
    }
  })
})

test('a caller without a valid token cannot send messages, and neither can the operator', async () => {
  const world = await makeWorld(service)
  const input = { thread: { recipients: [world.publicGroup.id] }, message: { text: 'x' } }
  const nobody = await mutate(service, 'none', 'sendMessage', input, selection)
  expect(nobody.errors?.map((error) => error.extensions.code)).toEqual(['UNAUTHENTICATED'])
  const operator = await mutate(service, operatorToken, 'sendMessage', input, selection)
  expect(operator.errors?.map((error) => error.extensions.code)).toEqual(['FORBIDDEN'])
  expect(await threadsIn(world)).toBe(0)
})

describe('sendMessage returns NOT_FOUND for', () => {
  test('threads and DMs of others, private groups, deleted users, and other workspaces', async () => {
    const [world, strange] = [await makeWorld(service), await makeWorld(service)]
    const { as, ada, grace, privateGroup, operator, workspaceID } = world
    const gone = await createPerson(operator, { workspaceID, name: 'Gone' })
    await deletePerson(operator, { userID: gone.id })
    const among = await say(as(ada.id), [grace.id], 'us', 'Us two')
    const dm = await say(as(ada.id), [grace.id], 'psst')
    const secret = await say(as(ada.id), [privateGroup.id], 'psst')
    const message = { text: 'x' }
    const before = await threadsIn(world)
    for (const threadID of [
      newID('thr'),
      among.thread.id,
      dm.thread.id,
      secret.thread.id,
      workspaceID,
      'x',
    ]) {
      expect(await refusal(world, { threadID, message })).toEqual(['NOT_FOUND'])
    }
    const recipients = [newID('usr'), newID('grp'), gone.id, privateGroup.id, 'x', among.thread.id]
    recipients.push(strange.ada.id, strange.publicGroup.id, strange.workspaceID, strange.app.userID)
    for (const id of recipients) {
      for (const more of [{}, { subject: 'S' }, { subject: 'S', threadBy: 'k' }]) {
        const thread = { recipients: [ada.id, id], ...more }
        expect(await refusal(world, { thread, message })).toEqual(['NOT_FOUND'])
        expect(await refusal(world, { thread: { ...thread, recipients: [id] }, message })).toEqual([
          'NOT_FOUND',
        ])
      }
    }
    expect(await threadsIn(world)).toBe(before)
  })

  test('a private group that the sender has left, even with an existing threadBy', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, privateGroup, app } = world
    const groupID = privateGroup.id
    await addMembers(operator, { groupID, userIDs: [app.userID] })
    const input = { thread: { recipients: [groupID], subject: 'S', threadBy: 'k' }, message: { text: 'x' } }
    expect((await ask(world, input)).data.sendMessage?.created).toBe(true)
    await operator.db.groupMember.deleteMany({ where: { workspaceID, groupID, userID: app.userID } })
    expect(await refusal(world, input)).toEqual(['NOT_FOUND'])
  })
})
