import { describe, expect, test } from 'vitest'
import { databaseFailure } from '../../src/database/database-errors.ts'
import { searchMessages } from '../../src/messages/search/search-messages.ts'
import { appendMessage } from '../../src/messages/send/append-message.ts'
import type { Draft, WriteResult } from '../../src/messages/send/draft.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { makeWorld, say, uploadToWebhook, type World } from '../support/factories.ts'
import { lockThread } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'
import { writeMessage } from '../support/write-message.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''

const service = await startService()

async function makeThread(world: World) {
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
  return { workspaceID: world.workspaceID, threadID: thread.id }
}

function draftOf(world: World, text: string, more: Partial<Draft> = {}): Draft {
  return {
    authorID: world.ada.id,
    webhook: undefined,
    text,
    uniqueBy: null,
    originID: null,
    mentionIDs: [],
    fileIDs: [],
    ...more,
  }
}

function messagesOf({ operator }: World, threadID: string) {
  return operator.db.message.findMany({ where: { threadID }, orderBy: { position: 'asc' } })
}

describe('messages that arrive at the same time', () => {
  test('get positions in the order of arrival, without a gap, in every thread', async () => {
    const world = await makeWorld(service)
    const places = [await makeThread(world), await makeThread(world), await makeThread(world)] as const
    const texts = Array.from({ length: 60 }, (_, index) => `message ${index}`)
    await Promise.all(
      texts.map((text, index) =>
        writeMessage(world.operator.db, places[(index % 3) as 0 | 1 | 2], draftOf(world, text)),
      ),
    )
    for (const [number, { threadID }] of places.entries()) {
      const messages = await messagesOf(world, threadID)
      expect(messages.map(({ text }) => text)).toEqual(['first', ...texts.filter((_, i) => i % 3 === number)])
      expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index + 1))
      const times = messages.map(({ createdAt }) => createdAt.getTime())
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      const thread = await world.operator.db.thread.findFirst({ where: { id: threadID } })
      expect([thread?.lastPosition, thread?.lastActivityAt]).toEqual([21, messages.at(-1)?.createdAt])
    }
  })

  test('are written or refused individually if replies are off', async () => {
    const world = await makeWorld(service)
    const place = await makeThread(world)
    const { db } = world.operator
    await db.thread.updateMany({ where: { id: place.threadID }, data: { repliesOff: true } })
    const drafts = Array.from({ length: 20 }, (_, index) =>
      draftOf(world, `message ${index}`, {
        ...(index % 2 === 0 ? { authorID: world.webhook.userID } : {}),
        ...(index % 4 < 2 ? { uniqueBy: `key ${index % 8}` } : {}),
      }),
    )
    const answers = await Promise.all(drafts.map((draft) => appendMessage(db, place, draft)))
    const outcomes = answers.map((answer) => (typeof answer === 'string' ? answer : 'written'))
    expect(outcomes).toEqual(drafts.map((_, index) => (index % 2 === 1 ? 'written' : 'replies_off')))
    const messages = await messagesOf(world, place.threadID)
    expect(new Set(messages.map(({ authorID }) => authorID))).toEqual(new Set([world.ada.id]))
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index + 1))
    expect(messages).toHaveLength(1 + 5 + 2)
    const thread = await db.thread.findFirst({ where: { id: place.threadID } })
    expect(thread?.lastPosition).toBe(8)
  })

  test('fail individually: the others are written if one cannot be written', async () => {
    const world = await makeWorld(service)
    const place = await makeThread(world)
    const drafts = Array.from({ length: 20 }, (_, index) =>
      draftOf(world, `message ${index}`, { fileIDs: index === 7 ? ['fil_missing'] : [] }),
    )
    const answers = await Promise.allSettled(
      drafts.map((draft) => writeMessage(world.operator.db, place, draft)),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.map(({ reason }) => databaseFailure(reason))).toEqual(['missing'])
    const messages = await messagesOf(world, place.threadID)
    expect(messages).toHaveLength(20)
    expect(messages.map(({ text }) => text)).not.toContain('message 7')
  })

  test.runIf(serverURL)(
    'fail if their thread stays locked, and are not written later, but messages of other threads are written',
    async () => {
      const world = await makeWorld(service)
      const [locked, free] = [await makeThread(world), await makeThread(world)]
      const append = (place: typeof free, text: string) =>
        appendMessage(world.operator.db, place, draftOf(world, text))
      const locker = await lockThread(world.operator.db, locked.threadID)
      const refused = Promise.allSettled([append(locked, 'one'), append(locked, 'two')])
      const written = Promise.all([append(free, 'one'), append(free, 'two')])
      const reasons = (await refused).map((answer) => databaseFailure('reason' in answer && answer.reason))
      expect(reasons).toEqual(['locked', 'locked'])
      await written
      await locker.end()
      expect(await append(locked, 'three')).toMatchObject({ created: true })
      const textsOf = async (place: typeof free) =>
        (await messagesOf(world, place.threadID)).map(({ text }) => text)
      expect(await textsOf(locked)).toEqual(['first', 'three'])
      expect(await textsOf(free)).toEqual(['first', 'one', 'two'])
    },
  )

  test('with the same uniqueBy become one message, which has the last text', async () => {
    const world = await makeWorld(service)
    const place = await makeThread(world)
    const drafts = Array.from({ length: 9 }, (_, index) =>
      draftOf(world, `text ${index}`, { uniqueBy: 'key' }),
    )
    const answers = await Promise.all(drafts.map((draft) => writeMessage(world.operator.db, place, draft)))
    expect(answers.map(({ created }) => created)).toEqual([true, ...Array(8).fill(false)])
    const [, message, ...others] = await messagesOf(world, place.threadID)
    expect(others).toEqual([])
    expect(new Set(answers.map(({ messageID }) => messageID))).toEqual(new Set([message?.id]))
    expect(message).toMatchObject({ text: 'text 8', position: 2, editedAt: expect.any(Date) })
  })

  test('are updated and created in one statement, each with its own attachments', async () => {
    const world = await makeWorld(service)
    const place = await makeThread(world)
    const { db } = world.operator
    const upload = async () => (await uploadToWebhook(service, world.webhook.path, 'x')).json().id as string
    const [a, b, c] = [await upload(), await upload(), await upload()]
    const append = (text: string, uniqueBy: string | null, fileIDs: string[]) =>
      writeMessage(db, place, draftOf(world, text, { uniqueBy, fileIDs }))
    const first = await append('old', 'key', [a, b])
    const [updated, created, plain] = await Promise.all([
      append('new', 'key', [b, a, c]),
      append('other', 'other key', [c]),
      append('plain', null, []),
    ])
    expect(updated).toMatchObject({ messageID: first.messageID, created: false })
    const filesOf = async ({ messageID }: WriteResult) => {
      const rows = await db.attachment.findMany({ where: { messageID }, orderBy: { position: 'asc' } })
      return rows.map(({ fileID }) => fileID)
    }
    expect(await filesOf(updated)).toEqual([b, a, c])
    expect(await filesOf(created)).toEqual([c])
    expect(await filesOf(plain)).toEqual([])
    const texts = (await messagesOf(world, place.threadID)).map(({ text, position }) => [text, position])
    expect(texts).toEqual([
      ['first', 1],
      ['new', 2],
      ['other', 3],
      ['plain', 4],
    ])
  })

  test('are written only if their author can write to the thread', async () => {
    const world = await makeWorld(service)
    const { ada, grace, privateGroup, operator } = world
    const { thread } = await say(world.as(ada.id), [privateGroup.id], 'first', 'S')
    const place = { workspaceID: world.workspaceID, threadID: thread.id }
    const [hers, his, elsewhere] = await Promise.all([
      appendMessage(operator.db, place, draftOf(world, 'hers')),
      appendMessage(operator.db, place, draftOf(world, 'his', { authorID: grace.id })),
      appendMessage(operator.db, { ...place, threadID: `${thread.id.slice(0, -1)}~` }, draftOf(world, 'x')),
    ])
    expect([hers, his, elsewhere]).toMatchObject([
      { messageID: expect.any(String), created: true },
      'not_visible',
      'not_visible',
    ])
    expect((await messagesOf(world, thread.id)).map(({ text }) => text)).toEqual(['first', 'hers'])
  })
})

describe('a single message of a webhook', () => {
  async function makePlace() {
    const world = await makeWorld(service)
    const { ada, publicGroup, webhook, operator } = world
    const { thread } = await say(world.as(ada.id), [publicGroup.id], 'first', 'S')
    const { userID, keyHash, revision } = await operator.db.webhook.findFirstOrThrow({
      where: { id: webhook.id },
    })
    const own = { id: webhook.id, keyHash: Buffer.from(keyHash).toString('hex'), revision }
    const place = { workspaceID: world.workspaceID, threadID: thread.id }
    const append = (more: Partial<Draft> = {}, elsewhere: Partial<typeof place> = {}) => {
      const draft = draftOf(world, 'alert', { authorID: userID, webhook: own, ...more })
      return appendMessage(operator.db, { ...place, ...elsewhere }, draft)
    }
    return { world, own, place, append }
  }

  test('gets the next position, and is found by a search', async () => {
    const { world, place, append } = await makePlace()
    const answers = [await append(), await append({ text: 'second alert' })]
    const messages = await messagesOf(world, place.threadID)
    expect(answers).toMatchObject(messages.slice(1).map(({ id }) => ({ messageID: id, created: true })))
    expect(messages.map(({ position, text, authorID }) => [position, text, authorID])).toEqual([
      [1, 'first', world.ada.id],
      [2, 'alert', world.webhook.userID],
      [3, 'second alert', world.webhook.userID],
    ])
    const thread = await world.operator.db.thread.findFirst({ where: { id: place.threadID } })
    expect([thread?.lastPosition, thread?.lastActivityAt]).toEqual([3, messages.at(-1)?.createdAt])
    const { edges } = await searchMessages(world.as(world.ada.id), { query: 'alert' }, { first: 10 })
    expect(edges.map(({ node }) => node.text)).toEqual(['second alert', 'alert'])
  })

  test('is not written if the webhook cannot write to the thread', async () => {
    const { world, own, place, append } = await makePlace()
    const { db } = world.operator
    const { thread: hidden } = await say(world.as(world.ada.id), [world.privateGroup.id], 'first', 'S')
    expect(await append({}, { threadID: hidden.id })).toBe('not_visible')
    expect(await append({}, { threadID: 'thr_missing' })).toBe('not_visible')
    expect(await append({}, { workspaceID: 'wks_other' })).toBe('not_visible')
    expect(await append({ webhook: { ...own, keyHash: '00' } })).toBe('webhook_inactive')
    expect(await append({ webhook: { ...own, id: 'wbh_missing' } })).toBe('webhook_inactive')
    expect(await append({ webhook: { ...own, revision: 1 } })).toBe('webhook_inactive')
    await db.thread.updateMany({ where: { id: place.threadID }, data: { repliesOff: true } })
    expect(await append()).toBe('replies_off')
    await db.thread.updateMany({ where: { id: place.threadID }, data: { repliesOff: false } })
    await db.webhook.updateMany({ where: { id: own.id }, data: { disabledAt: new Date() } })
    expect(await append()).toBe('webhook_inactive')
    for (const threadID of [place.threadID, hidden.id]) {
      const thread = await db.thread.findFirst({ where: { id: threadID } })
      expect([thread?.lastPosition, (await messagesOf(world, threadID)).length]).toEqual([1, 1])
    }
    await db.webhook.updateMany({ where: { id: own.id }, data: { disabledAt: null } })
    expect(await append()).toMatchObject({ created: true })
  })
})

test('concurrent messages with the same threadBy create one thread, which contains them all', async () => {
  const world = await makeWorld(service)
  const posted = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      sendMessage(world.as(world.ada.id), {
        thread: { recipients: [world.publicGroup.id], subject: 'S', threadBy: `key ${index % 3}` },
        message: { text: `message ${index}` },
      }),
    ),
  )
  const threadIDs = [...new Set(posted.map(({ threadID }) => threadID))]
  expect(threadIDs).toHaveLength(3)
  for (const threadID of threadIDs) expect(await messagesOf(world, threadID)).toHaveLength(10)
})
