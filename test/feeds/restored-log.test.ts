import { describe, expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '../../src/database/database.ts'
import { changedWorkspaces } from '../../src/events/changed-workspaces.ts'
import { latestBatch } from '../../src/events/last-batch.ts'
import { LiveLog } from '../../src/events/live-log.ts'
import { readNewBatches } from '../../src/events/read-events.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { sweepEvents } from '../../src/events/sweep-events.ts'
import { startIndexing } from '../../src/messages/search/indexing/start-indexing.ts'
import { restore, takeBackup } from '../support/backup.ts'
import { allowsLoopback, startReceiver } from '../support/event-receiver.ts'
import { makeWorld, say, type World } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { latestCursor, received, subscribe, textsOf, transports } from '../support/subscribers.ts'
import { makeEndpoint } from './event-endpoints.ts'

const service = await startLiveService(allowsLoopback)
const { db } = service.contextOf({ kind: 'operator' })
service.app.deliveries.start()

const speak = ({ as, ada, publicGroup }: World, text: string) => say(as(ada.id), [publicGroup.id], text, 'S')

const backUp = () => db.$executeRawUnsafe(takeBackup)
const restoreBackup = () => db.$executeRawUnsafe(restore({ numbers: 'restored' }))

describe.each(transports)('after a backup was restored, a subscription over %s', (transport) => {
  const follow = (world: World, after: string) =>
    subscribe(service.url, transport, {
      token: world.app.token,
      variables: { after, types: ['messageCreated'] },
    })

  test('ends with UNAVAILABLE, and its client continues after the last event that remains', async () => {
    const world = await makeWorld(service)
    const stream = follow(world, await latestCursor(service, world.app.token))
    await speak(world, 'saved')
    const [saved] = await received(stream, 1)
    await backUp()
    await speak(world, 'lost')
    await received(stream, 2)
    await restoreBackup()
    expect(await stream.ended).toEqual({ codes: ['UNAVAILABLE'] })
    await speak(world, 'first')
    const again = follow(world, saved?.cursor ?? '')
    await received(again, 1)
    await speak(world, 'second')
    await received(again, 2)
    expect([textsOf(stream), textsOf(again)]).toEqual([
      ['saved', 'lost'],
      ['first', 'second'],
    ])
  })

  test('ends although its own workspace has lost nothing, and misses nothing', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const [stream, quiet] = [
      follow(world, await latestCursor(service, world.app.token)),
      follow(other, await latestCursor(service, other.app.token)),
    ]
    await speak(other, 'one')
    const [one] = await received(quiet, 1)
    await backUp()
    await speak(world, 'lost')
    await received(stream, 1)
    await restoreBackup()
    expect(await quiet.ended).toEqual({ codes: ['UNAVAILABLE'] })
    await speak(other, 'two')
    const again = follow(other, one?.cursor ?? '')
    await received(again, 1)
    expect(textsOf(again)).toEqual(['two'])
  })

  test.each([
    ['while it waits for its first live event', true],
    ['after it has received live events', false],
  ])('ends if events are missing in the log %s', async (_when, isStored) => {
    const world = await makeWorld(service)
    const after = await latestCursor(service, world.app.token)
    if (isStored) {
      await speak(world, 'one')
      await latestCursor(service, world.app.token)
    }
    const stream = follow(world, after)
    if (!isStored) await speak(world, 'one')
    await received(stream, 1)
    await db.$executeRaw`UPDATE event_heads SET position = position + 1 WHERE workspace_id = ${world.workspaceID}`
    await speak(world, 'after the gap')
    expect(await stream.ended).toEqual({ codes: ['UNAVAILABLE'] })
    expect(textsOf(stream)).toEqual(['one'])
  })
})

test('after a backup was restored, the cursors of lost events are refused, and the others stay valid', async () => {
  const world = await makeWorld(service)
  const { token } = world.app
  const events = async (after: string) => {
    const query = `query ($after: String) { events(after: $after, first: 50) { nodes { id cursor message { text } } } }`
    const { data, errors } = await service.graphql(token, query, { after })
    return errors?.map(({ extensions }) => extensions?.code) ?? data?.events.nodes
  }
  await speak(world, 'saved')
  const start = await latestCursor(service, token)
  await speak(world, 'kept')
  const kept = await latestCursor(service, token)
  await backUp()
  await speak(world, 'lost')
  const lost = await latestCursor(service, token)
  const [before] = (await events(kept)).slice(-1)
  await restoreBackup()
  expect(await events(lost)).toEqual(['CURSOR_EXPIRED'])
  await speak(world, 'first')
  await speak(world, 'second')
  expect(await events(lost)).toEqual(['CURSOR_EXPIRED'])
  const after = await events(kept)
  const textsIn = (nodes: { message: { text: string } | null }[]) =>
    nodes.flatMap(({ message }) => message?.text ?? [])
  expect([textsIn(await events(start)), textsIn(after)]).toEqual([
    ['kept', 'first', 'second'],
    ['first', 'second'],
  ])
  // The event at the place of the lost one has another ID. A receiver can tell them apart.
  expect(after.map(({ id }: { id: string }) => id)).not.toContain(before?.id)
  const follower = subscribe(service.url, 'SSE', { token, variables: { after: lost } })
  expect(await follower.ended).toMatchObject({ codes: ['CURSOR_EXPIRED'] })
})

test('after a backup was restored, the next event is delivered', async () => {
  const [world, receiver] = [await makeWorld(service), await startReceiver()]
  const { id: endpointID } = await makeEndpoint(service, receiver, {
    appID: world.app.id,
    types: ['messageCreated'],
  })
  const texts = () => receiver.received.map(({ json }) => json.event.message?.text)
  await speak(world, 'saved')
  await expect.poll(texts).toEqual(['saved'])
  await expect.poll(() => db.eventDelivery.count({ where: { endpointID, status: 'succeeded' } })).toBe(1)
  await backUp()
  for (const text of ['lost', 'lost too']) {
    await speak(world, text)
    await expect.poll(() => texts().at(-1)).toBe(text)
  }
  // The worker cannot look at the log between the restore and the next event.
  await inTransaction(db, async (tx) => {
    await tx.$executeRawUnsafe(restore({ numbers: 'restored' }))
    await say({ ...world.as(world.ada.id), db: tx }, [world.publicGroup.id], 'next', 'S')
    await sequenceEvents(tx)
  })
  await expect.poll(texts).toEqual(['saved', 'lost', 'lost too', 'next'])
})

test('after a backup was restored, the next message is indexed', async () => {
  const world = await makeWorld(service)
  const failures: unknown[] = []
  const stop = startIndexing(db, { schemes: ['skein'], onError: (error) => failures.push(error) })
  onTestFinished(stop)
  const indexed = () => db.searchableMessage.count({ where: { workspaceID: world.workspaceID } })
  await speak(world, 'saved')
  await expect.poll(indexed).toBe(1)
  await backUp()
  for (const [index, text] of ['lost', 'lost too'].entries()) {
    await speak(world, text)
    await expect.poll(indexed).toBe(index + 2)
  }
  await restoreBackup()
  expect(await indexed()).toBe(1)
  await speak(world, 'next')
  await expect.poll(indexed).toBe(2)
  expect(failures).toEqual([])
})

test('a reader of lost events fails, even if other readers still wait for the next event', async () => {
  const { workspaceID } = await makeWorld(service)
  const log = new LiveLog(db, () => undefined)
  const { signal } = new AbortController()
  const filter = { db, workspaceID, types: undefined, threadID: undefined, idleMs: 60_000, signal }
  const add = async (position: number) => {
    await db.$executeRaw`INSERT INTO event_batches (workspace_id, last_position, types, thread_ids, object_ids, details, times)
      VALUES (${workspaceID}, ${position}, '{messageCreated}', '{thr_x}', '{msg_x}', '{null}', '{2030-01-01}')`
  }
  const head = await db.eventHead.findUnique({ where: { workspaceID } })
  const start = Number(head?.position ?? 0)
  const [one, two] = [start + 1, start + 2]
  await add(one)
  const other = log.follow({ ...filter, after: { position: start, tag: 0 } })
  // The tail begins now, before the second batch.
  expect(await other.next()).toMatchObject({ value: { upto: { position: one } } })
  const next = other.next()
  await add(two)
  await log.advance()
  expect(await next).toMatchObject({ value: { upto: { position: two } } })
  await db.$executeRaw`DELETE FROM event_batches WHERE workspace_id = ${workspaceID} AND last_position >= ${one}`
  const late = log.follow({ ...filter, after: { position: start, tag: 0 } })
  await expect(late.next()).rejects.toMatchObject({ code: 'unavailable' })
  await other.return()
})

test('a lost batch is noticed if another batch has its number and its position', async () => {
  const world = await makeWorld(service)
  await latestCursor(service, world.app.token)
  await backUp()
  await speak(world, 'lost')
  await sequenceEvents(db)
  const last = await latestBatch(db)
  expect(await readNewBatches(db, last)).toMatchObject({ events: [], last })
  expect(await changedWorkspaces(db, last)).toEqual({ changed: [], last })
  await restoreBackup()
  await speak(world, 'next')
  await sequenceEvents(db)
  const { number, workspaceID, position } = await latestBatch(db)
  expect({ number, workspaceID, position }).toEqual({ ...last, createdAt: undefined })
  expect(await readNewBatches(db, last)).toBeUndefined()
  expect((await changedWorkspaces(db, last)).changed).toBeUndefined()
})

test('a batch that was deleted because it is old is not lost', async () => {
  const world = await makeWorld(service)
  await speak(world, 'old')
  await sequenceEvents(db)
  const last = await latestBatch(db)
  await db.$executeRaw`UPDATE event_batches SET created_at = now() - interval '8 days'`
  await sweepEvents(db, 7)
  expect(await readNewBatches(db, last)).toEqual({ events: [], ages: [], last, isEnd: true })
  await speak(world, 'new')
  await sequenceEvents(db)
  const { workspaceID } = world
  expect(await readNewBatches(db, last)).toMatchObject({ events: [{ workspaceID }, { workspaceID }] })
  expect(await changedWorkspaces(db, last)).toMatchObject({ changed: [{ workspaceID }] })
})

test('a listener skips events that were deleted before it could read them', async () => {
  const [world, receiver] = [await makeWorld(service), await startReceiver()]
  const { workspaceID } = world
  const { id: endpointID } = await makeEndpoint(service, receiver, { appID: world.app.id })
  const listener = () => db.eventListener.findFirst({ where: { endpointID } })
  const head = () => db.eventHead.findUniqueOrThrow({ where: { workspaceID } })
  await speak(world, 'old')
  await sequenceEvents(db)
  await expect.poll(listener).toMatchObject({ position: (await head()).position })
  await db.$executeRaw`UPDATE event_heads SET position = position + 5 WHERE workspace_id = ${workspaceID}`
  await db.$executeRaw`DELETE FROM event_batches WHERE workspace_id = ${workspaceID}`
  await db.$executeRaw`UPDATE event_listeners SET is_resuming = TRUE WHERE endpoint_id = ${endpointID}`
  const { position } = await head()
  await expect.poll(listener).toMatchObject({ position, isResuming: false })
})
