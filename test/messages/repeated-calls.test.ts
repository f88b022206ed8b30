import { describe, expect, test } from 'vitest'
import { editMessage } from '../../src/messages/edit-message.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { makeWorld, postToWebhook, say, uploadToWebhook, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import { writeMessage } from '../support/write-message.ts'

const service = await startService()

async function post({ webhook, publicGroup }: World, body: object) {
  const answer = await postToWebhook(service, webhook.path, {
    target: publicGroup.id,
    uniqueBy: 'k',
    ...body,
  })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

async function upload({ webhook }: World, bytes: string): Promise<string> {
  return (await uploadToWebhook(service, webhook.path, bytes)).json().id
}

async function messageOf({ app }: World, id: string) {
  const query = `query ($id: ID!) { node(id: $id) { ... on Message {
    text position createdAt editedAt attachments { nodes { id } } } } }`
  const { attachments, ...message } = (await service.graphql(app.token, query, { id })).data.node
  return { ...message, files: attachments.nodes.map((file: { id: string }) => file.id) }
}

async function typesSince({ app }: World, after: string): Promise<string[]> {
  const query = 'query ($after: String) { events(after: $after) { nodes { type } } }'
  const { nodes } = (await service.graphql(app.token, query, { after })).data.events
  return nodes.map(({ type }: { type: string }) => type)
}

const latest = async ({ app }: World): Promise<string> =>
  (await service.graphql(app.token, '{ latestEventCursor }')).data.latestEventCursor

describe('a repeated call with the same uniqueBy, text and attachments changes nothing', () => {
  test('by a webhook: the response names the message, editedAt stays null, and no event is written', async () => {
    const world = await makeWorld(service)
    const first = await post(world, { text: 'red' })
    const before = await messageOf(world, first.messageID)
    const after = await latest(world)
    expect(await post(world, { text: 'red' })).toEqual({ ...first, created: false })
    expect(await post(world, { text: 'red', attachments: [] })).toEqual({ ...first, created: false })
    expect(await messageOf(world, first.messageID)).toEqual({ ...before, editedAt: null })
    expect(await typesSince(world, after)).toEqual([])
  })

  test('by sendMessage', async () => {
    const { app, publicGroup } = await makeWorld(service)
    const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'red', uniqueBy: 'k' } }
    const send = () =>
      mutated(service, app.token, 'sendMessage', input, 'created message { id text editedAt }')
    const first = await send()
    expect(first).toMatchObject({ created: true, message: { text: 'red', editedAt: null } })
    expect(await send()).toEqual({ ...first, created: false })
  })

  test('with the same attachments in the same order', async () => {
    const world = await makeWorld(service)
    const files = [await upload(world, 'a'), await upload(world, 'b')]
    const first = await post(world, { text: 'red', attachments: files })
    const after = await latest(world)
    for (const attachments of [files, [...files, files[0]], undefined, null])
      expect(await post(world, { text: 'red', attachments })).toEqual({ ...first, created: false })
    expect(await messageOf(world, first.messageID)).toMatchObject({ files, editedAt: null })
    expect(await typesSince(world, after)).toEqual([])
  })

  test('in one batch with calls that change other messages', async () => {
    const world = await makeWorld(service)
    const { operator, as, ada, publicGroup, webhook, workspaceID } = world
    const [a, b] = [await upload(world, 'a'), await upload(world, 'b')]
    const { thread } = await say(as(ada.id), [publicGroup.id], 'first')
    const append = (text: string, uniqueBy: string | null, fileIDs: string[] | null = null) =>
      writeMessage(
        operator.db,
        { workspaceID, threadID: thread.id },
        {
          authorID: webhook.userID,
          webhook: undefined,
          text,
          uniqueBy,
          originID: null,
          mentionIDs: [],
          fileIDs,
        },
      )
    const calls = () => [
      append('same', 'same', [a]),
      append('changed', 'changed', [b]),
      append('twice', 'twice'),
      append('twice', 'twice'),
    ]
    // The calls form one batch, because they are made in one turn of the event loop.
    const [same, changed, twice, again] = await Promise.all(calls())
    expect([same, changed, twice, again].map((each) => each?.created)).toEqual([true, true, true, false])
    await append('other', 'changed', [a])
    const second = await Promise.all(calls())
    expect(second).toEqual([same, changed, twice, twice].map((each) => ({ ...each, created: false })))
    const read = (written: typeof same) => messageOf(world, String(written?.messageID))
    expect(await read(same)).toMatchObject({ text: 'same', files: [a], editedAt: null })
    expect(await read(twice)).toMatchObject({ text: 'twice', files: [], editedAt: null })
    expect(await read(changed)).toMatchObject({ text: 'changed', files: [b], editedAt: expect.any(String) })
  })
})

describe('a call with the same uniqueBy updates the message', () => {
  const [a, b] = [0, 1]

  test.each([
    ['another text', { text: 'green' }, { text: 'green', files: [a, b] }],
    ['other attachments', { attachments: [b] }, { files: [b] }],
    ['attachments in another order', { attachments: [b, a] }, { files: [b, a] }],
    ['no attachments', { attachments: [] }, { files: [] }],
  ])('with %s', async (_what, change, expected) => {
    const world = await makeWorld(service)
    const files = [await upload(world, 'a'), await upload(world, 'b')]
    const pick = (numbers: number[] | undefined) => numbers?.map((number) => files[number])
    const first = await post(world, { text: 'red', attachments: files })
    const after = await latest(world)
    const { attachments, ...text } = { attachments: undefined, ...change }
    await post(world, { text: 'red', ...text, attachments: pick(attachments) })
    expect(await messageOf(world, first.messageID)).toMatchObject({
      text: 'red',
      ...expected,
      files: pick(expected.files),
      editedAt: expect.any(String),
    })
    expect(await typesSince(world, after)).toEqual(['messageUpdated'])
  })

  test('if its author has edited the message since the first call', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup } = world
    const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'red', uniqueBy: 'k' } }
    const { messageID } = await sendMessage(as(ada.id), input)
    await editMessage(as(ada.id), { messageID, text: 'green' })
    await sendMessage(as(ada.id), input)
    expect(await messageOf(world, messageID)).toMatchObject({ text: 'red', editedAt: expect.any(String) })
  })
})
