import { describe, expect, test } from 'vitest'
import type { WriteResult } from '../../src/messages/send/draft.ts'
import { makeWorld, postToWebhook, say, uploadToWebhook, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import { uploadByTicket } from '../support/uploads.ts'
import { writeMessage } from '../support/write-message.ts'

const service = await startService()

type Files = string[] | null | undefined

/** Values of `attachments` that are sent in sequence, and the attachments that are left. A number is a file. */
const sequences: [name: string, given: (number[] | null | undefined)[], left: number[]][] = [
  ['an update without attachments keeps the attachments', [[0, 1], undefined], [0, 1]],
  ['an update with null keeps the attachments', [[0, 1], null], [0, 1]],
  ['an update with an empty list removes the attachments', [[0, 1], []], []],
  [
    'an update with a list replaces the attachments',
    [
      [0, 1],
      [2, 0],
    ],
    [2, 0],
  ],
  ['an update with a list adds attachments to a message without any', [undefined, [2]], [2]],
  ['an update without attachments after an empty list leaves no attachments', [[0], [], undefined], []],
  [
    'an update without attachments after a list keeps the attachments of that list',
    [[0], [1, 2], undefined, null],
    [1, 2],
  ],
]

async function filesOfWebhook({ webhook }: World): Promise<string[]> {
  const uploads = ['a', 'b', 'c'].map((bytes) => uploadToWebhook(service, webhook.path, bytes))
  return (await Promise.all(uploads)).map((answer) => answer.json().id)
}

function pick(files: string[], numbers: number[] | null | undefined): Files {
  return numbers?.map((number) => String(files[number])) ?? (numbers === null ? null : undefined)
}

/** Returns the attachments of a message, as a client reads them. */
async function attachedTo({ app }: World, messageID: string): Promise<string[]> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Message { attachments { nodes { id } } } } }'
  const { data } = await service.graphql(app.token, query, { id: messageID })
  return data.node.attachments.nodes.map(({ id }: { id: string }) => id)
}

async function countOf({ operator, workspaceID }: World, messageID: string): Promise<number> {
  const rows = await operator.db.attachment.findMany({ where: { workspaceID, messageID } })
  const message = await operator.db.message.findFirstOrThrow({ where: { workspaceID, id: messageID } })
  expect(message.attachmentCount).toBe(rows.length)
  return rows.length
}

describe.each(sequences)('%s', (_name, given, left) => {
  test('by a webhook', async () => {
    const world = await makeWorld(service)
    const files = await filesOfWebhook(world)
    let messageID = ''
    for (const numbers of given) {
      const body = {
        target: world.publicGroup.id,
        text: 'x',
        uniqueBy: 'k',
        attachments: pick(files, numbers),
      }
      messageID = (await postToWebhook(service, world.webhook.path, body)).json().messageID
    }
    expect(await attachedTo(world, messageID)).toEqual(pick(files, left))
    expect(await countOf(world, messageID)).toBe(left.length)
  })

  test('by sendMessage', async () => {
    const world = await makeWorld(service)
    const { app, publicGroup } = world
    const uploads = ['d', 'e', 'f'].map((bytes) => uploadByTicket(service, app.token, bytes))
    const files = (await Promise.all(uploads)).map(({ id }) => id)
    let messageID = ''
    for (const numbers of given) {
      const message = { text: 'x', uniqueBy: 'k', attachments: pick(files, numbers) }
      const input = { thread: { recipients: [publicGroup.id] }, message }
      messageID = (await mutated(service, app.token, 'sendMessage', input, 'message { id }')).message.id
    }
    expect(await attachedTo(world, messageID)).toEqual(pick(files, left))
  })

  test.each([
    ['a new message', false],
    ['an existing message', true],
  ])('by calls in one batch, for %s', async (_case, isThere) => {
    const world = await makeWorld(service)
    const { operator, as, ada, publicGroup, webhook, workspaceID } = world
    const files = await filesOfWebhook(world)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'first')
    const place = { workspaceID, threadID: thread.id }
    const append = (text: string, uniqueBy: string | null, fileIDs: string[] | null) =>
      writeMessage(operator.db, place, {
        authorID: webhook.userID,
        webhook: undefined,
        text,
        uniqueBy,
        originID: null,
        mentionIDs: [],
        fileIDs,
      })
    if (isThere) await append('before', 'k', [String(files[2])])
    // The calls form one batch, because they are made in one turn of the event loop.
    const calls = given.map((numbers, index) => append(`text ${index}`, 'k', pick(files, numbers) ?? null))
    const written = (await Promise.all(calls)) as WriteResult[]
    const messageID = String(written.at(-1)?.messageID)
    expect(new Set(written.map((each) => each.messageID)).size).toBe(1)
    const kept = isThere && given.every((numbers) => numbers == null) ? [2] : left
    expect(await attachedTo(world, messageID)).toEqual(pick(files, kept))
    expect(await countOf(world, messageID)).toBe(kept.length)
    const message = await operator.db.message.findFirstOrThrow({ where: { workspaceID, id: messageID } })
    expect(message.text).toBe(`text ${given.length - 1}`)
  })
})

test('an update in a batch changes only the attachments of its own message', async () => {
  const world = await makeWorld(service)
  const { operator, as, ada, publicGroup, webhook, workspaceID } = world
  const [a, b] = (await filesOfWebhook(world)) as [string, string]
  const { thread } = await say(as(ada.id), [publicGroup.id], 'first')
  const place = { workspaceID, threadID: thread.id }
  const append = (uniqueBy: string | null, fileIDs: string[] | null) =>
    writeMessage(operator.db, place, {
      authorID: webhook.userID,
      webhook: undefined,
      text: 'x',
      uniqueBy,
      originID: null,
      mentionIDs: [],
      fileIDs,
    })
  const kept = await append('kept', [a])
  const replaced = await append('replaced', [a])
  const removed = await append('removed', [a])
  await Promise.all([
    append('kept', null),
    append('replaced', [b, a]),
    append('removed', []),
    append('new', [b]),
  ])
  const ids = [kept, replaced, removed].map((each) => String(each.messageID))
  expect(await Promise.all(ids.map((id) => attachedTo(world, id)))).toEqual([[a], [b, a], []])
})
