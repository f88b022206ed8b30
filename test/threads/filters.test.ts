import { describe, expect, test } from 'vitest'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld, say } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()

async function makeThreads() {
  const world = await makeWorld(service)
  const { as, ada, grace, app, publicGroup, workspaceID } = world
  const start = async (recipients: string[], subject?: string) =>
    (await say(as(ada.id), recipients, 'x', subject)).thread.id
  const threads = {
    builds: await start([publicGroup.id], 'Build 100% RED'),
    general: await start([workspaceID], 'Ärger'),
    three: await start([app.userID, grace.id], 'Three_of us'),
    chat: await start([publicGroup.id]),
    dm: await start([app.userID]),
  }
  const names = new Map(Object.entries(threads).map(([name, id]) => [id, name]))
  const ask = (filter: object, more = '') =>
    service.graphql(
      app.token,
      `query ($filter: ThreadFilter) { threads(filter: $filter ${more}) { nodes { id } pageInfo { endCursor hasNextPage } } }`,
      { filter },
    )
  const list = async (filter: object, more = '') => {
    const answer = await ask(filter, more)
    expect(answer).not.toHaveProperty('errors')
    return answer.data.threads.nodes.map(({ id }: { id: string }) => names.get(id))
  }
  return { ...world, threads, ask, list }
}

describe('threads are listed by', () => {
  test('a group that is a recipient, with its chat', async () => {
    const { list, publicGroup, workspaceID } = await makeThreads()
    expect(await list({ groupID: publicGroup.id })).toEqual(['builds', 'chat'])
    expect(await list({ groupID: workspaceID })).toEqual(['general'])
  })

  test('a user who is a recipient, including the DM with this user', async () => {
    const { list, ada, grace, app } = await makeThreads()
    expect(await list({ userID: grace.id })).toEqual(['three'])
    expect(await list({ userID: app.userID })).toEqual(['three', 'dm'])
    expect(await list({ userID: ada.id })).toEqual(['three', 'dm'])
  })

  test('a part of the subject, ignoring case and without wildcards', async () => {
    const { list } = await makeThreads()
    expect(await list({ subjectContains: 'build' })).toEqual(['builds'])
    expect(await list({ subjectContains: '0% red' })).toEqual(['builds'])
    expect(await list({ subjectContains: 'e_o' })).toEqual(['three'])
    expect(await list({ subjectContains: '%' })).toEqual(['builds'])
    expect(await list({ subjectContains: 'none' })).toEqual([])
  })

  test('a part of the subject, ignoring accents, also after the subject has changed', async () => {
    const { list, as, ada, threads } = await makeThreads()
    for (const part of ['arger', 'ÄRG', 'A\u0308rger'])
      expect(await list({ subjectContains: part })).toEqual(['general'])
    const rename = (subject: string) => updateThread(as(ada.id), { threadID: threads.builds, subject })
    await rename('Świeża wersja “l’été”')
    expect(await list({ subjectContains: 'swieza' })).toEqual(['builds'])
    expect(await list({ subjectContains: "l'ete" })).toEqual(['builds'])
    await rename('Donau\u00addampf')
    expect(await list({ subjectContains: 'nauda' })).toEqual(['builds'])
    expect(await list({ subjectContains: 'swieza' })).toEqual([])
  })

  test('their kind', async () => {
    const { list } = await makeThreads()
    expect(await list({ kind: 'dm' })).toEqual(['dm'])
    expect(await list({ kind: 'groupChat' })).toEqual(['chat'])
    expect(await list({ kind: 'thread' })).toEqual(['builds', 'general', 'three'])
    expect(await list({ kind: 'dm' }, ', order: lastMessage')).toEqual(['dm'])
  })

  test('the user who started them', async () => {
    const { list, ada, app, grace } = await makeThreads()
    expect(await list({ startedByID: ada.id })).toEqual(['builds', 'general', 'three'])
    expect(await list({ startedByID: app.userID })).toEqual([])
    expect(await list({ startedByID: ada.id, userID: grace.id })).toEqual(['three'])
  })

  test('whether they were active after a given time', async () => {
    const { list, operator, threads } = await makeThreads()
    for (const [index, id] of [threads.builds, threads.chat, threads.three].entries()) {
      const lastActivityAt = new Date(Date.UTC(2020, 0, 1, 0, 0, index))
      await operator.db.thread.updateMany({ where: { id }, data: { lastActivityAt } })
    }
    const since = (second: number, more = '') =>
      list({ activeAfter: new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString() }, more)
    expect(await since(0)).toEqual(['general', 'three', 'chat', 'dm'])
    expect(await since(1, ', order: lastMessage')).toEqual(['dm', 'general', 'three'])
    expect(await list({ activeAfter: '9999-01-01T00:00:00Z' })).toEqual([])
  })

  test('whether they are closed', async () => {
    const { list, threads, as, app, publicGroup } = await makeThreads()
    const own = await say(as(app.userID), [publicGroup.id], 'x', 'Own')
    const input = { threadID: own.thread.id, closed: true }
    await mutated(service, app.token, 'updateThread', input, 'thread { id }')
    expect(await list({ closed: true })).toEqual([undefined])
    expect(await list({ closed: false })).toEqual(Object.keys(threads))
  })

  test('several filters at once, in either order, page by page', async () => {
    const { list, ask, publicGroup, as, ada, threads } = await makeThreads()
    await say(as(ada.id), threads.builds, 'again')
    expect(await list({ groupID: publicGroup.id }, ', order: lastMessage')).toEqual(['builds', 'chat'])
    expect(await list({ groupID: publicGroup.id, subjectContains: 'Build' })).toEqual(['builds'])
    const first = (await ask({ groupID: publicGroup.id }, ', first: 1')).data.threads.pageInfo
    expect(first.hasNextPage).toBe(true)
    expect(await list({ groupID: publicGroup.id }, `, after: "${first.endCursor}"`)).toEqual(['chat'])
  })
})

test('a filter returns NOT_FOUND for a group or user that the caller cannot see', async () => {
  const { ask, privateGroup } = await makeThreads()
  const stranger = await makeWorld(service)
  for (const groupID of [privateGroup.id, newID('grp'), stranger.publicGroup.id, 'x']) {
    expect((await ask({ groupID })).errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND'])
  }
  for (const userID of [stranger.ada.id, newID('usr'), 'x']) {
    expect((await ask({ startedByID: userID })).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect((await ask({ userID })).errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND'])
  }
})

test('a filter by user does not show threads that the caller cannot see', async () => {
  const { ask, list, as, ada, grace } = await makeThreads()
  const hidden = await say(as(ada.id), [grace.id], 'psst', 'Hidden')
  const answer = await ask({ userID: grace.id })
  expect(JSON.stringify(answer)).not.toContain(hidden.thread.id)
  expect(await list({ userID: grace.id })).toEqual(['three'])
})
