import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld, postToWebhook, say, uploadToWebhook } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const selection = `message { id text html position deletedAt attachments { nodes { id } }
  reactions { nodes { emoji } } mentions { nodes { id } } }`

const erase = (token: string, messageID: string) =>
  mutated(service, token, 'deleteMessage', { messageID }, selection)

test('the author can delete a message, and the message keeps its position but loses its contents', async () => {
  const world = await makeWorld(service)
  const { app, publicGroup, ada } = world
  const send = (text: string) =>
    mutated(
      service,
      app.token,
      'sendMessage',
      { thread: { recipients: [publicGroup.id] }, message: { text } },
      'thread { id } message { id }',
    )
  const { thread, message } = await send(`[Ada](skein:${ada.id})`)
  await send('next')
  await mutated(service, app.token, 'addReaction', { messageID: message.id, emoji: '👍' }, 'message { id }')
  const deleted = (await erase(app.token, message.id)).message
  expect(deleted).toEqual({
    id: message.id,
    text: '',
    html: '',
    position: 1,
    deletedAt: expect.any(String),
    attachments: { nodes: [] },
    reactions: { nodes: [] },
    mentions: { nodes: [] },
  })
  expect((await erase(app.token, message.id)).message).toEqual(deleted)
  const list = await service.graphql(
    app.token,
    `{ thread(id: "${thread.id}") { messages { nodes { text position } } } }`,
  )
  expect(list.data.thread.messages.nodes).toEqual([
    { text: '', position: 1 },
    { text: 'next', position: 2 },
  ])
})

test('a deleted message releases its uniqueBy, and hides its file from other users', async () => {
  const world = await makeWorld(service)
  const { webhook, publicGroup, as, ada, app, operator, workspaceID } = world
  const fileID = (await uploadToWebhook(service, webhook.path, 'bytes')).json().id
  const post = async (more: object = {}) =>
    (
      await postToWebhook(service, webhook.path, {
        target: publicGroup.id,
        text: 'x',
        uniqueBy: 'k',
        ...more,
      })
    ).json()
  const first = await post({ attachments: [fileID] })
  const look = () => service.graphql(app.token, `{ node(id: "${fileID}") { id } }`)
  expect((await look()).data.node).toEqual({ id: fileID })
  await giveRole(operator, { workspaceID, groupID: publicGroup.id, userID: app.userID, role: 'admin' })
  await erase(app.token, first.messageID)
  expect((await look()).data.node).toBeNull()
  const second = await post()
  expect(second).toMatchObject({ threadID: first.threadID, created: true })
  expect(second.messageID).not.toBe(first.messageID)
  await say(as(ada.id), first.threadID, 'after')
})

test('concurrent deletions and updates leave one message with the uniqueBy', async () => {
  const world = await makeWorld(service)
  const { app, publicGroup, operator, workspaceID } = world
  const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'x', uniqueBy: 'k' } }
  const send = async () =>
    (await mutated(service, app.token, 'sendMessage', input, 'message { id }')).message.id as string
  const first = await send()
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, turn) =>
      turn % 3 ? send() : erase(app.token, first).then(() => undefined),
    ),
  )
  await Promise.all([...new Set(ids)].map(async (id) => id && (await erase(app.token, id))))
  await Promise.all(Array.from({ length: 20 }, send))
  const where = { workspaceID, uniqueBy: 'k' }
  expect(await operator.db.message.count({ where })).toBe(1)
  const positions = await operator.db.message.findMany({
    where: { workspaceID },
    select: { position: true },
    orderBy: { position: 'asc' },
  })
  expect(positions.map(({ position }) => position)).toEqual(positions.map((_, index) => index + 1))
})

test('a reaction during the deletion is either removed or refused', async () => {
  const world = await makeWorld(service)
  const { app, publicGroup, operator, workspaceID } = world
  const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'x' } }
  for (let round = 0; round < 10; round += 1) {
    const { message } = await mutated(service, app.token, 'sendMessage', input, 'message { id }')
    const reaction = `mutation { addReaction(input: { messageID: "${message.id}", emoji: "👍" }) { message { id } } }`
    await Promise.all([
      ...Array.from({ length: 5 }, () => service.graphql(app.token, reaction)),
      erase(app.token, message.id),
      ...Array.from({ length: 5 }, () => service.graphql(app.token, reaction)),
    ])
  }
  expect(await operator.db.reaction.count({ where: { workspaceID } })).toBe(0)
})

describe('a message of another user', () => {
  test('can be deleted by an admin of the group or of the workspace, but not by a member', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, app, as, ada, publicGroup, generalGroupID } = world
    for (const groupID of [publicGroup.id, generalGroupID]) {
      const { message } = await say(as(ada.id), [publicGroup.id], 'hers')
      const thread = await say(as(ada.id), [publicGroup.id], 'hers', 'S')
      for (const messageID of [message.id, thread.message.id]) {
        expect(await refused(service, app.token, 'deleteMessage', { messageID }, selection)).toEqual([
          'FORBIDDEN',
        ])
      }
      await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
      for (const messageID of [message.id, thread.message.id]) {
        expect((await erase(app.token, messageID)).message.text).toBe('')
      }
      await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'member' })
    }
  })

  test('cannot be deleted in a DM, even by an admin of the workspace', async () => {
    const { operator, workspaceID, generalGroupID, app, as, ada } = await makeWorld(service)
    await giveRole(operator, { workspaceID, groupID: generalGroupID, userID: app.userID, role: 'admin' })
    const { message } = await say(as(ada.id), [app.userID], 'hers')
    const input = { messageID: message.id }
    expect(await refused(service, app.token, 'deleteMessage', input, selection)).toEqual(['FORBIDDEN'])
  })
})

test('deleteMessage returns NOT_FOUND for a message that the caller cannot see', async () => {
  const world = await makeWorld(service)
  const { as, ada, grace, app } = world
  const hidden = await say(as(ada.id), [grace.id], 'psst')
  const stranger = await makeWorld(service)
  for (const [token, messageID] of [
    [app.token, hidden.message.id],
    [stranger.app.token, hidden.message.id],
    [app.token, newID('msg')],
  ] as const) {
    expect(await refused(service, token, 'deleteMessage', { messageID }, selection)).toEqual(['NOT_FOUND'])
  }
})
