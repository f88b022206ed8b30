import { describe, expect, test } from 'vitest'
import { sweepEvents } from '../../src/events/sweep-events.ts'
import { makeWorld, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

type Page = {
  nodes: { cursor: string; message: { text: string } }[]
  pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean }
}

async function ask(token: string, variables: object) {
  const { data, errors } = await service.graphql(
    token,
    `query ($first: Int, $after: String, $last: Int, $before: String, $types: [EventType!]) {
      events(first: $first, after: $after, last: $last, before: $before, types: $types) {
        nodes { cursor message { text } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
    { types: ['messageCreated'], ...variables },
  )
  return { page: data?.events as Page, errors }
}

async function pageOf(token: string, variables: object): Promise<Page> {
  const { page, errors } = await ask(token, variables)
  expect(errors).toBeUndefined()
  return page
}

const textsOf = ({ nodes }: Page) => nodes.map(({ message }) => message.text)

/** Creates a world in whose public group these messages were sent, between messages that the app cannot see. */
async function makeTold(texts: string[]) {
  const { as, ada, grace, app, publicGroup, workspaceID } = await makeWorld(service)
  await say(as(ada.id), [grace.id], 'secret')
  for (const text of texts) await say(as(ada.id), [publicGroup.id], text)
  await say(as(ada.id), [grace.id], 'secret')
  return { app, workspaceID, tell: (text: string) => say(as(ada.id), [publicGroup.id], text) }
}

describe('events with last and before', () => {
  test('are the latest events, oldest first, and the end cursor continues without a gap', async () => {
    const { app, tell } = await makeTold(['a', 'b', 'c'])
    const page = await pageOf(app.token, { last: 2 })
    expect(textsOf(page)).toEqual(['b', 'c'])
    expect(page.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    await tell('d')
    expect(textsOf(await pageOf(app.token, { after: page.pageInfo.endCursor }))).toEqual(['d'])
  })

  test('are read backward to the beginning of the log, each once', async () => {
    const { app } = await makeTold(['a', 'b', 'c', 'd', 'e'])
    const texts: string[] = []
    for (let before: string | undefined, hasMore = true; hasMore; ) {
      const page = await pageOf(app.token, { last: 2, before })
      texts.unshift(...textsOf(page))
      before = page.pageInfo.startCursor
      hasMore = page.pageInfo.hasPreviousPage
    }
    expect(texts).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('end before the cursor, with or without last', async () => {
    const { app } = await makeTold(['a', 'b', 'c', 'd'])
    const { nodes } = await pageOf(app.token, { first: 100 })
    const before = nodes[2]?.cursor
    expect(textsOf(await pageOf(app.token, { before }))).toEqual(['a', 'b'])
    const page = await pageOf(app.token, { before, last: 1 })
    expect(textsOf(page)).toEqual(['b'])
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
  })

  test('begin with the oldest event that is kept', async () => {
    const { app, tell, workspaceID } = await makeTold(['deleted'])
    const { db } = service.contextOf({ kind: 'operator' })
    await pageOf(app.token, {})
    await db.$executeRaw`UPDATE event_batches SET created_at = now() - interval '8 days' WHERE workspace_id = ${workspaceID}`
    await sweepEvents(db, 7)
    await tell('kept')
    const page = await pageOf(app.token, { last: 2 })
    expect(textsOf(page)).toEqual(['kept'])
    expect(page.pageInfo.hasPreviousPage).toBe(false)
  })

  test('are found behind many events that do not match', async () => {
    const { app, tell } = await makeTold(['first'])
    for (let n = 0; n < 3; n += 1) await tell(`${n}`)
    const page = await pageOf(app.token, { last: 1, types: ['groupCreated'] })
    expect(page.nodes).toEqual([])
    expect(page.pageInfo.hasPreviousPage).toBe(false)
  })

  test('are an empty page in an empty log', async () => {
    const { app } = await makeWorld(service)
    const { nodes, pageInfo } = await pageOf(app.token, { last: 5 })
    expect(nodes).toEqual([])
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
    expect((await pageOf(app.token, { last: 5, before: pageInfo.startCursor })).nodes).toEqual([])
  })

  test.each([
    [{ first: 1, last: 1 }, 'last'],
    [{ last: 1, before: 'x' }, 'before'],
  ])('are refused for %j', async (variables, field) => {
    const { app } = await makeWorld(service)
    const { errors } = await ask(app.token, variables)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', errors: [{ field }] })
  })

  test.each([
    { last: -1 },
    { last: 0 },
    { last: 101 },
  ])('are refused for %j, with the limits', async (size) => {
    const { app } = await makeWorld(service)
    const { errors } = await ask(app.token, size)
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ field: 'last', message: 'must be between 1 and 100' }],
    })
  })

  test('are refused for a cursor that this workspace does not have yet', async () => {
    const [{ app }, { app: other }] = [await makeTold(['a']), await makeTold(['a', 'b', 'c', 'd', 'e'])]
    const { pageInfo } = await pageOf(other.token, { last: 1 })
    const { errors } = await ask(app.token, { before: pageInfo.startCursor })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CURSOR_EXPIRED' })
  })

  test('are refused together with the arguments of forward pages', async () => {
    const { app } = await makeTold(['a'])
    const { pageInfo } = await pageOf(app.token, { last: 1 })
    for (const variables of [
      { last: 1, after: pageInfo.endCursor },
      { first: 1, before: pageInfo.endCursor },
    ]) {
      const { errors } = await ask(app.token, variables)
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_INPUT'])
    }
  })
})
