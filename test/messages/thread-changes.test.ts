import { describe, expect, test } from 'vitest'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { addRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { mutated, refused } from '../support/mutations.ts'
import { lockThread } from '../support/open-transaction.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''

const service = await startService()
const event = `messageEdges { cursor node { position text html user { id }
  event { type subject recipients { nodes { id } } } } }`
const thread = 'thread { id subject closedAt recipientsLocked repliesOff recipients { nodes { id } } }'
const selection = `${thread} ${event}`

/** Creates a world with a thread that its app started in the public group. */
async function makeThread() {
  const world = await makeWorld(service)
  const { as, app, publicGroup } = world
  const started = await say(as(app.userID), [publicGroup.id], 'first', 'Old')
  const threadID = started.thread.id
  const change = (name: string, input: object, token = app.token) =>
    mutated(service, token, name, { threadID, ...input }, selection)
  const refusal = (name: string, input: object, token = app.token) =>
    refused(service, token, name, { threadID, ...input }, selection)
  return { ...world, threadID, change, refusal }
}

type Change = { messageEdges: { node: { position: number; event: { type: string } } }[] }
const typesOf = ({ messageEdges }: Change) => messageEdges.map(({ node }) => node.event.type)

async function positionsIn({ operator, workspaceID }: World, threadID: string): Promise<number[]> {
  const messages = await operator.db.message.findMany({
    where: { workspaceID, threadID },
    orderBy: { position: 'asc' },
  })
  return messages.map(({ position }) => position)
}

describe('updateThread', () => {
  test('changes the subject, and adds a system message', async () => {
    const { change, app, threadID } = await makeThread()
    const changed = await change('updateThread', { subject: 'New *one*' })
    expect(changed.thread.subject).toBe('New *one*')
    expect(changed.messageEdges).toEqual([
      {
        cursor: expect.any(String),
        node: {
          position: 2,
          text: 'Changed the subject to “New \\*one\\*”.',
          html: '<p>Changed the subject to “New *one*”.</p>',
          user: { id: app.userID },
          event: { type: 'subjectChanged', subject: 'New *one*', recipients: { nodes: [] } },
        },
      },
    ])
    const after = await service.graphql(
      app.token,
      `{ thread(id: "${threadID}") { messages(after: "${changed.messageEdges[0].cursor}") { nodes { id } } lastActivityAt unreadCount } }`,
    )
    expect(after.data.thread).toMatchObject({ messages: { nodes: [] }, unreadCount: 0 })
    expect((await change('updateThread', { subject: null })).thread.subject).toBeNull()
  })

  test('adds one system message for each change of closed, recipientsLocked and repliesOff', async () => {
    const { change } = await makeThread()
    const all = { closed: true, recipientsLocked: true, repliesOff: true }
    const on = await change('updateThread', all)
    expect(on.thread).toMatchObject({
      closedAt: expect.any(String),
      recipientsLocked: true,
      repliesOff: true,
    })
    expect(typesOf(on)).toEqual(['recipientsLocked', 'repliesTurnedOff', 'closed'])
    expect((await change('updateThread', all)).messageEdges).toEqual([])
    expect((await change('updateThread', {})).messageEdges).toEqual([])
    const off = await change('updateThread', { closed: false, recipientsLocked: false, repliesOff: false })
    expect(off.thread).toMatchObject({ closedAt: null, recipientsLocked: false, repliesOff: false })
    expect(typesOf(off)).toEqual(['recipientsUnlocked', 'repliesTurnedOn', 'reopened'])
  })

  test('adds one system message for fifty concurrent calls, without a gap between positions', async () => {
    const world = await makeThread()
    const { change, threadID, as, ada } = world
    const changes = await Promise.all([
      ...Array.from({ length: 50 }, () => change('updateThread', { closed: true })),
      ...Array.from({ length: 30 }, () => say(as(ada.id), threadID, 'x').then(() => undefined)),
    ])
    expect(changes.flatMap((each) => each?.messageEdges ?? [])).toHaveLength(1)
    expect(await positionsIn(world, threadID)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  })

  test('can be used by the user who started the thread, and by group and workspace admins', async () => {
    const { operator, workspaceID, publicGroup, generalGroupID, refusal, change } = await makeThread()
    for (const groupID of [publicGroup.id, generalGroupID]) {
      const other = await makeApp(service, operator, workspaceID)
      expect(await refusal('updateThread', { closed: true }, other.token)).toEqual(['FORBIDDEN'])
      await giveRole(operator, { workspaceID, groupID, userID: other.userID, role: 'admin' })
      expect(typesOf(await change('updateThread', { closed: true }, other.token))).toEqual(['closed'])
      await change('updateThread', { closed: false })
    }
  })

  test('refuses invalid input, group chats and DMs', async () => {
    const { refusal, as, app, ada, publicGroup } = await makeThread()
    expect(await refusal('updateThread', { subject: ' ' })).toEqual(['INVALID_INPUT', 'subject'])
    expect(await refusal('updateThread', { subject: 's'.repeat(251) })).toEqual(['INVALID_INPUT', 'subject'])
    for (const recipient of [publicGroup.id, ada.id]) {
      const chat = await say(as(app.userID), [recipient], 'x')
      const input = { threadID: chat.thread.id, recipientIDs: [ada.id] }
      expect(await refusal('updateThread', { threadID: chat.thread.id, closed: true })).toEqual([
        'CONFLICT',
        'threadID',
      ])
      expect(await refusal('addRecipients', input)).toEqual(['CONFLICT', 'threadID'])
      expect(await refusal('removeRecipients', input)).toEqual(['CONFLICT', 'threadID'])
    }
  })
})

describe('with replies off', () => {
  test('only the user who started the thread can write to it', async () => {
    const { change, threadID, app, operator, workspaceID, webhook } = await makeThread()
    const other = await makeApp(service, operator, workspaceID)
    const send = { threadID, message: { text: 'x' } }
    await change('updateThread', { repliesOff: true })
    expect(await refused(service, other.token, 'sendMessage', send, 'created')).toEqual(['FORBIDDEN'])
    const posted = await postToWebhook(service, webhook.path, { target: threadID, text: 'x' })
    expect([posted.statusCode, posted.json().code]).toEqual([403, 'forbidden'])
    expect((await mutated(service, app.token, 'sendMessage', send, 'created')).created).toBe(true)
    await change('updateThread', { repliesOff: false })
    expect((await mutated(service, other.token, 'sendMessage', send, 'created')).created).toBe(true)
  })

  test('a concurrent reply is either written before the change or refused', async () => {
    const world = await makeThread()
    const { change, threadID, operator, workspaceID } = world
    const other = await makeApp(service, operator, workspaceID)
    const send = `mutation { sendMessage(input: { threadID: "${threadID}", message: { text: "x" } }) { message { position } } }`
    const [changed, ...answers] = await Promise.all([
      change('updateThread', { repliesOff: true }),
      ...Array.from({ length: 30 }, () => service.graphql(other.token, send)),
    ])
    const position = changed.messageEdges[0].node.position
    for (const { data, errors } of answers) {
      if (errors) expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
      else expect(data.sendMessage.message.position).toBeLessThan(position)
    }
  })
})

describe('addRecipients', () => {
  test('adds users and groups once, and hides private groups from readers who are not members', async () => {
    const { change, app, ada, privateGroup, publicGroup, operator, workspaceID, threadID } =
      await makeThread()
    await giveRole(operator, { workspaceID, groupID: privateGroup.id, userID: app.userID, role: 'member' })
    const recipientIDs = [ada.id, privateGroup.id, publicGroup.id, ada.id]
    const added = await change('addRecipients', { recipientIDs })
    const ids = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id).sort()
    expect(ids(added.thread.recipients)).toEqual([ada.id, privateGroup.id, publicGroup.id].sort())
    const [edge] = added.messageEdges
    expect(edge.node.event.type).toBe('recipientsAdded')
    expect(ids(edge.node.event.recipients)).toEqual([ada.id, privateGroup.id].sort())
    expect(edge.node.html).toContain('Ada')
    expect((await change('addRecipients', { recipientIDs })).messageEdges).toEqual([])
    const other = await makeApp(service, operator, workspaceID)
    const seen = await service.graphql(
      other.token,
      `{ thread(id: "${threadID}") { messages(last: 1) { nodes { text html event { recipients { nodes { id name } } } } } } }`,
    )
    const [told] = seen.data.thread.messages.nodes
    expect(told.event.recipients.nodes).toEqual([{ id: ada.id, name: 'Ada' }])
    expect(told.text).toContain('a group')
    for (const hidden of ['Leads', privateGroup.id]) expect(JSON.stringify(told)).not.toContain(hidden)
  })

  test('gives the new recipients access to the thread', async () => {
    const { as, ada, grace, app, change } = await makeThread()
    const secret = await say(as(app.userID), [ada.id], 'x', 'Two')
    const look = () => service.graphql(app.token, `{ thread(id: "${secret.thread.id}") { id } }`)
    await change('addRecipients', { threadID: secret.thread.id, recipientIDs: [grace.id] })
    expect((await look()).data.thread).toEqual({ id: secret.thread.id })
    await say(as(grace.id), secret.thread.id, 'hello')
  })

  test('adds a recipient once for fifty concurrent calls', async () => {
    const { change, ada } = await makeThread()
    const changes = await Promise.all(
      Array.from({ length: 50 }, () => change('addRecipients', { recipientIDs: [ada.id] })),
    )
    expect(changes.flatMap(({ messageEdges }) => messageEdges)).toHaveLength(1)
  })

  test('can be used by everyone who can see the thread until the recipients are locked', async () => {
    const { operator, workspaceID, change, refusal, ada, grace } = await makeThread()
    const other = await makeApp(service, operator, workspaceID)
    await change('addRecipients', { recipientIDs: [ada.id] }, other.token)
    await change('updateThread', { recipientsLocked: true })
    expect(await refusal('addRecipients', { recipientIDs: [grace.id] }, other.token)).toEqual(['FORBIDDEN'])
    expect(typesOf(await change('addRecipients', { recipientIDs: [grace.id] }))).toEqual(['recipientsAdded'])
  })

  test('returns NOT_FOUND for recipients that the caller cannot see', async () => {
    const { refusal, privateGroup, threadID, change, ada, grace } = await makeThread()
    const stranger = await makeWorld(service)
    for (const id of [privateGroup.id, newID('grp'), newID('usr'), stranger.ada.id, 'x', threadID]) {
      expect(await refusal('addRecipients', { recipientIDs: [ada.id, id] })).toEqual(['NOT_FOUND'])
    }
    expect(await refusal('addRecipients', { recipientIDs: [] })).toEqual(['INVALID_INPUT', 'recipientIDs'])
    const many = Array(101).fill(grace.id)
    expect(await refusal('addRecipients', { recipientIDs: many })).toEqual(['INVALID_INPUT', 'recipientIDs'])
    expect((await change('addRecipients', { recipientIDs: [ada.id] })).messageEdges).toHaveLength(1)
  })
})

describe('removeRecipients', () => {
  const left = `removedRecipientIDs ${selection}`

  test('removes current recipients, and ignores others', async () => {
    const { change, app, threadID, ada, grace, publicGroup } = await makeThread()
    await change('addRecipients', { recipientIDs: [ada.id] })
    const input = { threadID, recipientIDs: [ada.id, grace.id, newID('usr')] }
    const removed = await mutated(service, app.token, 'removeRecipients', input, left)
    expect(removed.removedRecipientIDs).toEqual([ada.id])
    expect(removed.thread.recipients.nodes).toEqual([{ id: publicGroup.id }])
    expect(typesOf(removed)).toEqual(['recipientsRemoved'])
    const again = await mutated(service, app.token, 'removeRecipients', input, left)
    expect([again.removedRecipientIDs, again.messageEdges]).toEqual([[], []])
  })

  test('ignores a private group that the caller is not in, like an unknown group', async () => {
    const { app, as, ada, threadID, privateGroup, publicGroup } = await makeThread()
    await mutated(service, app.token, 'addRecipients', { threadID, recipientIDs: [ada.id] }, '__typename')
    await addRecipients(as(ada.id), { threadID, recipientIDs: [privateGroup.id] })
    const remove = (id: string) => {
      const input = { threadID, recipientIDs: [id] }
      return mutated(service, app.token, 'removeRecipients', input, left)
    }
    expect(await remove(privateGroup.id)).toEqual(await remove(newID('grp')))
    expect((await remove(publicGroup.id)).removedRecipientIDs).toEqual([publicGroup.id])
  })

  const posts: [string, (world: World, threadID: string) => Promise<unknown>[]][] = [
    ['a webhook', ({ webhook }, target) => [postToWebhook(service, webhook.path, { target, text: 'late' })]],
    [
      'a webhook with a key',
      ({ webhook }, target) => [
        postToWebhook(service, webhook.path, { target, text: 'late', uniqueBy: 'k' }),
      ],
    ],
    [
      'a webhook, three at once',
      ({ webhook }, target) =>
        Array.from({ length: 3 }, () => postToWebhook(service, webhook.path, { target, text: 'late' })),
    ],
    [
      'a person',
      ({ as, ada }, threadID) => [
        sendMessage(as(ada.id), { threadID, message: { text: 'late' } }).catch(({ status }) => ({
          statusCode: status,
        })),
      ],
    ],
  ]

  test.runIf(serverURL).each(posts)(
    'causes the failure of a message that waited for the removal of its author, by %s',
    async (_by, post) => {
      const world = await makeWorld(service)
      const { as, app, ada, webhook, operator } = world
      const { thread } = await say(as(app.userID), [webhook.userID, ada.id], 'first', 'S')
      const locker = await lockThread(operator.db, thread.id)
      const input = { threadID: thread.id, recipientIDs: [webhook.userID, ada.id] }
      const removing = mutated(service, app.token, 'removeRecipients', input, left)
      await untilLockWaits(operator.db)
      const posting = Promise.all(post(world, thread.id))
      await untilLockWaits(operator.db, 2)
      await locker.end()
      expect((await removing).removedRecipientIDs).toHaveLength(2)
      for (const answer of await posting) expect(answer).toMatchObject({ statusCode: 404 })
      const messages = await operator.db.message.findMany({ where: { threadID: thread.id } })
      expect(messages.map(({ position }) => position)).toEqual([1, 2])
    },
  )

  test('lets a recipient leave, but not remove others, and hides the thread from a recipient who has left', async () => {
    const { as, ada, app, change, refusal } = await makeThread()
    const { thread } = await say(as(ada.id), [app.userID], 'x', 'Two')
    const input = { threadID: thread.id, recipientIDs: [app.userID] }
    await service.graphql(app.token, '{ me { id } }')
    expect(await refusal('removeRecipients', { threadID: thread.id, recipientIDs: [ada.id] })).toEqual([
      'FORBIDDEN',
    ])
    const gone = await change('removeRecipients', input)
    expect(gone).toEqual({ thread: null, messageEdges: [] })
    expect(await refusal('removeRecipients', input)).toEqual(['NOT_FOUND'])
    await say(as(ada.id), thread.id, 'alone')
  })

  test('keeps the last recipient, even if all leave at the same time', async () => {
    const { operator, workspaceID, as, app } = await makeThread()
    const other = await makeApp(service, operator, workspaceID)
    const { thread } = await say(as(app.userID), [other.userID], 'x', 'Two')
    const leave = ({ userID, token }: { userID: string; token: string }) =>
      service.graphql(
        token,
        `mutation { removeRecipients(input: { threadID: "${thread.id}", recipientIDs: ["${userID}"] }) { removedRecipientIDs } }`,
      )
    const answers = await Promise.all([leave(app), leave(other)])
    expect(answers.filter(({ errors }) => errors).map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([
      'CONFLICT',
    ])
    expect(await operator.db.recipient.count({ where: { workspaceID, threadID: thread.id } })).toBe(1)
  })
})

describe('a change of a thread', () => {
  test('returns NOT_FOUND if the caller cannot see the thread', async () => {
    const { refusal, as, ada, grace, threadID } = await makeThread()
    const hidden = await say(as(ada.id), [grace.id], 'psst', 'S')
    const stranger = await makeWorld(service)
    for (const [name, input] of Object.entries({
      updateThread: { closed: true },
      addRecipients: { recipientIDs: [ada.id] },
      removeRecipients: { recipientIDs: [ada.id] },
    })) {
      for (const id of [hidden.thread.id, newID('thr'), 'x']) {
        expect(await refusal(name, { ...input, threadID: id })).toEqual(['NOT_FOUND'])
      }
      const none = await refusal(name, { ...input, threadID }, stranger.app.token)
      expect(none).toEqual(['NOT_FOUND'])
    }
  })

  test('returns INSUFFICIENT_SCOPE if the app does not have the scope, even for a wrong input', async () => {
    const { operator, workspaceID, refusal } = await makeThread()
    const writer = await makeApp(service, operator, workspaceID, ['threads:read', 'threads.messages:write'])
    for (const [name, input] of Object.entries({
      updateThread: { subject: ' ' },
      addRecipients: { recipientIDs: [] },
      removeRecipients: { recipientIDs: [] },
    })) {
      expect(await refusal(name, input, writer.token)).toEqual(['INSUFFICIENT_SCOPE'])
    }
  })
})
