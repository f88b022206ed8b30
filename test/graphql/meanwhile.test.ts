import { describe, expect, test } from 'vitest'
import { addReaction } from '../../src/messages/reactions/react.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { makeWorld, say, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()

type List = {
  /** The query for the list, with placeholders: `$page` for its arguments, `$list` for its selection. */
  query: string
  /** The path from the response data to the list. */
  path: string[]
  /** The field that identifies a row. */
  of: string
}

/** Reads the list in pages of two, and runs `meanwhile` after the first page. */
async function pagesOf({ app }: World, { query, path, of }: List, meanwhile: () => Promise<unknown>) {
  const seen: string[] = []
  let after = ''
  for (let page = 0; page < 20; page += 1) {
    const selection = `nodes { ${of} } pageInfo { hasNextPage endCursor }`
    const text = query.replace('$page', `first: 2 ${after}`).replace('$list', selection)
    const answer = await service.graphql(app.token, `{ ${text} }`)
    expect(answer.errors).toBeUndefined()
    // biome-ignore lint/suspicious/noExplicitAny: each test states the response that it expects
    const list = path.reduce((value: any, name) => value[name], answer.data)
    seen.push(...list.nodes.map((node: Record<string, string>) => node[of]))
    if (page === 0) await meanwhile()
    if (!list.pageInfo.hasNextPage) return seen
    after = `after: "${list.pageInfo.endCursor}"`
  }
  throw new Error('The list has no end')
}

/** Replaces the members of the public group with new people, who joined in the given order. */
async function makeMembers(world: World, names: string[]) {
  const { operator, workspaceID, publicGroup } = world
  const groupID = publicGroup.id
  await operator.db.groupMember.deleteMany({ where: { workspaceID, groupID } })
  const people = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const { id } = await createPerson(operator, { workspaceID, name })
    people.set(name, id)
    const joinedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, index))
    await operator.db.groupMember.create({ data: { workspaceID, groupID, userID: id, joinedAt } })
  }
  const leave = (name: string) =>
    operator.db.groupMember.deleteMany({ where: { workspaceID, groupID, userID: people.get(name) ?? '' } })
  const join = async (name: string) => {
    const { id } = await createPerson(operator, { workspaceID, name })
    await operator.db.groupMember.create({ data: { workspaceID, groupID, userID: id } })
  }
  return { leave, join }
}

describe('a list in creation order returns each remaining row once:', () => {
  test('members, while some leave and some join', async () => {
    const world = await makeWorld(service)
    const { leave, join } = await makeMembers(world, ['A', 'B', 'C', 'D', 'E'])
    const list = { query: `group(id: "${world.publicGroup.id}") { members($page) { $list } }`, of: 'name' }
    const seen = await pagesOf(world, { ...list, path: ['group', 'members'] }, async () => {
      await leave('A')
      await leave('D')
      await join('F')
    })
    expect(seen).toEqual(['A', 'B', 'C', 'E', 'F'])
  })

  test('threads, while the app is removed from one and another one is created', async () => {
    const world = await makeWorld(service)
    const { as, ada, app, operator, workspaceID } = world
    const start = (subject: string) => say(as(ada.id), [app.userID], 'x', subject)
    const threads: string[] = []
    for (const subject of ['A', 'B', 'C', 'D', 'E']) threads.push((await start(subject)).thread.id)
    const list = { query: 'threads($page) { $list }', path: ['threads'], of: 'subject' }
    const seen = await pagesOf(world, list, async () => {
      const threadID = threads[3] ?? ''
      await operator.db.recipient.deleteMany({ where: { workspaceID, threadID, userID: app.userID } })
      await start('F')
    })
    expect(seen).toEqual(['A', 'B', 'C', 'E', 'F'])
  })

  test('threads started from a message, while one is created', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup } = world
    const { message } = await say(as(ada.id), [publicGroup.id], 'x')
    const start = (subject: string) =>
      sendMessage(as(ada.id), {
        thread: { recipients: [publicGroup.id], subject, fromMessageID: message.id },
        message: { text: 'x' },
      })
    for (const subject of ['A', 'B', 'C']) await start(subject)
    const query = `node(id: "${message.id}") { ... on Message { startedThreads($page) { $list } } }`
    const list = { query, path: ['node', 'startedThreads'], of: 'subject' }
    expect(await pagesOf(world, list, () => start('D'))).toEqual(['A', 'B', 'C', 'D'])
  })
})

test('in lastMessage order, a thread with a new message moves to the front during paging', async () => {
  const world = await makeWorld(service)
  const { as, ada, app } = world
  const ids = new Map<string, string>()
  for (const subject of ['A', 'B', 'C', 'D', 'E']) {
    ids.set(subject, (await say(as(ada.id), [app.userID], 'x', subject)).thread.id)
  }
  const list = { query: 'threads(order: lastMessage, $page) { $list }', path: ['threads'], of: 'subject' }
  const seen = await pagesOf(world, list, () => say(as(ada.id), ids.get('B') ?? '', 'again'))
  expect(seen).toEqual(['E', 'D', 'C', 'A'])
})

test('a thread that is marked read leaves the unread threads, and no other thread is skipped', async () => {
  const world = await makeWorld(service)
  const { as, ada, app } = world
  const ids = new Map<string, string>()
  for (const subject of ['A', 'B', 'C', 'D', 'E']) {
    ids.set(subject, (await say(as(ada.id), [app.userID], 'x', subject)).thread.id)
  }
  const read = (subject: string) =>
    mutated(service, app.token, 'markRead', { threadID: ids.get(subject) }, 'thread { id }')
  const list = {
    query: 'threads(filter: { unread: true }, $page) { $list }',
    path: ['threads'],
    of: 'subject',
  }
  const seen = await pagesOf(world, list, async () => {
    await read('A')
    await read('D')
  })
  expect(seen).toEqual(['A', 'B', 'C', 'E'])
})

test('recipients are in the order of their IDs, even after one is added', async () => {
  const world = await makeWorld(service)
  const { as, ada, app, operator, workspaceID } = world
  const { thread } = await say(as(ada.id), [app.userID], 'x', 'S')
  const people = []
  for (const name of ['P', 'Q', 'R', 'S']) people.push(await createPerson(operator, { workspaceID, name }))
  const threadID = thread.id
  const add = (userID: string) => operator.db.recipient.create({ data: { workspaceID, threadID, userID } })
  const [late, ...early] = people.map(({ id }) => id)
  for (const userID of early) await add(userID)
  const query = `thread(id: "${threadID}") { recipients($page) { $list } }`
  const list = { query, path: ['thread', 'recipients'], of: 'id' }
  const before = [...early, ada.id, app.userID].sort()
  const seen = await pagesOf(world, list, () => add(late ?? ''))
  const isPast = (late ?? '') < (before[1] ?? '')
  expect(seen).toEqual(isPast ? before : [...before, late].sort())
})

test('reactions are in the order of their earliest remaining use', async () => {
  const world = await makeWorld(service)
  const { as, ada, grace, app, publicGroup, operator, workspaceID } = world
  const { message } = await say(as(ada.id), [publicGroup.id], 'x')
  const react = (userID: string, emoji: string) => addReaction(as(userID), { messageID: message.id, emoji })
  for (const emoji of ['👍', '👎', '🎉', '👀']) await react(ada.id, emoji)
  await react(grace.id, '🎉')
  const query = `node(id: "${message.id}") { ... on Message { reactions($page) { $list } } }`
  const list = { query, path: ['node', 'reactions'], of: 'emoji' }
  const seen = await pagesOf(world, list, async () => {
    await operator.db.reaction.deleteMany({
      where: { workspaceID, messageID: message.id, emoji: '🎉', userID: ada.id },
    })
    await react(app.userID, '🚀')
  })
  expect(seen).toEqual(['👍', '👎', '👀', '🎉', '🚀'])
})

test('the mentions of a message come from its current text, in the order of their IDs', async () => {
  const world = await makeWorld(service)
  const { app, ada, grace, publicGroup } = world
  const mention = (ids: string[]) => ids.map((id) => `[x](skein:${id})`).join(' ')
  const all = [ada.id, grace.id, publicGroup.id, app.userID].sort()
  const input = { thread: { recipients: [publicGroup.id] }, message: { text: mention(all) } }
  const { message } = await mutated(service, app.token, 'sendMessage', input, 'message { id }')
  const query = `node(id: "${message.id}") { ... on Message { mentions($page) { $list } } }`
  const list = { query, path: ['node', 'mentions'], of: 'id' }
  const [, , third = '', fourth = ''] = all
  const seen = await pagesOf(world, list, () =>
    mutated(
      service,
      app.token,
      'editMessage',
      { messageID: message.id, text: mention([fourth]) },
      'message { id }',
    ),
  )
  expect(seen).toEqual(all.filter((id) => id !== third))
})
