import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deleteApp } from '../../src/apps/change-app.ts'
import {
  makeApp,
  makeWebhook,
  makeWorld,
  postToWebhook,
  say,
  uploadToWebhook,
  type World,
} from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

type Page = {
  edges: { cursor: string; node: { id: string; text: string; position: number } }[]
  nodes: { id: string; text: string; position: number }[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

const query = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { thread(id: $id) {
  messages(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id text position } } nodes { id text position } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`

async function page({ app }: World, id: string, args: object = {}): Promise<Page> {
  const answer = await service.graphql<{ thread: { messages: Page } }>(app.token, query, { id, ...args })
  expect(answer).not.toHaveProperty('errors')
  return answer.data.thread.messages
}

function texts({ nodes }: Page): string[] {
  return nodes.map(({ text }) => text)
}

/** Creates a thread with `count` messages, whose texts are 1, 2, 3, ... */
async function threadOf({ as, ada, publicGroup }: World, count: number): Promise<string> {
  const { thread } = await say(as(ada.id), [publicGroup.id], '1', 'S')
  for (let number = 2; number <= count; number++) await say(as(ada.id), thread.id, String(number))
  return thread.id
}

describe('the messages of a thread', () => {
  test('are in the order in which they were posted', async () => {
    const world = await makeWorld(service)
    const all = await page(world, await threadOf(world, 12))
    expect(texts(all)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    expect(all.edges.map(({ node }) => node)).toEqual(all.nodes)
  })

  test('are the latest ten with last: 10, in ascending order', async () => {
    const world = await makeWorld(service)
    const latest = await page(world, await threadOf(world, 12), { last: 10 })
    expect(texts(latest)).toEqual(['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    expect(latest.nodes.map(({ position }) => position)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(latest.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false })
  })

  test('can be paged in both directions', async () => {
    const world = await makeWorld(service)
    const id = await threadOf(world, 5)
    const first = await page(world, id, { first: 2 })
    const second = await page(world, id, { first: 2, after: first.pageInfo.endCursor })
    const third = await page(world, id, { first: 2, after: second.pageInfo.endCursor })
    expect([texts(first), texts(second), texts(third)]).toEqual([['1', '2'], ['3', '4'], ['5']])
    expect([first, second, third].map((each) => each.pageInfo.hasNextPage)).toEqual([true, true, false])
    const back = await page(world, id, { last: 2, before: third.pageInfo.startCursor })
    expect(back).toMatchObject({
      nodes: second.nodes,
      pageInfo: { hasPreviousPage: true, hasNextPage: true },
    })
  })

  test('after the last cursor are the messages that were posted later', async () => {
    const world = await makeWorld(service)
    const id = await threadOf(world, 2)
    const { endCursor } = (await page(world, id)).pageInfo
    expect(await page(world, id, { after: endCursor })).toMatchObject({
      nodes: [],
      pageInfo: { hasNextPage: false },
    })
    await say(world.as(world.ada.id), id, '3')
    expect(texts(await page(world, id, { after: endCursor }))).toEqual(['3'])
  })

  test('are returned once and in order to readers who page while others write', async () => {
    const world = await makeWorld(service)
    const { as, ada, operator, workspaceID } = world
    const id = await threadOf(world, 1)
    let writing = true
    const read = async (first: number) => {
      const seen: string[] = []
      for (let after: string | null = null; ; ) {
        const over = !writing
        const next: Page = await page(world, id, { first, after })
        seen.push(...next.nodes.map((node) => node.id))
        after = next.pageInfo.endCursor ?? after
        if (over && !next.pageInfo.hasNextPage) return seen
      }
    }
    const write = async () => {
      for (let turn = 0; turn < 4; turn++) await say(as(ada.id), id, 'x')
    }
    const readers = [read(7), read(7), read(100)]
    await Promise.all(Array.from({ length: 50 }, write))
    writing = false
    const stored = await operator.db.message.findMany({
      where: { workspaceID, threadID: id },
      orderBy: { position: 'asc' },
    })
    expect(stored.map(({ position }) => position)).toEqual(
      Array.from({ length: 201 }, (_, index) => index + 1),
    )
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(stored.map((message) => message.id))
  })

  test.each([
    ['first', { first: 101 }],
    ['last', { last: -1 }],
    ['last', { first: 1, last: 1 }],
    ['after', { after: 'x' }],
    ['before', { before: Buffer.from('["messages","1.5"]').toString('base64url') }],
  ])('are not returned if the argument %s is invalid: %j', async (field, args) => {
    const world = await makeWorld(service)
    const answer = await service.graphql(world.app.token, query, { id: await threadOf(world, 1), ...args })
    expect(answer.errors).toMatchObject([
      { path: ['thread', 'messages'], extensions: { code: 'INVALID_INPUT', errors: [{ field }] } },
    ])
  })
})

describe('a message', () => {
  const messageQuery = `query ($id: ID!) { node(id: $id) { ... on Message { text html editedAt user { name kind deletedAt }
    attachments { edges { cursor } nodes { id name size contentMD5 } } } } }`
  const message = async ({ app }: World, id: string) =>
    (await service.graphql(app.token, messageQuery, { id })).data.node

  test('has its files in the given order, and editedAt after an update', async () => {
    const world = await makeWorld(service)
    const contents = ['three', 'two', 'one']
    const files: string[] = []
    for (const text of contents) {
      const upload = await uploadToWebhook(service, world.webhook.path, text, {
        'x-file-name': `${text}.txt`,
      })
      files.push(upload.json().id)
    }
    const body = { target: world.publicGroup.id, text: 'x', uniqueBy: 'k', attachments: files }
    const { messageID } = (await postToWebhook(service, world.webhook.path, body)).json()
    const first = await message(world, messageID)
    expect(first.attachments.nodes).toEqual(
      contents.map((text, index) => ({
        id: files[index],
        name: `${text}.txt`,
        size: text.length,
        contentMD5: createHash('md5').update(text).digest('base64'),
      })),
    )
    expect(first.editedAt).toBeNull()
    const pageQuery = `query ($id: ID!, $after: String) { node(id: $id) { ... on Message {
      attachments(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage } } } } }`
    const after = first.attachments.edges[0].cursor
    const rest = (await service.graphql(world.app.token, pageQuery, { id: messageID, after })).data.node
      .attachments
    expect(rest).toEqual({ nodes: [{ id: files[1] }, { id: files[2] }], pageInfo: { hasNextPage: false } })
    await postToWebhook(service, world.webhook.path, { ...body, attachments: files.slice(0, 1) })
    const second = await message(world, messageID)
    expect(second.attachments.nodes).toEqual(first.attachments.nodes.slice(0, 1))
    expect(second.editedAt).toMatch(/Z$/)
  })

  test('shows the name of a deleted author', async () => {
    const world = await makeWorld(service)
    const other = await makeApp(service, world.operator, world.workspaceID)
    const said = await say(world.as(other.userID), [world.workspaceID], 'x')
    await deleteApp(world.operator, { appID: other.id })
    const { user } = await message(world, said.message.id)
    expect(user).toEqual({ name: 'Robot', kind: 'app', deletedAt: expect.any(String) })
  })

  test('and its files are visible only to users who can see the thread', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, privateGroup, publicGroup } = world
    const webhook = await makeWebhook(operator, workspaceID, 'Other')
    await operator.db.groupMember.create({
      data: { workspaceID, groupID: privateGroup.id, userID: webhook.userID },
    })
    const fileID: string = (await uploadToWebhook(service, webhook.path, 'bytes')).json().id
    const node = (id: string) =>
      service.graphql(world.app.token, 'query ($id: ID!) { node(id: $id) { id } }', { id })
    const post = (target: string) =>
      postToWebhook(service, webhook.path, { target, text: 'x', attachments: [fileID] })
    expect(await node(fileID)).toEqual({ data: { node: null } })
    const { messageID } = (await post(privateGroup.id)).json()
    expect([await node(messageID), await node(fileID)]).toEqual([
      { data: { node: null } },
      { data: { node: null } },
    ])
    await post(publicGroup.id)
    expect(await node(fileID)).toEqual({ data: { node: { id: fileID } } })
  })
})
