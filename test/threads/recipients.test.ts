import { expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeWorld, say, type World } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

async function thread({ app }: World, id: string, selection: string) {
  const query = `query ($id: ID!) { thread(id: $id) { ${selection} } }`
  const answer = await service.graphql(app.token, query, { id })
  expect(answer).not.toHaveProperty('errors')
  return answer.data.thread
}

async function recipientIDs(world: World, id: string): Promise<string[]> {
  const { recipients } = await thread(world, id, 'recipients { nodes { id } }')
  return recipients.nodes.map((node: { id: string }) => node.id).sort()
}

test('recipients have an ID and a name, and other fields of users and groups in fragments', async () => {
  const world = await makeWorld(service)
  const { as, ada, app, publicGroup } = world
  const said = await say(as(ada.id), [app.userID, publicGroup.id], 'x', 'S')
  const plain = await thread(world, said.thread.id, 'recipients { edges { cursor node { id name } } }')
  expect(plain.recipients.edges).toEqual(
    expect.arrayContaining([
      { cursor: expect.any(String), node: { id: app.userID, name: 'Robot' } },
      { cursor: expect.any(String), node: { id: publicGroup.id, name: 'Builds' } },
    ]),
  )
  const fragments =
    'recipients { nodes { __typename ... on User { kind } ... on Group { description isPrivate } } }'
  const full = await thread(world, said.thread.id, fragments)
  expect(full.recipients.nodes).toEqual(
    expect.arrayContaining([
      { __typename: 'User', kind: 'app' },
      { __typename: 'Group', description: 'What broke', isPrivate: false },
    ]),
  )
  const asNode = await thread(world, said.thread.id, 'recipients { nodes { ... on Node { id } } }')
  expect(asNode.recipients.nodes).toHaveLength(2)
})

test('isPeristentChat, threadType, kind and recipients distinguish the kinds of threads', async () => {
  const world = await makeWorld(service)
  const { as, ada, grace, app, publicGroup } = world
  const kind = async (recipients: string[], subject?: string) => {
    const said = await say(as(ada.id), recipients, 'x', subject)
    const seen = await thread(world, said.thread.id, 'subject isPeristentChat threadType kind')
    return { ...seen, recipients: await recipientIDs(world, said.thread.id) }
  }
  const chat = { subject: null, isPeristentChat: true, threadType: 'chat' }
  const plain = { subject: 'S', isPeristentChat: false, threadType: 'thread', kind: 'thread' }
  expect(await kind([app.userID])).toEqual({
    ...chat,
    kind: 'dm',
    recipients: [ada.id, app.userID].sort(),
  })
  expect(await kind([publicGroup.id])).toEqual({ ...chat, kind: 'groupChat', recipients: [publicGroup.id] })
  expect(await kind([publicGroup.id], 'S')).toEqual({ ...plain, recipients: [publicGroup.id] })
  expect(await kind([app.userID], 'S')).toEqual({ ...plain, recipients: [ada.id, app.userID].sort() })
  const three = [app.userID, grace.id, ada.id].sort()
  expect(await kind([app.userID, grace.id])).toEqual({ ...plain, subject: null, recipients: three })
})

test('a private group is shown as a recipient only to its members', async () => {
  const world = await makeWorld(service)
  const { as, ada, app, operator, publicGroup, privateGroup } = world
  const said = await say(as(ada.id), [app.userID, publicGroup.id, privateGroup.id], 'x', 'S')
  expect(await recipientIDs(world, said.thread.id)).toEqual([app.userID, publicGroup.id].sort())
  const first = await thread(
    world,
    said.thread.id,
    'recipients(first: 2) { nodes { id } pageInfo { hasNextPage } }',
  )
  expect([first.recipients.nodes.length, first.recipients.pageInfo.hasNextPage]).toEqual([2, false])
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
  expect(await recipientIDs(world, said.thread.id)).toEqual(
    [app.userID, publicGroup.id, privateGroup.id].sort(),
  )
})

test('a deleted user is still a recipient, and is shown with their name', async () => {
  const world = await makeWorld(service)
  const { as, ada, app, grace, operator } = world
  const said = await say(as(ada.id), [app.userID, grace.id], 'x', 'S')
  await deletePerson(operator, { userID: grace.id })
  const { recipients } = await thread(
    world,
    said.thread.id,
    'recipients { nodes { name ... on User { deletedAt } } }',
  )
  expect(recipients.nodes).toContainEqual({ name: 'Grace', deletedAt: expect.any(String) })
})

test.each(['DM', 'thread'])('the recipients of a %s can be paged', async (kind) => {
  const world = await makeWorld(service)
  const { as, ada, app } = world
  const said = await say(as(ada.id), [app.userID], 'x', kind === 'thread' ? 'S' : undefined)
  const selection = (args: string) =>
    `recipients(${args}) { nodes { id } pageInfo { hasNextPage endCursor } }`
  const first = (await thread(world, said.thread.id, selection('first: 1'))).recipients
  expect(first.pageInfo.hasNextPage).toBe(true)
  const next = (await thread(world, said.thread.id, selection(`after: "${first.pageInfo.endCursor}"`)))
    .recipients
  expect([...first.nodes, ...next.nodes].map(({ id }) => id).sort()).toEqual([ada.id, app.userID].sort())
  expect(next.pageInfo.hasNextPage).toBe(false)
})
