import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld, say, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const lookUps = `query ($id: ID!) {
  thread(id: $id) { id }
  node(id: $id) { id ... on Thread { messages { nodes { id } } } }
  threads { nodes { id } } }`

/** Returns whether the app sees the thread. The ID, the node and the list must agree. */
async function sees(token: string, id: string): Promise<boolean> {
  const { data, errors } = await service.graphql(token, lookUps, { id })
  const found = [
    data.thread?.id === id,
    data.node?.id === id,
    data.threads.nodes.some((node: { id: string }) => node.id === id),
  ]
  expect(new Set(found).size).toBe(1)
  expect(errors?.map((error) => error.extensions.code) ?? []).toEqual(found[0] ? [] : ['NOT_FOUND'])
  return found[0] === true
}

async function adaStarts({ as, ada }: World, ...recipients: string[]): Promise<string> {
  return (await say(as(ada.id), recipients, 'x', 'S')).thread.id
}

describe('a thread is seen by', () => {
  test('its recipients, and by nobody else', async () => {
    const world = await makeWorld(service)
    const { app, grace } = world
    expect(await sees(app.token, await adaStarts(world, app.userID))).toBe(true)
    expect(await sees(app.token, await adaStarts(world, app.userID, grace.id))).toBe(true)
    expect(await sees(app.token, await adaStarts(world, grace.id))).toBe(false)
  })

  test('everyone if a recipient is a public group or General', async () => {
    const world = await makeWorld(service)
    expect(await sees(world.app.token, await adaStarts(world, world.publicGroup.id))).toBe(true)
    expect(await sees(world.app.token, await adaStarts(world, world.workspaceID))).toBe(true)
    expect(
      await sees(world.app.token, await adaStarts(world, world.privateGroup.id, world.publicGroup.id)),
    ).toBe(true)
  })

  test('the members of a private group that is a recipient, while they are members', async () => {
    const world = await makeWorld(service)
    const { operator, app, privateGroup } = world
    const id = await adaStarts(world, privateGroup.id)
    const membership = { groupID: privateGroup.id, userIDs: [app.userID] }
    expect(await sees(app.token, id)).toBe(false)
    await addMembers(operator, membership)
    expect(await sees(app.token, id)).toBe(true)
    await removeMembers(operator, membership)
    expect(await sees(app.token, id)).toBe(false)
  })

  test('a recipient, even if another recipient is a private group that this user is not in', async () => {
    const world = await makeWorld(service)
    expect(await sees(world.app.token, await adaStarts(world, world.privateGroup.id, world.app.userID))).toBe(
      true,
    )
  })

  test('only the members of its group after the group becomes private', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, app } = world
    const group = await createGroup(operator, { workspaceID, name: 'Soon' })
    const thread = await adaStarts(world, group.id)
    const { thread: chat } = await say(world.as(world.ada.id), [group.id], 'x')
    expect([await sees(app.token, thread), await sees(app.token, chat.id)]).toEqual([true, true])
    await updateGroup(operator, { groupID: group.id, isPrivate: true })
    expect([await sees(app.token, thread), await sees(app.token, chat.id)]).toEqual([false, false])
    await addMembers(operator, { groupID: group.id, userIDs: [app.userID] })
    expect([await sees(app.token, thread), await sees(app.token, chat.id)]).toEqual([true, true])
  })

  test('the user who started it', async () => {
    const { app, grace } = await makeWorld(service)
    const input = { thread: { recipients: [grace.id], subject: 'S' }, message: { text: 'x' } }
    const { thread } = await mutated(service, app.token, 'sendMessage', input, 'thread { id }')
    expect(await sees(app.token, thread.id)).toBe(true)
  })
})

test('a DM is seen only by its two users', async () => {
  const { app, ada, grace, as } = await makeWorld(service)
  const mine = await say(as(ada.id), [app.userID], 'x')
  const theirs = await say(as(ada.id), [grace.id], 'x')
  expect(await sees(app.token, mine.thread.id)).toBe(true)
  expect(await sees(app.token, theirs.thread.id)).toBe(false)
})

test('a chat is seen by the users who can see its group', async () => {
  const { app, ada, as, publicGroup, privateGroup } = await makeWorld(service)
  const open = await say(as(ada.id), [publicGroup.id], 'x')
  const closed = await say(as(ada.id), [privateGroup.id], 'x')
  expect(await sees(app.token, open.thread.id)).toBe(true)
  expect(await sees(app.token, closed.thread.id)).toBe(false)
})

test('a hidden thread, a missing thread and an ID of another type get the same answer', async () => {
  const [world, other] = [await makeWorld(service), await makeWorld(service)]
  const hidden = await adaStarts(world, world.grace.id)
  const elsewhere = await adaStarts(other, other.workspaceID)
  const { thread: dm } = await say(world.as(world.ada.id), [world.grace.id], 'x')
  const ids = [newID('thr'), hidden, dm.id, elsewhere, 'thr_', 'x', world.ada.id, world.publicGroup.id]
  const query = 'query ($id: ID!) { thread(id: $id) { id } }'
  const answers = await Promise.all(ids.map((id) => service.graphql(world.app.token, query, { id })))
  expect(new Set(answers.map(({ data }) => JSON.stringify(data)))).toEqual(new Set(['{"thread":null}']))
  const errors = answers.map((answer) =>
    answer.errors?.map(({ message, path, extensions }) => [message, path, extensions.code]),
  )
  expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1)
  expect(errors[0]).toEqual([[expect.stringContaining('thread does not exist'), ['thread'], 'NOT_FOUND']])
})

test('a caller without a valid token and the operator cannot read threads', async () => {
  const world = await makeWorld(service)
  const id = await adaStarts(world, world.workspaceID)
  const queries = [`{ thread(id: "${id}") { id } }`, '{ threads { nodes { id } } }']
  for (const query of queries) {
    const nobody = await service.graphql('none', query)
    expect(nobody.errors?.map((error) => error.extensions.code)).toEqual(['UNAUTHENTICATED'])
    const operator = await service.graphql(operatorToken, query)
    expect(operator.errors?.map((error) => error.extensions.code)).toEqual(['FORBIDDEN'])
  }
  const node = await service.graphql(operatorToken, `{ node(id: "${id}") { id } }`)
  expect(node).toEqual({ data: { node: null } })
})
