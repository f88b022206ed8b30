import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, postToWebhook, say } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const state = 'unreadCount readUpTo { position } firstUnread { position }'
const selection = `thread { ${state} }`

/** A thread with five messages by Ada, and the app that reads it. */
async function makeThread() {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, app } = world
  const { thread, message } = await say(as(ada.id), [publicGroup.id], '1', 'S')
  const ids = [message.id]
  for (const text of ['2', '3', '4', '5']) ids.push((await say(as(ada.id), thread.id, text)).message.id)
  const mark = async (name: 'markRead' | 'markUnread', input: object) =>
    (await mutated(service, app.token, name, { threadID: thread.id, ...input }, selection)).thread
  const look = async (token = app.token) =>
    (await service.graphql(token, `{ thread(id: "${thread.id}") { ${state} } }`)).data.thread
  return { ...world, thread, ids, mark, look }
}

const at = (readUpTo: number, of = 5) => ({
  unreadCount: of - readUpTo,
  readUpTo: readUpTo === 0 ? null : { position: readUpTo },
  firstUnread: readUpTo === of ? null : { position: readUpTo + 1 },
})

test('a thread is read up to a message, up to its end, and never less than before', async () => {
  const { ids, mark, look } = await makeThread()
  expect(await look()).toEqual(at(0))
  expect(await mark('markRead', { upTo: ids[2] })).toEqual(at(3))
  expect(await mark('markRead', { upTo: ids[0] })).toEqual(at(3))
  expect(await mark('markRead', {})).toEqual(at(5))
  expect(await mark('markUnread', { from: ids[1] })).toEqual(at(1))
  expect(await mark('markUnread', { from: ids[4] })).toEqual(at(1))
  expect(await mark('markUnread', { from: ids[0] })).toEqual(at(0))
})

test('each reader has a state of its own', async () => {
  const { operator, workspaceID, mark, look } = await makeThread()
  const other = await makeApp(service, operator, workspaceID)
  await mark('markRead', {})
  expect(await look(other.token)).toEqual(at(0))
})

test('of marks that race the furthest stays', async () => {
  const { ids, mark, look } = await makeThread()
  await Promise.all(Array.from({ length: 60 }, (_, turn) => mark('markRead', { upTo: ids[turn % 4] })))
  expect(await look()).toEqual(at(4))
})

describe('what the reader posts itself', () => {
  test('is read where all before it was', async () => {
    const { app, as, ada, thread, mark, look } = await makeThread()
    await mark('markRead', {})
    await say(as(app.userID), thread.id, 'own')
    await say(as(app.userID), thread.id, 'own')
    expect(await look()).toEqual(at(7, 7))
    await say(as(ada.id), thread.id, 'hers')
    await say(as(app.userID), thread.id, 'own')
    expect(await look()).toEqual(at(7, 9))
  })

  test('is read as the first message of a thread, also by each of thirty that race', async () => {
    const { app, publicGroup } = await makeThread()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => {
        const thread = { recipients: [publicGroup.id], subject: `${turn}` }
        return mutated(service, app.token, 'sendMessage', { thread, message: { text: 'x' } }, selection)
      }),
    )
    for (const answer of answers) expect(answer.thread).toEqual(at(1, 1))
  })

  test('together with what others post at the same time is read up to the first of theirs', async () => {
    const { app, as, ada, thread, mark, look, operator, workspaceID } = await makeThread()
    await mark('markRead', {})
    await Promise.all(
      Array.from({ length: 40 }, (_, turn) => say(as(turn % 2 ? ada.id : app.userID), thread.id, 'x')),
    )
    const { unreadCount } = await look()
    const messages = await operator.db.message.findMany({
      where: { workspaceID, threadID: thread.id, position: { gt: 5 } },
      orderBy: { position: 'asc' },
    })
    const firstOfOthers = messages.findIndex(({ authorID }) => authorID !== app.userID)
    expect(messages.length - unreadCount).toBe(firstOfOthers)
  })

  test('costs a webhook nothing, which reads nothing', async () => {
    const { webhook, publicGroup, operator, workspaceID } = await makeThread()
    const body = { target: publicGroup.id, threadSubject: 'S', text: 'x' }
    await postToWebhook(service, webhook.path, body)
    const where = { workspaceID, userID: webhook.userID }
    expect(await operator.db.read.count({ where })).toBe(0)
  })
})

test('threads are listed by whether they are unread', async () => {
  const { app, thread, mark, as, ada, publicGroup } = await makeThread()
  const other = await say(as(ada.id), [publicGroup.id], 'x', 'Other')
  await mark('markRead', {})
  const list = async (unread: boolean) =>
    (await service.graphql(app.token, `{ threads(filter: { unread: ${unread} }) { nodes { id } } }`)).data
      .threads.nodes
  expect(await list(true)).toEqual([{ id: other.thread.id }])
  expect(await list(false)).toContainEqual({ id: thread.id })
  expect(await list(false)).not.toContainEqual({ id: other.thread.id })
})

test('what is out of reach is answered as what is not there', async () => {
  const { app, as, ada, grace, thread, ids } = await makeThread()
  const hidden = await say(as(ada.id), [grace.id], 'psst')
  const stranger = await makeWorld(service)
  const refusal = (name: string, input: object, token = app.token) =>
    refused(service, token, name, input, selection)
  for (const threadID of [hidden.thread.id, newID('thr'), 'x']) {
    expect(await refusal('markRead', { threadID })).toEqual(['NOT_FOUND'])
    expect(await refusal('markUnread', { threadID, from: ids[0] })).toEqual(['NOT_FOUND'])
  }
  for (const messageID of [hidden.message.id, newID('msg')]) {
    expect(await refusal('markRead', { threadID: thread.id, upTo: messageID })).toEqual(['NOT_FOUND'])
    expect(await refusal('markUnread', { threadID: thread.id, from: messageID })).toEqual(['NOT_FOUND'])
  }
  expect(await refusal('markRead', { threadID: thread.id }, stranger.app.token)).toEqual(['NOT_FOUND'])
})

test('an app needs a scope that reads messages', async () => {
  const { operator, workspaceID, thread } = await makeThread()
  const input = { threadID: thread.id }
  const groups = await makeApp(service, operator, workspaceID, ['groups:read'])
  expect(await refused(service, groups.token, 'markRead', input, selection)).toEqual(['FORBIDDEN'])
  const messages = await makeApp(service, operator, workspaceID, ['threads.messages:read'])
  expect((await mutated(service, messages.token, 'markRead', input, selection)).thread).toEqual(at(5))
})
