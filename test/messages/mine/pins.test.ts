import { describe, expect, test } from 'vitest'
import { addMembers } from '../../../src/groups/members/add-members.ts'
import { removeMembers } from '../../../src/groups/members/remove-members.ts'
import { say } from '../../support/factories.ts'
import { mutation } from '../../support/mutations.ts'
import { startService } from '../../support/service.ts'
import { makeInbox } from './inbox.ts'

const service = await startService()

const pinsOf = `viewer { pins { __typename ... on Group { id isPinned } ... on Thread { id isPinned } } }`
type Pinned = { __typename: string; id: string; isPinned: boolean }
const codeOf = (errors: { extensions: { code: string; reason?: string } }[] | undefined) =>
  errors?.map(({ extensions: { code, reason } }) => reason ?? code)

/** Nora, who can pin, and some threads of Ada. */
async function makePins() {
  const world = await makeInbox(service)
  const { nora, as, ada, publicGroup } = world
  const idsIn = (viewer: { pins: Pinned[] }) => viewer.pins.map(({ id }) => id)
  const change = async (name: string, input: object) => {
    const { data, errors } = await nora.ask(mutation(name, pinsOf), { input })
    expect(errors).toBeUndefined()
    return idsIn(data[name].viewer)
  }
  const pins = async () => idsIn((await nora.ask(`{ ${pinsOf} }`)).data.viewer)
  const post = async (subject: string) => (await say(as(ada.id), [publicGroup.id], 'one', subject)).thread.id
  return { ...world, change, pins, post }
}

describe('pins', () => {
  test('are groups, threads and DMs, in the order in which the person pinned them', async () => {
    const { change, pins, post, dm, nora, generalGroupID, workspaceID } = await makePins()
    const [threadID, { id: dmID }] = [await post('Plans'), await dm()]
    expect(await pins()).toEqual([])
    await change('pinThread', { threadID })
    await change('pinGroup', { groupID: workspaceID })
    const all = [threadID, generalGroupID, dmID]
    expect(await change('pinThread', { threadID: dmID })).toEqual(all)
    // What is pinned already keeps its place.
    expect(await change('pinThread', { threadID })).toEqual(all)
    const { data } = await nora.ask(`{ ${pinsOf} }`)
    expect(data.viewer.pins).toEqual(
      all.map((id, index) => ({ __typename: index === 1 ? 'Group' : 'Thread', id, isPinned: true })),
    )
    expect(await change('unpinGroup', { groupID: generalGroupID })).toEqual([threadID, dmID])
    expect(await change('unpinGroup', { groupID: generalGroupID })).toEqual([threadID, dmID])
    expect(await change('unpinThread', { threadID })).toEqual([dmID])
    expect(await change('pinThread', { threadID })).toEqual([dmID, threadID])
  })

  test('can be put in another order, and those that are not named follow', async () => {
    const { change, post, publicGroup } = await makePins()
    const [a, b, c] = [await post('A'), await post('B'), await post('C')]
    for (const threadID of [a, b, c]) await change('pinThread', { threadID })
    expect(await change('orderPins', { pinnedIDs: [c, a, b] })).toEqual([c, a, b])
    expect(await change('orderPins', { pinnedIDs: [publicGroup.id, b] })).toEqual([b, c, a])
    expect(await change('orderPins', { pinnedIDs: [] })).toEqual([b, c, a])
  })

  test('do not include what the person can no longer see, and keep its place', async () => {
    const { change, pins, post, operator, privateGroup, nora, generalGroupID } = await makePins()
    const member = { groupID: privateGroup.id, userIDs: [nora.id] }
    await addMembers(operator, member)
    const threadID = await post('Seen')
    await change('pinGroup', { groupID: privateGroup.id })
    await change('pinThread', { threadID })
    await removeMembers(operator, member)
    expect(await pins()).toEqual([threadID])
    expect(await change('pinGroup', { groupID: generalGroupID })).toEqual([threadID, generalGroupID])
    await addMembers(operator, member)
    expect(await pins()).toEqual([privateGroup.id, threadID, generalGroupID])
  })

  test('have each its own place if the person pins several things at the same time', async () => {
    const { change, pins, post } = await makePins()
    const ids = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(post))
    await Promise.all([...ids, ...ids].map((threadID) => change('pinThread', { threadID })))
    expect((await pins()).toSorted()).toEqual(ids.toSorted())
    const before = await pins()
    await Promise.all([
      change('unpinThread', { threadID: before[1] }),
      change('orderPins', { pinnedIDs: [before[4], before[0]] }),
      change('unpinThread', { threadID: before[2] }),
    ])
    expect(await pins()).toEqual([before[4], before[0], before[3]])
  })

  test('are at most 100, and those that the person can no longer see make room', async () => {
    const { change, post, pins, nora, operator, workspaceID, publicGroup, privateGroup } = await makePins()
    const member = { groupID: privateGroup.id, userIDs: [nora.id] }
    await addMembers(operator, member)
    await operator.db.$executeRawUnsafe(
      `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id) SELECT $1, 'thr_' || lpad(n::text, 27, '0'), 'thread', 'x', $2 FROM generate_series(1, 99) AS n`,
      workspaceID,
      nora.id,
    )
    await operator.db.$executeRawUnsafe(
      `INSERT INTO recipients (workspace_id, thread_id, group_id) SELECT $1, 'thr_' || lpad(n::text, 27, '0'), $2 FROM generate_series(1, 99) AS n`,
      workspaceID,
      privateGroup.id,
    )
    await operator.db.$executeRawUnsafe(
      `INSERT INTO pins (workspace_id, user_id, thread_id, place) SELECT $1, $2, 'thr_' || lpad(n::text, 27, '0'), n FROM generate_series(1, 99) AS n`,
      workspaceID,
      nora.id,
    )
    const [last, more] = [await post('Last'), await post('More')]
    const pin = (threadID: string) => nora.ask(mutation('pinThread', '__typename'), { input: { threadID } })
    const answers = await Promise.all([pin(last), pin(more)])
    expect(answers.flatMap(({ errors }) => codeOf(errors) ?? [])).toEqual(['PIN_LIMIT'])
    const seen = await pins()
    const pinned = seen[99]
    expect([last, more]).toContain(pinned)
    // A pin that exists is no further one.
    expect(await change('pinThread', { threadID: pinned })).toEqual(seen)
    await removeMembers(operator, member)
    expect(await pins()).toEqual([pinned])
    expect(await change('pinGroup', { groupID: publicGroup.id })).toEqual([pinned, publicGroup.id])
    await addMembers(operator, member)
    expect(await pins()).toEqual([pinned, publicGroup.id])
    const tooMany = Array.from({ length: 101 }, () => publicGroup.id)
    const refused = await nora.ask(mutation('orderPins', '__typename'), { input: { pinnedIDs: tooMany } })
    expect(codeOf(refused.errors)).toEqual(['INVALID_INPUT'])
  })

  test('are only for people, and private', async () => {
    const { change, post, app, nora, ada, as } = await makePins()
    const { data: start } = await nora.ask('{ latestEventCursor }')
    const threadID = await post('Mine')
    await change('pinThread', { threadID })
    const refused = await service.graphql(app.token, mutation('pinThread', '__typename'), {
      input: { threadID },
    })
    expect(codeOf(refused.errors)).toEqual(['FORBIDDEN'])
    const query = 'query ($id: ID!) { thread(id: $id) { isPinned } viewer { pins { __typename } } }'
    const { data } = await service.graphql(app.token, query, { id: threadID })
    expect(data).toEqual({ thread: { isPinned: false }, viewer: { pins: [] } })
    await say(as(ada.id), threadID, 'the last event')
    const events = 'query ($after: String) { events(after: $after) { nodes { type } } }'
    const types = async () =>
      (await nora.ask(events, { after: start.latestEventCursor })).data.events.nodes.map(
        ({ type }: { type: string }) => type,
      )
    await expect.poll(async () => (await types()).at(-1)).toBe('messageCreated')
    expect(await types()).toEqual(['threadCreated', 'messageCreated', 'messageCreated'])
  })

  test('of groups are not shown to a program without the scope groups:read', async () => {
    const { change, post, nora, generalGroupID } = await makePins()
    const threadID = await post('Plans')
    await change('pinGroup', { groupID: generalGroupID })
    await change('pinThread', { threadID })
    const input = { name: 'Script', scopes: ['threads:read'], expiresInDays: 1 }
    const created = await nora.ask(mutation('createPersonalAccessToken', 'accessToken'), { input })
    const token = created.data.createPersonalAccessToken.accessToken
    const { data } = await service.graphql(token, `{ viewer { pins { ... on Thread { id } } } }`)
    expect(data.viewer.pins).toEqual([{ id: threadID }])
  })
})
