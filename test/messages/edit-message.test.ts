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
