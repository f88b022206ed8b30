import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, say, type World } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const selection = 'message { id text position createdAt editedAt attachments { nodes { id } } }'

async function send({ app }: Pick<World, 'app'>, target: string, message: object = {}) {
  const input = { thread: { recipients: [target] }, message: { text: 'first', ...message } }
  return (await mutated(service, app.token, 'sendMessage', input, selection)).message
}

async function makeFiles({ operator, workspaceID, app }: World, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newID('fil'))
  const [md5, sha256] = [Buffer.alloc(16), Buffer.alloc(32)]
  const file = { workspaceID, uploaderID: app.userID, name: 'f', sizeBytes: 1, md5, sha256 }
  await operator.db.content.createMany({ data: [{ sha256 }], skipDuplicates: true })
  await operator.db.file.createMany({ data: ids.map((id) => ({ ...file, id })) })
  return ids
}

const idsOf = (message: { attachments: { nodes: { id: string }[] } }) =>
  message.attachments.nodes.map(({ id }) => id)

test('the author can edit a message, which keeps its ID, position and time', async () => {
  const world = await makeWorld(service)
  const sent = await send(world, world.publicGroup.id)
  const input = { messageID: sent.id, text: 'second' }
  const { message } = await mutated(service, world.app.token, 'editMessage', input, selection)
  expect(message).toEqual({ ...sent, text: 'second', editedAt: expect.any(String) })
})

test('attachments are replaced, and omitted fields stay unchanged', async () => {
  const world = await makeWorld(service)
  const [one = '', two = '', three = ''] = await makeFiles(world, 3)
  const sent = await send(world, world.publicGroup.id, { attachments: [one, two] })
  const edit = async (input: object) =>
    (await mutated(service, world.app.token, 'editMessage', { messageID: sent.id, ...input }, selection))
      .message
  const text = await edit({ text: 'second' })
  expect([text.text, idsOf(text)]).toEqual(['second', [one, two]])
  const files = await edit({ attachments: [three, one] })
  expect([files.text, idsOf(files)]).toEqual(['second', [three, one]])
  expect(idsOf(await edit({ attachments: [] }))).toEqual([])
})

test('an edit to what the message already has calls nobody, and leaves its time and the state of the thread', async () => {
  const world = await makeWorld(service)
  const [file = '', other = ''] = await makeFiles(world, 2)
  const look = 'message { id calledAt editedAt version thread { id state } }'
  const edit = async (messageID: string, input: object) =>
    (await mutated(service, world.app.token, 'editMessage', { messageID, ...input }, look)).message
  const content = { text: 'first', state: 'ok', senderName: 'CI', allowMentions: false, attachments: [file] }
  const thread = { recipients: [world.publicGroup.id], subject: 'Build' }
  const { message } = await mutated(
    service,
    world.app.token,
    'sendMessage',
    { thread, message: content },
    look,
  )
  const failed = { threadID: message.thread.id, message: { text: 'second', state: 'failed' } }
  await mutated(service, world.app.token, 'sendMessage', failed, 'message { id }')
  const unchanged = { calledAt: message.calledAt, editedAt: null, thread: { state: 'failed' } }
  expect(await edit(message.id, { ...content, notify: 'always', version: 3 })).toMatchObject({
    ...unchanged,
    version: 3,
  })
  expect(await edit(message.id, { state: 'ok', notify: 'always' })).toMatchObject(unchanged)
  expect(await edit(message.id, { text: 'first', threadState: 'running' })).toMatchObject({
    ...unchanged,
    thread: { state: 'running' },
  })
  for (const change of [
    { attachments: [other] },
    { attachments: [] },
    { plain: true },
    { senderName: 'CD' },
  ]) {
    const { calledAt, editedAt, thread } = await edit(message.id, {
      state: 'ok',
      notify: 'always',
      ...change,
    })
    expect([calledAt > message.calledAt, editedAt, thread.state]).toEqual([true, expect.any(String), 'ok'])
    await edit(message.id, { state: 'running' })
  }
})

test('concurrent edits and updates leave the text and the attachments of the same call', async () => {
  const world = await makeWorld(service)
  const { app, operator, workspaceID, publicGroup } = world
  const files = await makeFiles(world, 3)
  const sent = await send(world, publicGroup.id, { uniqueBy: 'k', attachments: files })
  await Promise.all(
    Array.from({ length: 60 }, (_, turn) => {
      const change = { text: `${turn}`, attachments: files.slice(0, turn % 4) }
      return turn % 2
        ? mutated(service, app.token, 'editMessage', { messageID: sent.id, ...change }, 'message { id }')
        : send(world, publicGroup.id, { uniqueBy: 'k', ...change })
    }),
  )
  const [message, ...more] = await operator.db.message.findMany({ where: { workspaceID, uniqueBy: 'k' } })
  const attached = await operator.db.attachment.findMany({
    where: { workspaceID, messageID: sent.id },
    orderBy: { position: 'asc' },
  })
  expect(more).toEqual([])
  const expected = files.slice(0, Number(message?.text) % 4)
  expect(message?.attachmentCount).toBe(expected.length)
  expect(attached.slice(0, expected.length).map(({ fileID }) => fileID)).toEqual(expected)
})

describe('an edit with a version', () => {
  const outcome = 'isStale message { text thread { state closedAt } }'

  /** Sends version 7 of a message, which closes its thread, and another message to the thread. */
  async function makeThread() {
    const { app, publicGroup } = await makeWorld(service)
    const thread = { recipients: [publicGroup.id], subject: 'Build' }
    const message = { text: 'passed', version: 7, state: 'ok', threadClosed: true }
    const sent = await mutated(
      service,
      app.token,
      'sendMessage',
      { thread, message },
      'thread { id } message { id }',
    )
    const other = { threadID: sent.thread.id, message: { text: 'other' } }
    const { message: second } = await mutated(service, app.token, 'sendMessage', other, 'message { id }')
    const edit = (messageID: string, fields: object) =>
      mutated(service, app.token, 'editMessage', { messageID, ...fields }, outcome)
    return { first: sent.message.id, second: second.id, edit }
  }

  test('that is lower than that of the message changes nothing', async () => {
    const { first, edit } = await makeThread()
    const older = { text: 'runs', version: 6, state: 'running', threadClosed: false }
    expect(await edit(first, older)).toEqual({
      isStale: true,
      message: { text: 'passed', thread: { state: 'ok', closedAt: expect.any(String) } },
    })
  })

  test('that is lower than that of another message does not reopen the thread which that message closed', async () => {
    const { second, edit } = await makeThread()
    expect(await edit(second, { text: 'older', version: 6, threadClosed: false })).toEqual({
      isStale: false,
      message: { text: 'older', thread: { state: 'ok', closedAt: expect.any(String) } },
    })
    expect(await edit(second, { text: 'newer', version: 8, threadClosed: false })).toEqual({
      isStale: false,
      message: { text: 'newer', thread: { state: 'ok', closedAt: null } },
    })
  })
})

describe('an edit is refused', () => {
  test('if it has nothing to change, and if its input is invalid', async () => {
    const world = await makeWorld(service)
    const messageID = (await send(world, world.publicGroup.id)).id
    const edit = (input: object) =>
      refused(service, world.app.token, 'editMessage', { messageID, ...input }, selection)
    expect(await edit({})).toEqual(['INVALID_INPUT', 'text'])
    expect(await edit({ text: ' ' })).toEqual(['INVALID_INPUT', 'text'])
    expect(await edit({ text: 'x'.repeat(40_001) })).toEqual(['INVALID_INPUT', 'text'])
    expect(await edit({ attachments: [newID('fil')] })).toEqual(['INVALID_INPUT', 'attachments.0'])
  })

  test('for a message of another user, and for a deleted message', async () => {
    const world = await makeWorld(service)
    const { app, as, ada, publicGroup } = world
    const others = await say(as(ada.id), [publicGroup.id], 'mine')
    const input = { messageID: others.message.id, text: 'x' }
    expect(await refused(service, app.token, 'editMessage', input, selection)).toEqual(['FORBIDDEN'])
    const own = await send(world, publicGroup.id)
    await mutated(service, app.token, 'deleteMessage', { messageID: own.id }, 'message { id }')
    const again = { messageID: own.id, text: 'x' }
    expect(await refused(service, app.token, 'editMessage', again, selection)).toEqual([
      'CONFLICT',
      'messageID',
    ])
  })

  test('without the scope, and with NOT_FOUND if the caller cannot see the message', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, as, ada, privateGroup } = world
    const reader = await makeApp(service, operator, workspaceID, ['threads:read'])
    const hidden = await say(as(ada.id), [privateGroup.id], 'psst')
    const input = { messageID: hidden.message.id, text: 'x' }
    expect(await refused(service, reader.token, 'editMessage', input, selection)).toEqual([
      'INSUFFICIENT_SCOPE',
    ])
    for (const messageID of [hidden.message.id, newID('msg'), 'x']) {
      const { app } = messageID === 'x' ? await makeWorld(service) : world
      expect(await refused(service, app.token, 'editMessage', { messageID, text: 'x' }, selection)).toEqual([
        'NOT_FOUND',
      ])
    }
  })
})
