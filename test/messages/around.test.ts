import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, postToWebhook, say } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const world = await makeWorld(service)
const { as, ada, app, publicGroup, webhook } = world
const count = 12
const { threadID, ids } = await makeThread()

async function makeThread() {
  const { thread, message } = await say(as(ada.id), [publicGroup.id], '1', 'S')
  const ids = [message.id]
  while (ids.length < count) ids.push((await say(as(ada.id), thread.id, `word${ids.length + 1}`)).message.id)
  return { threadID: thread.id, ids }
}

const idAt = (position: number) => ids[position - 1] ?? ''
const selection =
  'edges { cursor node { id position } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'

function ask(args: string, token = app.token, id = threadID) {
  return service.graphql(token, `{ thread(id: "${id}") { messages(${args}) { ${selection} } } }`)
}

/** Returns the positions on a page, and whether there are more before and after it. */
async function page(args: string) {
  const answer = await ask(args)
  expect(answer.errors).toBeUndefined()
  const { edges, pageInfo } = answer.data.thread.messages
  const positions = edges.map(({ node }: { node: { position: number } }) => node.position)
  return { positions, more: [pageInfo.hasPreviousPage, pageInfo.hasNextPage], pageInfo }
}

describe('messages(around:)', () => {
  test.each([
    [6, 'first: 5', [4, 5, 6, 7, 8], [true, true]],
    [6, 'last: 5', [4, 5, 6, 7, 8], [true, true]],
    [6, 'first: 4', [4, 5, 6, 7], [true, true]],
    [6, 'first: 1', [6], [true, true]],
    [1, 'first: 5', [1, 2, 3, 4, 5], [false, true]],
    [2, 'first: 5', [1, 2, 3, 4, 5], [false, true]],
    [3, 'first: 5', [1, 2, 3, 4, 5], [false, true]],
    [12, 'first: 5', [8, 9, 10, 11, 12], [true, false]],
    [11, 'first: 5', [8, 9, 10, 11, 12], [true, false]],
    [10, 'first: 5', [8, 9, 10, 11, 12], [true, false]],
    [5, 'first: 12', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [false, false]],
    [5, '', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [false, false]],
  ])('of message %i with %s returns %j', async (position, size, positions, more) => {
    expect(await page(`around: "${idAt(position)}" ${size}`)).toMatchObject({ positions, more })
  })

  test('returns cursors that reach each message once, in both directions', async () => {
    const middle = await page(`around: "${idAt(7)}", first: 3`)
    const seen = [...middle.positions]
    for (let at = middle; at.more[1]; ) {
      at = await page(`first: 3, after: "${at.pageInfo.endCursor}"`)
      seen.push(...at.positions)
    }
    for (let at = middle; at.more[0]; ) {
      at = await page(`last: 3, before: "${at.pageInfo.startCursor}"`)
      seen.unshift(...at.positions)
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })

  test('can be selected several times in one thread', async () => {
    const query = `{ thread(id: "${threadID}") {
      one: messages(around: "${idAt(2)}", first: 1) { nodes { position } }
      other: messages(around: "${idAt(9)}", first: 2) { nodes { position } } } }`
    const { data } = await service.graphql(app.token, query)
    expect(data.thread).toEqual({
      one: { nodes: [{ position: 2 }] },
      other: { nodes: [{ position: 8 }, { position: 9 }] },
    })
  })

  test.each([
    ['after: "x"', 'after'],
    ['before: "x"', 'before'],
    ['first: 1, last: 1', 'last'],
    ['first: 0', 'first'],
    ['last: 101', 'last'],
  ])('refuses %s, and names the field', async (args, field) => {
    const { errors } = await ask(`around: "${idAt(3)}", ${args}`)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', errors: [{ field }] })
  })

  test('returns NOT_FOUND for a message that is not in the thread', async () => {
    const other = await say(as(ada.id), [publicGroup.id], 'x', 'Other')
    const hidden = await say(as(ada.id), [world.grace.id], 'psst')
    const strangers = await makeWorld(service)
    const strange = await say(strangers.as(strangers.ada.id), [strangers.publicGroup.id], 'x')
    const wrong = [other, hidden, strange].map(({ message }) => message.id)
    for (const id of [...wrong, newID('msg'), threadID, 'x y 5']) {
      const { errors } = await ask(`around: "${id}"`)
      expect(errors).toMatchObject([{ message: expect.stringContaining('message does not exist') }])
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })

  test('requires a scope that can read messages', async () => {
    const without = await makeApp(service, world.operator, world.workspaceID, ['groups:read'])
    const { errors } = await ask(`around: "${idAt(3)}"`, without.token)
    expect(errors).toHaveLength(1)
  })
})

describe('messages(aroundFirstUnread:)', () => {
  const mark = (field: 'markRead' | 'markUnread', input: object) =>
    mutate(service, app.token, field, { threadID, ...input }, 'thread { id }')

  test('returns the page around the first unread message, or the last page if nothing is unread', async () => {
    const args = 'aroundFirstUnread: true, first: 5'
    expect(await page(args)).toMatchObject({ positions: [1, 2, 3, 4, 5], more: [false, true] })
    await mark('markRead', { upToMessageID: idAt(6) })
    expect(await page(args)).toMatchObject({ positions: [5, 6, 7, 8, 9], more: [true, true] })
    await mark('markRead', {})
    expect(await page(args)).toMatchObject({ positions: [8, 9, 10, 11, 12], more: [true, false] })
    await mark('markUnread', { fromMessageID: idAt(1) })
    expect(await page(args)).toMatchObject({ positions: [1, 2, 3, 4, 5] })
  })

  test('ignores the argument if it is false or null', async () => {
    for (const value of [false, null])
      expect(await page(`aroundFirstUnread: ${value}, around: "${idAt(9)}", first: 1`)).toMatchObject({
        positions: [9],
      })
  })

  test.each([
    [`around: "${idAt(3)}"`, 'around'],
    ['after: "x"', 'after'],
    ['before: "x"', 'before'],
    ['last: 0', 'last'],
  ])('refuses %s, and names the field', async (args, field) => {
    const { errors } = await ask(`aroundFirstUnread: true, ${args}`)
    const message = expect.stringContaining('aroundFirstUnread')
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', errors: [{ field, message }] })
  })
})

describe('a message can be found in its thread', () => {
  test('by its cursor, which is also the cursor of its edge', async () => {
    const { data } = await service.graphql(
      app.token,
      `{ node(id: "${idAt(5)}") { ... on Message { cursor thread { messages(around: "${idAt(5)}", first: 1) { edges { cursor } } } } } }`,
    )
    const { cursor, thread } = data.node
    expect(thread.messages.edges).toEqual([{ cursor }])
    expect(await page(`after: "${cursor}", first: 2`)).toMatchObject({ positions: [6, 7] })
    expect(await page(`before: "${cursor}", last: 2`)).toMatchObject({ positions: [3, 4] })
  })

  test('by its ID from a search, from firstUnread, or from the response to a webhook post', async () => {
    const posted = (
      await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'alert' })
    ).json()
    const around = (id: string) => `messages(around: "${id}", first: 1) { nodes { id } }`
    const { data } = await service.graphql(
      app.token,
      `{ searchMessages(query: "word9") { nodes { id cursor } }
         posted: thread(id: "${posted.threadID}") { ${around(posted.messageID)} }
         unread: thread(id: "${threadID}") { firstUnread { id cursor } } }`,
    )
    expect(data.posted.messages.nodes).toEqual([{ id: posted.messageID }])
    const [found] = data.searchMessages.nodes
    expect(found).toMatchObject({ id: idAt(9) })
    expect((await page(`around: "${found.id}", first: 1`)).pageInfo.startCursor).toBe(found.cursor)
    const { firstUnread } = data.unread
    expect((await page(`around: "${firstUnread.id}", first: 1`)).pageInfo.startCursor).toBe(
      firstUnread.cursor,
    )
  })
})
