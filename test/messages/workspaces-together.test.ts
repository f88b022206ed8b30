import { describe, expect, test } from 'vitest'
import { databaseFailure } from '../../src/database/database-errors.ts'
import { markRead } from '../../src/messages/reads/mark-read.ts'
import { findReadUpTo } from '../../src/messages/reads/read-state.ts'
import { searchMessages } from '../../src/messages/search/search-messages.ts'
import {
  makeWorld,
  postToWebhook,
  requestToken,
  say,
  uploadToWebhook,
  type World,
} from '../support/factories.ts'
import { lockThread } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'
import { writeMessage } from '../support/write-message.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''
const service = await startService()

async function makeWorldWithThread() {
  const world = await makeWorld(service)
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
  return { ...world, threadID: thread.id }
}

type ThreadWorld = Awaited<ReturnType<typeof makeWorldWithThread>>

function append(world: ThreadWorld, text: string, more: { fileIDs?: string[]; uniqueBy?: string } = {}) {
  const { workspaceID, threadID, ada } = world
  const rest = { webhook: undefined, uniqueBy: null, originID: null, mentionIDs: [], fileIDs: [] }
  const draft = { authorID: ada.id, text, ...rest, ...more }
  return writeMessage(world.operator.db, { workspaceID, threadID }, draft)
}

/** Returns the texts of the thread and the transactions that wrote them. Expects no gap between positions. */
async function messagesOf({ operator, threadID }: ThreadWorld) {
  const rows = await operator.db.$queryRaw<{ text: string; position: number; xid: string }[]>`
    SELECT text, position, xmin::text AS xid FROM messages WHERE thread_id = ${threadID} ORDER BY position`
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1))
  return { texts: rows.map(({ text }) => text), xids: rows.slice(1).map(({ xid }) => xid) }
}

async function upload({ webhook }: World): Promise<string> {
  return (await uploadToWebhook(service, webhook.path, 'x')).json().id
}

describe('messages of several workspaces that arrive at the same time', () => {
  test('are written in one transaction, in the order of arrival in each thread', async () => {
    const worlds = [await makeWorldWithThread(), await makeWorldWithThread(), await makeWorldWithThread()]
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`)
    await Promise.all(texts.flatMap((text) => worlds.map((world) => append(world, text))))
    const written = await Promise.all(worlds.map(messagesOf))
    for (const { texts: found } of written) expect(found).toEqual(['first', ...texts])
    expect(new Set(written.flatMap(({ xids }) => xids)).size).toBe(1)
    for (const world of worlds) {
      const { nodes } = await searchMessages(world.as(world.ada.id), { query: 'message' }, { first: 50 })
      expect(nodes.map(({ text }) => text)).toEqual(texts.toReversed())
      const { thread } = await markRead(world.as(world.ada.id), { threadID: world.threadID })
      expect(await findReadUpTo(world.as(world.ada.id), thread)).toMatchObject({ position: 13 })
    }
  })

  test('fail individually: the others are written if one cannot be written', async () => {
    const worlds = [await makeWorldWithThread(), await makeWorldWithThread(), await makeWorldWithThread()]
    const [one, two] = worlds as [ThreadWorld, ThreadWorld]
    const foreign = await upload(two)
    const answers = await Promise.allSettled(
      worlds.flatMap((world) =>
        [0, 1, 2, 3].map((n) =>
          append(world, `${n}`, { fileIDs: world === one && n === 2 ? [foreign] : [] }),
        ),
      ),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.map(({ reason }) => databaseFailure(reason))).toEqual(['missing'])
    const texts = await Promise.all(worlds.map(async (world) => (await messagesOf(world)).texts))
    const all = ['first', '0', '1', '2', '3']
    expect(texts).toEqual([['first', '0', '1', '3'], all, all])
  })

  test('can use only the threads, keys and files of their own workspace', async () => {
    const [one, two] = [await makeWorldWithThread(), await makeWorldWithThread()]
    const [ofOne, ofTwo] = [await upload(one), await upload(two)]
    const first = await append(two, 'old', { uniqueBy: 'key', fileIDs: [ofTwo] })
    const strangers = { ...one, threadID: two.threadID }
    const [hidden, created, updated] = await Promise.all([
      append(strangers, 'hidden').catch(String),
      append(one, 'new', { uniqueBy: 'key', fileIDs: [ofOne] }),
      append(two, 'newer', { uniqueBy: 'key' }),
    ])
    expect([hidden, created.created, updated]).toMatchObject([
      'Error: Nothing was written: not_visible',
      true,
      { messageID: first.messageID, created: false },
    ])
    expect((await messagesOf(one)).texts).toEqual(['first', 'new'])
    expect((await messagesOf(two)).texts).toEqual(['first', 'newer'])
  })

  test('are refused individually if their webhook is disabled, also when they create threads', async () => {
    const worlds = [await makeWorldWithThread(), await makeWorldWithThread(), await makeWorldWithThread()]
    const bodies = [
      {},
      { threadSubject: 'Same', threadBy: 'same' },
      { threadSubject: 'Same', threadBy: 'same' },
    ]
    const [off] = worlds as [ThreadWorld]
    await off.operator.db.webhook.updateMany({
      where: { id: off.webhook.id },
      data: { disabledAt: new Date() },
    })
    const answers = await Promise.all(
      worlds.flatMap((world) =>
        bodies.map((body) =>
          postToWebhook(service, world.webhook.path, {
            ...body,
            target: world.publicGroup.id,
            text: 'alert',
          }),
        ),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, ...Array(6).fill(200)])
    const threads = answers.slice(3).map((answer) => answer.json().threadID as string)
    expect(new Set(threads).size).toBe(4)
    expect([threads[1], threads[4]]).toEqual([threads[2], threads[5]])
  })

  test.runIf(serverURL)(
    'are written even if a message in another workspace waits for a locked thread',
    async () => {
      const [one, two] = [await makeWorldWithThread(), await makeWorldWithThread()]
      const locker = await lockThread(one.operator.db, one.threadID)
      const settled: string[] = []
      const waiting = append(one, 'waits').finally(() => settled.push('waits'))
      const later = append(one, 'waits too').finally(() => settled.push('waits too'))
      await append(two, 'written')
      settled.push('written')
      await append(two, 'written later')
      settled.push('written later')
      await locker.end()
      await Promise.all([waiting, later])
      expect(settled).toEqual(['written', 'written later', 'waits', 'waits too'])
      expect((await messagesOf(one)).texts).toEqual(['first', 'waits', 'waits too'])
    },
  )
})

test('concurrent token requests of several workspaces each return a token of their workspace', async () => {
  const worlds = [await makeWorldWithThread(), await makeWorldWithThread(), await makeWorldWithThread()]
  const answers = await Promise.all(
    worlds.flatMap(({ app }) => [0, 1, 2].map(() => requestToken(service, app.form))),
  )
  expect(answers.map((answer) => answer.json().user_id)).toEqual(
    worlds.flatMap(({ app }) => [app.userID, app.userID, app.userID]),
  )
})
