import { describe, expect, test } from 'vitest'
import { makeWorld, say, type World } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

type Page = {
  edges: { cursor: string; node: { id: string; subject: string } }[]
  nodes: { id: string; subject: string }[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

const query = `query ($first: Int, $after: String, $last: Int, $before: String, $order: ThreadOrder) {
  threads(first: $first, after: $after, last: $last, before: $before, order: $order) {
    edges { cursor node { id subject } } nodes { id subject } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

async function page({ app }: World, args: object): Promise<Page> {
  const answer = await service.graphql<{ threads: Page }>(app.token, query, args)
  expect(answer).not.toHaveProperty('errors')
  return answer.data.threads
}

function subjects({ nodes }: Page): string {
  return nodes.map(({ subject }) => subject).join('')
}

/** Creates a world with the threads A to G, and threads that the app cannot see. */
async function withThreads() {
  const world = await makeWorld(service)
  const { as, ada, grace, publicGroup, privateGroup, app } = world
  const started: string[] = []
  for (const [index, subject] of [...'ABCDEFG'].entries()) {
    const recipients = index % 2 === 0 ? [publicGroup.id] : [app.userID, grace.id]
    started.push((await say(as(ada.id), recipients, 'x', subject)).thread.id)
    await say(as(ada.id), [index % 2 === 0 ? privateGroup.id : grace.id], 'x', 'hidden')
  }
  return { ...world, started }
}

describe('the threads', () => {
  test('are only the threads that the caller can see, oldest first', async () => {
    const world = await withThreads()
    const all = await page(world, {})
    expect(all.nodes.map(({ id }) => id)).toEqual(world.started)
    expect(all.edges.map(({ node }) => node)).toEqual(all.nodes)
    expect(all.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: all.edges[0]?.cursor,
      endCursor: all.edges.at(-1)?.cursor,
    })
    expect(subjects(await page(world, { order: 'created' }))).toBe('ABCDEFG')
  })

  test('in lastMessage order start with the latest activity', async () => {
    const world = await withThreads()
    expect(subjects(await page(world, { order: 'lastMessage' }))).toBe('GFEDCBA')
    await say(world.as(world.ada.id), world.started[1] ?? '', 'again')
    expect(subjects(await page(world, { order: 'lastMessage' }))).toBe('BGFEDCA')
    expect(subjects(await page(world, {}))).toBe('ABCDEFG')
  })

  test('can be read from a cursor that an older version of the service created with one more value', async () => {
    const world = await withThreads()
    const [, , third] = (await page(world, { order: 'lastMessage' })).edges
    const [name, , ...others] = JSON.parse(Buffer.from(third?.cursor ?? '', 'base64url').toString())
    const values = [name, `${Math.floor(Date.parse(others[0]) / 4000)}`, ...others]
    const older = Buffer.from(JSON.stringify(values)).toString('base64url')
    expect(subjects(await page(world, { order: 'lastMessage', after: older }))).toBe('DCBA')
    expect(subjects(await page(world, { order: 'lastMessage', before: older }))).toBe('GF')
  })

  test.each([
    ['created', 'ABCDEFG'],
    ['lastMessage', 'GFEDCBA'],
  ])('can be paged in both directions in %s order', async (order, expected) => {
    const world = await withThreads()
    let forward = ''
    for (let after: string | null | undefined; ; ) {
      const next = await page(world, { order, first: 3, after })
      expect(next.pageInfo.hasPreviousPage).toBe(after !== undefined)
      forward += `${subjects(next)} `
      after = next.pageInfo.endCursor
      if (!next.pageInfo.hasNextPage) break
    }
    expect(forward).toBe(expected.replace(/(...)(...)(.)/, '$1 $2 $3 '))
    let backward = ''
    for (let before: string | null | undefined; ; ) {
      const next = await page(world, { order, last: 3, before })
      expect(next.pageInfo.hasNextPage).toBe(before !== undefined)
      backward = ` ${subjects(next)}${backward}`
      before = next.pageInfo.startCursor
      if (!next.pageInfo.hasPreviousPage) break
    }
    expect(backward).toBe(expected.replace(/(.)(...)(...)/, ' $1 $2 $3'))
  })

  test('between two cursors can be read', async () => {
    const world = await withThreads()
    const { edges } = await page(world, {})
    const between = { after: edges[1]?.cursor, before: edges[5]?.cursor }
    expect(subjects(await page(world, between))).toBe('CDE')
    expect(subjects(await page(world, { ...between, first: 2 }))).toBe('CD')
    expect(subjects(await page(world, { ...between, last: 2 }))).toBe('DE')
  })

  test('that are created during paging are on later pages', async () => {
    const world = await withThreads()
    const first = await page(world, { first: 5 })
    await say(world.as(world.ada.id), [world.publicGroup.id], 'x', 'H')
    const rest = await page(world, { first: 5, after: first.pageInfo.endCursor })
    expect(subjects(rest)).toBe('FGH')
  })

  test('are 50 by default, and 100 at most', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup } = world
    await Promise.all(Array.from({ length: 101 }, () => say(as(ada.id), [publicGroup.id], 'x', 'S')))
    expect((await page(world, {})).nodes).toHaveLength(50)
    const hundred = await page(world, { first: 100 })
    expect([hundred.nodes.length, hundred.pageInfo.hasNextPage]).toEqual([100, true])
    expect((await page(world, { last: 100 })).nodes).toHaveLength(100)
    expect((await page(world, { after: hundred.pageInfo.endCursor })).nodes).toHaveLength(1)
  })

  test('are an empty page if first or last is 0, or if there are no threads', async () => {
    const world = await withThreads()
    for (const args of [{ first: 0 }, { last: 0 }]) {
      const none = await page(world, args)
      expect(none).toMatchObject({ edges: [], nodes: [], pageInfo: { startCursor: null, endCursor: null } })
    }
    const empty = await page(await makeWorld(service), {})
    expect(empty.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    })
  })
})

describe('a page is refused', () => {
  test.each([
    ['first', { first: 101 }],
    ['first', { first: -1 }],
    ['last', { last: 101 }],
    ['last', { last: -1 }],
    ['last', { first: 1, last: 1 }],
    ['after', { after: '' }],
    ['after', { after: 'x' }],
    ['after', { after: Buffer.from('["threads"]').toString('base64url') }],
    ['after', { after: Buffer.from('["threads","never","thr"]').toString('base64url') }],
    ['after', { after: Buffer.from('["threads",{"a":1},[]]').toString('base64url') }],
    [
      'after',
      { after: Buffer.from('["threads","2026-01-01T00:00:00.000Z","a\\u0000"]').toString('base64url') },
    ],
    ['before', { before: 'x' }],
  ])('for the invalid argument %s in %j', async (field, args) => {
    const { app } = await makeWorld(service)
    const answer = await service.graphql(app.token, query, args)
    expect(answer.data).toEqual({ threads: null })
    expect(answer.errors).toMatchObject([
      { path: ['threads'], extensions: { code: 'INVALID_INPUT', errors: [{ field }] } },
    ])
  })

  test('with a cursor of another list, or of another order', async () => {
    const world = await withThreads()
    const { endCursor: byCreation } = (await page(world, {})).pageInfo
    const { endCursor: byActivity } = (await page(world, { order: 'lastMessage' })).pageInfo
    const messages = '{ threads { nodes { messages { pageInfo { endCursor } } } } }'
    const ofMessages = (await service.graphql(world.app.token, messages)).data.threads.nodes[0].messages
      .pageInfo.endCursor
    for (const args of [
      { after: byActivity },
      { after: byCreation, order: 'lastMessage' },
      { before: ofMessages },
    ]) {
      const answer = await service.graphql(world.app.token, query, args)
      expect(answer.errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }])
    }
  })
})
