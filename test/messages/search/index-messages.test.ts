import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../../../src/context.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { sequenceEvents } from '../../../src/events/sequence-events.ts'
import { indexMessages } from '../../../src/messages/search/indexing/index-messages.ts'
import { startIndexing } from '../../../src/messages/search/indexing/start-indexing.ts'
import { searchMessages } from '../../../src/messages/search/search-messages.ts'
import { databaseForRequest } from '../../../src/platform/request-database.ts'
import { makeWorld, postToWebhook, say, type World } from '../../support/factories.ts'
import { urlOf } from '../../support/global-setup.ts'
import { startService } from '../../support/service.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''
const service = await startService()
const schemes = ['skein']

async function found(ctx: Context, query: string): Promise<string[]> {
  return (await searchMessages(ctx, { query }, { first: 100 })).nodes.map(({ text }) => text)
}

async function update({ webhook, publicGroup }: World, uniqueBy: string, text: string): Promise<void> {
  const answer = await postToWebhook(service, webhook.path, { target: publicGroup.id, uniqueBy, text })
  expect(answer.statusCode).toBe(200)
}

/** Returns the texts of the messages that wait to be indexed, in the order in which they were queued. */
async function notedTexts({ operator: { db }, workspaceID }: World): Promise<string[]> {
  const notes = await db.$queryRaw<{ id: string }[]>`
    SELECT e.id FROM event_notes n, unnest(n.types, n.object_ids) WITH ORDINALITY AS e (type, id, place)
    WHERE n.workspace_id = ${workspaceID} AND e.type LIKE 'message.%' ORDER BY n.number, e.place`
  const messages = await db.message.findMany({ where: { workspaceID } })
  const textOf = new Map(messages.map(({ id, text }) => [id, text]))
  return notes.map(({ id }) => textOf.get(id) ?? 'unknown')
}

/** Returns how many messages are not indexed with their current text. */
async function unindexed({ operator: { db }, workspaceID }: World): Promise<number> {
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM messages m
    LEFT JOIN searchable_messages s ON s.workspace_id = m.workspace_id AND s.message_id = m.id
    WHERE m.workspace_id = ${workspaceID} AND (s.message_id IS NULL OR s.edited_at IS DISTINCT FROM m.edited_at)`
  return counted?.count ?? -1
}

async function untilIndexed(world: World): Promise<void> {
  const deadline = Date.now() + 20_000
  while ((await unindexed(world)) > 0 && Date.now() < deadline) await sleep(50)
  expect(await unindexed(world)).toBe(0)
}

test('every write of a message queues it for indexing in the same transaction', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, webhook } = world
  await say(as(ada.id), [publicGroup.id], 'appended')
  await say(as(ada.id), [publicGroup.id], 'opened', 'S')
  await update(world, 'k', 'keyed')
  expect(await notedTexts(world)).toEqual(['appended', 'opened', 'keyed'])
  await update(world, 'k', 'updated')
  expect(await notedTexts(world)).toEqual(['appended', 'opened', 'updated', 'updated'])
  const refused = await postToWebhook(service, webhook.path, {
    target: publicGroup.id,
    text: 'refused',
    attachments: ['fil_000000000000000000000000000'],
  })
  expect(refused.statusCode).toBe(400)
  expect(await notedTexts(world)).toHaveLength(4)
})

test('indexing empties the queue, also for messages that no longer exist', async () => {
  const world = await makeWorld(service)
  const { as, ada, grace, publicGroup, operator, workspaceID } = world
  await say(as(ada.id), [publicGroup.id], 'stays')
  const { message } = await say(as(ada.id), [grace.id], 'goes')
  await operator.db.message.delete({ where: { workspaceID_id: { workspaceID, id: message.id } } })
  await sequenceEvents(operator.db)
  expect(await indexMessages(operator.db, { workspaceID, schemes })).toMatchObject({ hasMore: false })
  expect(await notedTexts(world)).toEqual([])
  expect(await found(as(ada.id), 'stays OR goes')).toEqual(['stays'])
})

// A search would read the whole pending list, which grows until a vacuum.
test('indexed messages do not wait in the pending list of the index', async () => {
  const { as, ada, publicGroup, operator, workspaceID } = await makeWorld(service)
  await say(as(ada.id), [publicGroup.id], 'word')
  await sequenceEvents(operator.db)
  await indexMessages(operator.db, { workspaceID, schemes })
  const pages = operator.db
    .$queryRaw`SELECT gin_clean_pending_list('searchable_messages_words')::integer AS pending`
  expect(await pages).toEqual([{ pending: 0 }])
})

test('a long queue is indexed in several passes, with the last text of each message', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, as, ada } = world
  const keys = Array.from({ length: 300 }, (_, number) => `key${number}`)
  for (const turn of ['first', 'second', 'third']) {
    await Promise.all(keys.map((key) => update(world, key, `${turn} ${key}`)))
    await sequenceEvents(operator.db)
  }
  let passes = 1
  while ((await indexMessages(operator.db, { workspaceID, schemes })).hasMore) passes += 1
  expect(passes).toBeGreaterThan(1)
  expect([await unindexed(world), await notedTexts(world)]).toEqual([0, []])
  expect(await found(as(ada.id), 'key7')).toEqual(['third key7'])
  expect(await found(as(ada.id), 'first OR second')).toEqual([])
})

test('a search finds the newest 100 of 301 messages that were just written one by one', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup } = world
  const { thread } = await say(as(ada.id), [publicGroup.id], 'message 0')
  const numbers = Array.from({ length: 300 }, (_, number) => number + 1)
  for (const number of numbers) await say(as(ada.id), thread.id, `message ${number}`)
  expect(await notedTexts(world)).toHaveLength(301)
  const newest = numbers.toReversed().slice(0, 100)
  expect(await found(as(ada.id), 'message')).toEqual(newest.map((number) => `message ${number}`))
})

test('messages are indexed in the background until indexing is stopped', async () => {
  const [world, other] = [await makeWorld(service), await makeWorld(service)]
  const failures: unknown[] = []
  const stop = startIndexing(world.operator.db, { schemes, onError: (error) => failures.push(error) })
  for (const { as, ada, publicGroup } of [world, other]) await say(as(ada.id), [publicGroup.id], 'word')
  expect(await unindexed(world)).toBe(1)
  await Promise.all([untilIndexed(world), untilIndexed(other)])
  await say(world.as(world.ada.id), [world.publicGroup.id], 'later')
  await untilIndexed(world)
  await stop()
  await say(world.as(world.ada.id), [world.publicGroup.id], 'after the end')
  await sleep(2500)
  expect([await unindexed(world), failures]).toEqual([1, []])
})

test('a database that stays unavailable is reported only once', async () => {
  const { operator } = await makeWorld(service)
  const gone = databaseForRequest(operator.db, AbortSignal.abort(new Error('gone')))
  const failures: unknown[] = []
  const stop = startIndexing(gone, { schemes, onError: (error) => failures.push(error) })
  await sleep(2500)
  await stop()
  expect(failures).toEqual([new Error('gone')])
})

test.runIf(serverURL)('several processes can index at the same time while messages change', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, as, ada } = world
  const [{ name }] = await operator.db.$queryRaw<[{ name: string }]>`SELECT current_database() AS name`
  const databaseURL = urlOf(serverURL, name)
  const processes = await Promise.all(
    Array.from({ length: 3 }, () => openDatabase({ databaseURL, dataDir: tmpdir(), poolSize: 2 })),
  )
  // Prisma does not close a pool that it has not used.
  for (const { db } of processes) await db.$connect()
  let writing = true
  const index = async ({ db }: (typeof processes)[number]) => {
    while (writing) {
      await sequenceEvents(db)
      await indexMessages(db, { workspaceID, schemes })
    }
  }
  const write = async (_: unknown, number: number) => {
    for (let turn = 0; turn < 30; turn++) await update(world, `k${number % 5}`, `turn${turn} by${number}`)
  }
  const indexing = Promise.all(processes.map(index))
  await Promise.all(Array.from({ length: 20 }, write))
  writing = false
  await indexing
  await sequenceEvents(operator.db)
  while ((await indexMessages(operator.db, { workspaceID, schemes })).hasMore) {}
  expect([await unindexed(world), await notedTexts(world)]).toEqual([0, []])
  const texts = (await operator.db.message.findMany({ where: { workspaceID } })).map(({ text }) => text)
  expect(texts).toHaveLength(5)
  for (const text of texts) expect(await found(as(ada.id), `"${text}"`)).toContain(text)
  await Promise.all(processes.map(({ close }) => close()))
})
