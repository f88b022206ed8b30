import { describe, expect, test, vi } from 'vitest'
import * as reading from '../../../src/events/read-events.ts'
import { removeMembers } from '../../../src/groups/members/remove-members.ts'
import { addReaction } from '../../../src/messages/reactions/react.ts'
import { makeApp, makeWorld, postToWebhook, say, type World } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import {
  latestCursor,
  received,
  subscribe,
  type Transport,
  textsOf,
  threadDocument,
  transports,
} from '../../support/subscribers.ts'

const service = await startLiveService()
const { url } = service

/** Creates a thread that everybody in the workspace can see. */
async function makeThread(world: World, text = 'first'): Promise<string> {
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], text, 'S')
  return thread.id
}

/** Posts numbered messages to a thread, many at the same time, and returns the number of their events. */
async function post(world: World, threadID: string, count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      postToWebhook(service, world.webhook.path, { target: threadID, text: `message ${index}` }),
    ),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  return count
}

/** Returns the IDs of the messages of a thread in the order of their positions. */
async function messagesOf({ operator }: World, threadID: string): Promise<string[]> {
  const messages = await operator.db.message.findMany({ where: { threadID }, orderBy: { position: 'asc' } })
  return messages.map(({ id }) => id)
}

describe.each(transports)('a subscription over %s', (transport) => {
  const follow = (world: World, variables: object = {}, query?: string) =>
    subscribe(url, transport, { token: world.app.token, variables, ...(query && { query }) })

  test('receives each event once and in order, while many are written', async () => {
    const world = await makeWorld(service)
    const threadID = await makeThread(world)
    const stream = follow(world, {
      after: await latestCursor(service, world.app.token),
      types: ['messageCreated'],
    })
    const count = await post(world, threadID, 300)
    const events = await received(stream, count)
    expect(events.map(({ objectID }) => objectID)).toEqual((await messagesOf(world, threadID)).slice(1))
  })

  test('begins with the next event if it has no cursor', async () => {
    const world = await makeWorld(service)
    const threadID = await makeThread(world)
    const stream = follow(world)
    let isHeard = false
    for (let number = 0; !isHeard; number += 1) {
      await say(world.as(world.ada.id), threadID, `live ${number}`)
      isHeard = await expect
        .poll(() => stream.events.length, { timeout: 300 })
        .toBeGreaterThan(0)
        .then(() => true)
        .catch(() => false)
    }
    expect(textsOf(stream)).not.toContain('first')
  })

  test('continues after the cursor of any event', async () => {
    const world = await makeWorld(service)
    const threadID = await makeThread(world)
    const first = follow(world, { after: await latestCursor(service, world.app.token) })
    await post(world, threadID, 20)
    const all = await received(first, 20)
    const again = follow(world, { after: all[6]?.cursor })
    const rest = await received(again, 13)
    expect(rest).toEqual(all.slice(7))
    await say(world.as(world.ada.id), threadID, 'live')
    expect((await received(again, 14)).at(-1)?.message?.text).toBe('live')
  })

  test('can be limited to event types, to a thread, or to a group with its threads', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup, generalGroupID } = world
    const after = await latestCursor(service, world.app.token)
    const [threadID, otherID] = [await makeThread(world, 'one'), await makeThread(world, 'two')]
    const general = await say(as(ada.id), [generalGroupID], 'general', 'G')
    const types = follow(world, { after, types: ['reactionAdded'] })
    const ofThread = follow(world, { after, threadID })
    const ofThreadOnly = follow(world, { after, threadID }, threadDocument)
    const ofGroup = follow(world, { after, groupID: publicGroup.id })
    const [messageID = ''] = await messagesOf(world, threadID)
    await addReaction(as(ada.id), { messageID, emoji: '👍' })
    await say(as(ada.id), general.thread.id, 'last')
    await say(as(ada.id), otherID, 'three')
    await say(as(ada.id), threadID, 'four')
    expect((await received(types, 1)).map(({ type }) => type)).toEqual(['reactionAdded'])
    const kinds = ['threadCreated', 'messageCreated', 'reactionAdded', 'messageCreated']
    for (const stream of [ofThread, ofThreadOnly])
      expect((await received(stream, 4)).map(({ type }) => type)).toEqual(kinds)
    await received(ofGroup, 7)
    expect(new Set(ofGroup.events.map((event) => event.threadID))).toEqual(new Set([threadID, otherID]))
  })

  test('receives only events that its caller can see now', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, operator, privateGroup, publicGroup } = world
    const after = await latestCursor(service, world.app.token)
    const app = follow(world, { after, types: ['messageCreated'] })
    const secret = await say(as(ada.id), [grace.id], 'for Grace only')
    await say(as(ada.id), [privateGroup.id], 'for leads only', 'S')
    await say(as(ada.id), [publicGroup.id], 'for all', 'S')
    await removeMembers(operator, { groupID: privateGroup.id, userIDs: [ada.id] })
    await received(app, 1)
    expect(textsOf(app)).toEqual(['for all'])
    const hidden = follow(world, { threadID: secret.thread.id })
    const unknown = follow(world, { threadID: `thr_${'0'.repeat(27)}` })
    expect([await hidden.ended, await unknown.ended]).toEqual([
      { codes: ['NOT_FOUND'] },
      { codes: ['NOT_FOUND'] },
    ])
  })

  test('returns the errors of fields together with the event', async () => {
    const world = await makeWorld(service)
    const { token } = await makeApp(service, world.operator, world.workspaceID, ['threads.messages:read'])
    const query = `subscription ($after: String) {
      events(after: $after) { id type cursor objectID message { id text user { groups { nodes { id } } } } }
    }`
    const after = await latestCursor(service, world.app.token)
    const stream = subscribe(url, transport, { token, query, variables: { after } })
    await makeThread(world)
    expect(await received(stream, 1)).toMatchObject([{ message: { text: 'first', user: { groups: null } } }])
    expect(stream.codes).toEqual(['INSUFFICIENT_SCOPE'])
  })

  test('receives no events of another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const stranger = follow(other, { after: await latestCursor(service, other.app.token) })
    const own = follow(world, { after: await latestCursor(service, world.app.token) })
    await makeThread(world)
    await received(own, 2)
    await makeThread(other)
    await received(stranger, 2)
  })
})

test('a subscription receives all missed events, even if not all are in memory and more events are written', async () => {
  const world = await makeWorld(service)
  const threadID = await makeThread(world)
  const after = await latestCursor(service, world.app.token)
  const query = 'subscription ($after: String) { events(after: $after) { objectID } }'
  const follow = (transport: Transport) =>
    subscribe(url, transport, { token: world.app.token, query, variables: { after } })
  await post(world, threadID, 1050)
  const early = transports.map(follow)
  const writing = post(world, threadID, 150)
  const late = transports.map(follow)
  await writing
  const expected = (await messagesOf(world, threadID)).slice(1)
  for (const stream of [...early, ...late]) {
    const events = await received(stream, 1200)
    expect(events.map(({ objectID }) => objectID)).toEqual(expected)
  }
})

test('a new event is not read from the database again for each subscription', async () => {
  const world = await makeWorld(service)
  const threadID = await makeThread(world)
  const after = await latestCursor(service, world.app.token)
  const stored = vi.spyOn(reading, 'readEvents')
  const streams = Array.from({ length: 20 }, (_, index) =>
    subscribe(url, transports[index % 2] ?? 'SSE', { token: world.app.token, variables: { after } }),
  )
  await say(world.as(world.ada.id), threadID, 'begin')
  for (const stream of streams) await received(stream, 1)
  // A stream reads the stored log until it has reached the end.
  const ends = async () => {
    const reads = await Promise.all(stored.mock.results.map(({ value }) => value))
    return reads.filter(({ upto }) => upto === undefined).length
  }
  await expect.poll(ends).toBe(streams.length)
  stored.mockClear()
  await post(world, threadID, 50)
  for (const stream of streams) await received(stream, 51)
  expect(stored).not.toHaveBeenCalled()
  stored.mockRestore()
})
