import { describe, expect, test } from 'vitest'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { editMessage } from '../../src/messages/edit-message.ts'
import { newID } from '../../src/platform/ids.ts'
import { seededRandom } from '../faults/random.ts'
import { makeApp, makeWorld, postToWebhook, say } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const state = 'unreadCount readUpTo { position } firstUnread { position }'
const selection = `thread { ${state} }`

type ThreadWorld = Awaited<ReturnType<typeof makeThread>>

/** Creates a thread with five messages of Ada. By default, `mark` and `look` act as the app. */
async function makeThread() {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, app } = world
  const { thread, message } = await say(as(ada.id), [publicGroup.id], '1', 'S')
  const ids = [message.id]
  for (const text of ['2', '3', '4', '5']) ids.push((await say(as(ada.id), thread.id, text)).message.id)
  const mark = async (name: 'markRead' | 'markUnread', input: object, token = app.token) =>
    (await mutated(service, token, name, { threadID: thread.id, ...input }, selection)).thread
  const look = async (token = app.token, threadID = thread.id) =>
    (await service.graphql(token, `{ thread(id: "${threadID}") { ${state} } }`)).data.thread
  return { ...world, thread, ids, mark, look }
}

/** Makes random posts and marks in a new thread, and compares the read state with the messages after each of them. */
async function expectCountsOf(world: ThreadWorld, seed: number): Promise<void> {
  const { app, as, ada, operator, publicGroup, look } = world
  const random = seededRandom(seed)
  const first = random.pick([app.userID, ada.id])
  const { thread } = await say(as(first), [publicGroup.id], 'x', `${seed}`)
  const threadID = thread.id
  const history = [first === app.userID ? 'own' : 'hers']
  let readUpTo = 0
  /** The numbers of the calls by position, and the number of the last call that was read. */
  const calls = new Map<number, number>()
  let callsRead = 0
  const numberOf = (position: number) => calls.get(position) ?? 0
  const calledAgain = () =>
    [...calls]
      .filter(([position, number]) => position <= readUpTo && number > callsRead)
      .map(([position]) => position)
  for (let step = 0; step < 8; step += 1) {
    const action = random.pick([
      'own',
      'own',
      'hers',
      'hers',
      'call',
      'call',
      'markRead',
      'markRead',
      'markUnread',
    ])
    if (action === 'own' || action === 'hers') {
      const author = as(action === 'own' ? app.userID : ada.id)
      await Promise.all(Array.from({ length: 1 + random.below(2) }, () => say(author, threadID, 'x')))
      history.push(action)
    } else if (action === 'call') {
      const hers = await operator.db.message.findMany({ where: { threadID, authorID: ada.id } })
      const [one, ...others] = hers
      if (!one) continue
      const { id: messageID, position } = random.pick([one, ...others])
      await editMessage(as(ada.id), { messageID, text: `${step}`, notify: 'always' })
      calls.set(position, step + 1)
      history.push(`call ${position}`)
    } else {
      const last = await operator.db.message.count({ where: { threadID } })
      const position = 1 + random.below(last)
      const messageID = await idAt(threadID, position)
      const input = action === 'markRead' ? { upToMessageID: messageID } : { fromMessageID: messageID }
      await mutated(service, app.token, action, { threadID, ...input }, selection)
      const later = calledAgain().filter((called) => called > position)
      const before = later.length > 0 ? Math.min(...later.map(numberOf)) - 1 : step + 1
      if (action === 'markRead') callsRead = Math.max(callsRead, before)
      readUpTo = action === 'markRead' ? Math.max(readUpTo, position) : Math.min(readUpTo, position - 1)
      history.push(`${action} ${position}`)
    }
    const unread = await operator.db.message.findMany({
      where: {
        threadID,
        authorID: ada.id,
        OR: [{ position: { gt: readUpTo } }, { position: { in: calledAgain() } }],
      },
      orderBy: { position: 'asc' },
    })
    const [earliest] = calledAgain().sort((one, other) => numberOf(one) - numberOf(other))
    const first = unread.find(({ position }) => position === earliest) ?? unread[0]
    expect({ history, ...(await look(app.token, threadID)) }).toMatchObject({
      unreadCount: unread.length,
      firstUnread: first ? { position: first.position } : null,
    })
  }
}

/** Returns the ID of the message at a position, or of the last message if the position is beyond the end. */
async function idAt(threadID: string, position: number): Promise<string> {
  const { db } = service.contextOf({ kind: 'operator' })
  const where = { threadID, position: { lte: position } }
  return (await db.message.findFirstOrThrow({ where, orderBy: { position: 'desc' } })).id
}

const at = (readUpTo: number, of = 5) => ({
  unreadCount: of - readUpTo,
  readUpTo: readUpTo === 0 ? null : { position: readUpTo },
  firstUnread: readUpTo === of ? null : { position: readUpTo + 1 },
})

test('markRead never moves the read state back, and markUnread never moves it forward', async () => {
  const { ids, mark, look } = await makeThread()
  expect(await look()).toEqual(at(0))
  expect(await mark('markRead', { upToMessageID: ids[2] })).toEqual(at(3))
  expect(await mark('markRead', { upToMessageID: ids[0] })).toEqual(at(3))
  expect(await mark('markRead', {})).toEqual(at(5))
  expect(await mark('markUnread', { fromMessageID: ids[1] })).toEqual(at(1))
  expect(await mark('markUnread', { fromMessageID: ids[4] })).toEqual(at(1))
  expect(await mark('markUnread', { fromMessageID: ids[0] })).toEqual(at(0))
})

test('each reader has its own read state', async () => {
  const { operator, workspaceID, mark, look } = await makeThread()
  const other = await makeApp(service, operator, workspaceID)
  await mark('markRead', {})
  expect(await look(other.token)).toEqual(at(0))
})

test('concurrent markRead calls move the read state to the latest of their messages', async () => {
  const { ids, mark, look } = await makeThread()
  await Promise.all(
    Array.from({ length: 60 }, (_, turn) => mark('markRead', { upToMessageID: ids[turn % 4] })),
  )
  expect(await look()).toEqual(at(4))
})

describe('an update that calls', () => {
  const threadsOf = async (token: string) => {
    const query =
      '{ viewer { unread { threads } } threads(first: 50, filter: { unread: true }) { nodes { id } } }'
    const { data } = await service.graphql(token, query)
    return {
      count: data.viewer.unread.threads,
      ids: data.threads.nodes.map(({ id }: { id: string }) => id),
    }
  }

  test('makes its message unread again for everybody but its author', async () => {
    const { as, ada, app, operator, workspaceID, ids, thread, mark, look } = await makeThread()
    const other = await makeApp(service, operator, workspaceID)
    const own = (await say(as(app.userID), thread.id, 'own')).message.id
    for (const { token } of [app, other]) await mark('markRead', {}, token)
    await editMessage(as(app.userID), { messageID: own, text: 'worse', notify: 'always' })
    expect(await look()).toEqual(at(6, 6))
    expect(await look(other.token)).toEqual({ ...at(6, 6), unreadCount: 1, firstUnread: { position: 6 } })
    await editMessage(as(ada.id), { messageID: String(ids[1]), state: 'failed' })
    expect(await look()).toEqual({ ...at(6, 6), unreadCount: 1, firstUnread: { position: 2 } })
    expect(await look(other.token)).toEqual({ ...at(6, 6), unreadCount: 2, firstUnread: { position: 6 } })
    expect((await threadsOf(app.token)).ids).toContain(thread.id)
    await mark('markRead', {}, app.token)
    expect(await look()).toEqual(at(6, 6))
    expect((await threadsOf(app.token)).ids).not.toContain(thread.id)
    expect((await threadsOf(app.token)).count).toBe((await threadsOf(app.token)).ids.length)
    expect(await look(other.token)).toMatchObject({ unreadCount: 2 })
  })

  test('is read if the thread is read up to it, and not if it is read up to an earlier message', async () => {
    const { as, ada, ids, mark, look } = await makeThread()
    await mark('markRead', {})
    for (const messageID of ids.slice(1, 4))
      await editMessage(as(ada.id), { messageID, text: 'x', notify: 'always' })
    const called = (unreadCount: number, position: number) => ({
      ...at(5),
      unreadCount,
      firstUnread: { position },
    })
    expect(await look()).toEqual(called(3, 2))
    expect(await mark('markRead', { upToMessageID: ids[2] })).toEqual(called(1, 4))
    expect(await mark('markRead', { upToMessageID: ids[1] })).toEqual(called(1, 4))
    expect(await mark('markRead', { upToMessageID: ids[3] })).toEqual(at(5))
  })

  test('is read when the first unread message is marked as read, whatever the order of the calls', async () => {
    const { as, ada, ids, mark, look } = await makeThread()
    await mark('markRead', {})
    for (const index of [3, 0, 4, 1])
      await editMessage(as(ada.id), { messageID: String(ids[index]), text: 'x', notify: 'always' })
    const first: number[] = []
    for (let state = await look(); state.firstUnread && first.length < 9; ) {
      const { position } = state.firstUnread
      first.push(position)
      state = await mark('markRead', { upToMessageID: ids[position - 1] })
    }
    expect(first).toEqual([4, 5])
  })

  test('does not count while its message is unread, and not after its message was deleted', async () => {
    const { as, ada, ids, mark, look } = await makeThread()
    await mark('markRead', { upToMessageID: ids[1] })
    await editMessage(as(ada.id), { messageID: String(ids[3]), text: 'x', notify: 'always' })
    expect(await look()).toEqual(at(2))
    await mark('markRead', {})
    await editMessage(as(ada.id), { messageID: String(ids[3]), text: 'y', notify: 'always' })
    expect(await look()).toMatchObject({ unreadCount: 1 })
    await deleteMessage(as(ada.id), { messageID: String(ids[3]) })
    expect(await look()).toEqual(at(5))
  })

  test('of a webhook counts if it says always or becomes failed, and not if it says never', async () => {
    const { as, ada, generalGroupID, webhook, app } = await makeWorld(service)
    const { thread } = await say(as(ada.id), [generalGroupID], 'x', 'S')
    const post = (fields: object) =>
      postToWebhook(service, webhook.path, { target: thread.id, uniqueBy: 'k', ...fields })
    const unread = async () =>
      (await service.graphql(app.token, `{ thread(id: "${thread.id}") { unreadCount } }`)).data.thread
        .unreadCount
    const read = () => mutated(service, app.token, 'markRead', { threadID: thread.id }, selection)
    const counts: number[] = []
    for (const fields of [
      { text: '1', state: 'running' },
      { text: '2' },
      { text: '3', notify: 'always' },
      { text: '3', notify: 'always' },
      { text: '4', state: 'failed' },
      { text: '5', state: 'failed' },
      { text: '6', state: 'ok' },
      { text: '7', state: 'failed', notify: 'never' },
    ]) {
      await post(fields)
      counts.push(await unread())
      await read()
    }
    expect(counts).toEqual([2, 0, 1, 0, 1, 0, 0, 0])
  })

  test('has a later time than the call before it, and so is not taken for one that was read', async () => {
    const { as, ada, ids, thread, mark, look, operator } = await makeThread()
    const call = (text: string) =>
      editMessage(as(ada.id), { messageID: String(ids[0]), text, notify: 'always' })
    await call('x')
    await operator.db
      .$executeRaw`UPDATE threads SET called_at = now() + interval '1 hour' WHERE id = ${thread.id}`
    await mark('markRead', {})
    await call('y')
    expect(await look()).toMatchObject({ unreadCount: 1, firstUnread: { position: 1 } })
  })
})

describe('a message of the reader', () => {
  test('is never unread, even if earlier messages of others are', async () => {
    const { app, as, ada, thread, mark, look } = await makeThread()
    await mark('markRead', {})
    await say(as(app.userID), thread.id, 'own')
    await say(as(app.userID), thread.id, 'own')
    expect(await look()).toEqual(at(7, 7))
    await say(as(ada.id), thread.id, 'hers')
    await say(as(app.userID), thread.id, 'own')
    await say(as(app.userID), thread.id, 'own')
    expect(await look()).toEqual({ ...at(7), unreadCount: 1, firstUnread: { position: 8 } })
    await say(as(ada.id), thread.id, 'hers')
    expect(await look()).toEqual({ ...at(7), unreadCount: 2, firstUnread: { position: 8 } })
    expect(await mark('markRead', { upToMessageID: await idAt(thread.id, 8) })).toEqual({
      unreadCount: 1,
      readUpTo: { position: 8 },
      firstUnread: { position: 11 },
    })
    expect(await mark('markRead', { upToMessageID: await idAt(thread.id, 11) })).toEqual(at(11, 11))
  })

  test('is not counted twice if an earlier own message was not followed by markRead', async () => {
    const { app, as, ada, publicGroup, look } = await makeThread()
    const { thread, message } = await say(as(ada.id), [publicGroup.id], 'hers', 'S')
    await say(as(app.userID), thread.id, 'own, before reading')
    await mutated(
      service,
      app.token,
      'markRead',
      { threadID: thread.id, upToMessageID: message.id },
      selection,
    )
    await say(as(app.userID), thread.id, 'own, after reading')
    expect(await look(app.token, thread.id)).toEqual(at(3, 3))
    await say(as(ada.id), thread.id, 'hers')
    expect(await look(app.token, thread.id)).toEqual(at(3, 4))
  })

  test('and the messages of others give the same unread count after every order of posts and marks', async () => {
    const world = await makeThread()
    await Promise.all(Array.from({ length: 20 }, (_, seed) => expectCountsOf(world, seed)))
  })

  test('does not make the thread unread if the reader replies and then marks only the question as read', async () => {
    const { app, as, ada, thread } = await makeThread()
    const asked = await say(as(ada.id), [app.userID], 'Are you there?')
    const unread = async () => {
      const query = `{ threads(filter: { unread: true }) { nodes { id unreadCount messages(last: 1) { nodes { id } } } } }`
      return (await service.graphql(app.token, query)).data.threads.nodes as Unread[]
    }
    type Unread = { id: string; unreadCount: number; messages: { nodes: { id: string }[] } }
    const answered: string[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      for (const { id: threadID, messages } of await unread()) {
        const input = { threadID, message: { text: 'Yes.' } }
        await mutated(service, app.token, 'sendMessage', input, 'message { id }')
        await mutated(
          service,
          app.token,
          'markRead',
          { threadID, upToMessageID: messages.nodes[0]?.id },
          selection,
        )
        answered.push(threadID)
      }
    }
    expect(answered.sort()).toEqual([asked.thread.id, thread.id].sort())
    await say(as(ada.id), thread.id, 'Thanks!')
    expect(await unread()).toMatchObject([{ id: thread.id, unreadCount: 1 }])
  })

  test('is not unread even after markUnread', async () => {
    const { app, as, ada, thread, mark, look } = await makeThread()
    for (const author of [app.userID, ada.id, app.userID]) await say(as(author), thread.id, 'x')
    await mark('markRead', {})
    const from = async (position: number) =>
      mark('markUnread', { fromMessageID: await idAt(thread.id, position) })
    expect(await from(8)).toEqual(at(8, 8))
    expect(await from(7)).toEqual({ ...at(6), unreadCount: 1, firstUnread: { position: 7 } })
    expect(await from(6)).toEqual({ ...at(5), unreadCount: 1, firstUnread: { position: 7 } })
    expect(await from(2)).toEqual({ ...at(1), unreadCount: 5 })
    expect(await look()).toEqual({ ...at(1), unreadCount: 5 })
  })

  test('is not unread, even if it is a system message or is deleted', async () => {
    const { app, as, ada, look, publicGroup } = await makeThread()
    const { thread } = await say(as(app.userID), [publicGroup.id], 'own', 'Mine')
    const { message } = await say(as(ada.id), thread.id, 'hers')
    const input = { threadID: thread.id, closed: true }
    await mutated(service, app.token, 'updateThread', input, 'thread { id }')
    const own = await say(as(app.userID), thread.id, 'own')
    expect(await look(app.token, thread.id)).toEqual({ ...at(1), unreadCount: 1 })
    await deleteMessage(as(app.userID), { messageID: own.message.id })
    await deleteMessage(as(ada.id), { messageID: message.id })
    expect(await look(app.token, thread.id)).toEqual(at(4, 4))
  })

  test('is read if it starts a thread, also in concurrent requests', async () => {
    const { app, publicGroup } = await makeThread()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => {
        const thread = { recipients: [publicGroup.id], subject: `${turn}` }
        return mutated(service, app.token, 'sendMessage', { thread, message: { text: 'x' } }, selection)
      }),
    )
    for (const answer of answers) expect(answer.thread).toEqual(at(1, 1))
  })

  test('is not counted as unread during concurrent posts and marks', async () => {
    const { app, as, ada, thread, mark, look, operator, workspaceID } = await makeThread()
    const other = await makeApp(service, operator, workspaceID)
    const turns = Array.from({ length: 90 }, (_, turn) => async () => {
      const author = [ada.id, app.userID, other.userID][turn % 3] ?? ''
      const position = 1 + ((turn * 7) % 5)
      await say(as(author), thread.id, 'x')
      if (turn % 4 === 0)
        await mark('markRead', { upToMessageID: await idAt(thread.id, position + (turn % 20)) })
      if (turn % 7 === 0) await mark('markUnread', { fromMessageID: await idAt(thread.id, position) })
    })
    await Promise.all(turns.map((turn) => turn()))
    for (const reader of [app, other]) {
      const { readUpTo } = await operator.db.read.findUniqueOrThrow({
        where: {
          workspaceID_userID_threadID: { workspaceID, userID: reader.userID, threadID: thread.id },
        },
      })
      const unread = await operator.db.message.findMany({
        where: {
          threadID: thread.id,
          position: { gt: readUpTo },
          authorID: { not: reader.userID },
        },
        orderBy: { position: 'asc' },
      })
      expect(await look(reader.token)).toMatchObject({
        unreadCount: unread.length,
        firstUnread: unread[0] ? { position: unread[0].position } : null,
      })
      expect((await mark('markRead', {}, reader.token)).unreadCount).toBe(0)
    }
  })

  test('creates no read state for a webhook', async () => {
    const { webhook, publicGroup, operator, workspaceID } = await makeThread()
    const body = { target: publicGroup.id, threadSubject: 'S', text: 'x' }
    await postToWebhook(service, webhook.path, body)
    const where = { workspaceID, userID: webhook.userID }
    expect(await operator.db.read.count({ where })).toBe(0)
  })
})

test('threads can be filtered by whether they are unread', async () => {
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

test('markRead and markUnread return NOT_FOUND for a thread or message that the caller cannot see', async () => {
  const { app, as, ada, grace, thread, ids } = await makeThread()
  const hidden = await say(as(ada.id), [grace.id], 'psst')
  const stranger = await makeWorld(service)
  const refusal = (name: string, input: object, token = app.token) =>
    refused(service, token, name, input, selection)
  for (const threadID of [hidden.thread.id, newID('thr'), 'x']) {
    expect(await refusal('markRead', { threadID })).toEqual(['NOT_FOUND'])
    expect(await refusal('markUnread', { threadID, fromMessageID: ids[0] })).toEqual(['NOT_FOUND'])
  }
  for (const messageID of [hidden.message.id, newID('msg')]) {
    expect(await refusal('markRead', { threadID: thread.id, upToMessageID: messageID })).toEqual([
      'NOT_FOUND',
    ])
    expect(await refusal('markUnread', { threadID: thread.id, fromMessageID: messageID })).toEqual([
      'NOT_FOUND',
    ])
  }
  expect(await refusal('markRead', { threadID: thread.id }, stranger.app.token)).toEqual(['NOT_FOUND'])
})

test('markRead requires a scope that can read messages', async () => {
  const { operator, workspaceID, thread } = await makeThread()
  const input = { threadID: thread.id }
  const groups = await makeApp(service, operator, workspaceID, ['groups:read'])
  expect(await refused(service, groups.token, 'markRead', input, selection)).toEqual(['INSUFFICIENT_SCOPE'])
  const messages = await makeApp(service, operator, workspaceID, ['threads.messages:read'])
  expect((await mutated(service, messages.token, 'markRead', input, selection)).thread).toEqual(at(5))
})
