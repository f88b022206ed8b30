import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

const edgeQuery = `query ($id: ID!) { node(id: $id) { id ... on UserEdge { persistentChatEdge { cursor node {
  id subject isPeristentChat threadType recipients { nodes { id name } } } } } } }`

function edge(token: string, ...userIDs: string[]) {
  return service.graphql(token, edgeQuery, { id: userIDs.join('-') })
}

describe('the edge of the caller and another user', () => {
  test('is found by the two IDs in either order, and its ID starts with the other user', async () => {
    const { app, ada } = await makeWorld(service)
    const [one, other] = [
      await edge(app.token, ada.id, app.userID),
      await edge(app.token, app.userID, ada.id),
    ]
    expect(one).toEqual(other)
    expect(one.data.node.id).toBe(`${ada.id}-${app.userID}`)
    expect(one.data.node.persistentChatEdge).toEqual({
      cursor: expect.any(String),
      node: {
        id: expect.stringMatching(/^thr_[0-9A-Za-z]{27}$/),
        subject: null,
        isPeristentChat: true,
        threadType: 'chat',
        recipients: {
          nodes: expect.arrayContaining([
            { id: ada.id, name: 'Ada' },
            { id: app.userID, name: 'Robot' },
          ]),
        },
      },
    })
    expect(one.data.node.persistentChatEdge.node.recipients.nodes).toHaveLength(2)
  })

  test('has the DM for messages between the two users', async () => {
    const { app, ada, as } = await makeWorld(service)
    const said = await say(as(ada.id), [app.userID], 'hello')
    const answer = await edge(app.token, ada.id, app.userID)
    expect(answer.data.node.persistentChatEdge.node.id).toBe(said.thread.id)
  })

  test('has a cursor that works in the list of threads', async () => {
    const { app, ada, grace } = await makeWorld(service)
    const first = (await edge(app.token, ada.id, app.userID)).data.node.persistentChatEdge
    const second = (await edge(app.token, grace.id, app.userID)).data.node.persistentChatEdge
    const after = 'query ($after: String) { threads(after: $after) { nodes { id } } }'
    const answer = await service.graphql(app.token, after, { after: first.cursor })
    expect(answer.data.threads.nodes).toEqual([{ id: second.node.id }])
  })

  test('has one DM for concurrent requests of both users', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const other = await makeApp(service, operator, workspaceID)
    const asked = Array.from({ length: 30 }, (_, turn) =>
      edge(turn % 2 === 0 ? app.token : other.token, app.userID, other.userID),
    )
    const answers = await Promise.all(asked)
    const ids = answers.map((answer) => answer.data.node.persistentChatEdge.node.id)
    expect(new Set(ids).size).toBe(1)
    expect(await operator.db.thread.count({ where: { workspaceID } })).toBe(1)
  })

  test('creates one DM with each of thirty users in concurrent requests', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const people = await Promise.all(
      Array.from({ length: 30 }, (_, number) => createPerson(operator, { workspaceID, name: `P${number}` })),
    )
    const ids = people.map((person) => `${person.id}-${app.userID}`)
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on UserEdge { persistentChatEdge { node { id } } } } }'
    const orders = [ids, [...ids].reverse(), ids, [...ids].reverse()]
    const answers = await Promise.all(
      orders.map((order) => service.graphql(app.token, query, { ids: order })),
    )
    for (const answer of answers) expect(answer).not.toHaveProperty('errors')
    expect(await operator.db.thread.count({ where: { workspaceID, kind: 'dm' } })).toBe(30)
  })
})

describe('there is no edge', () => {
  test('of the caller with itself', async () => {
    const { app } = await makeWorld(service)
    expect(await edge(app.token, app.userID, app.userID)).toEqual({ data: { node: null } })
  })

  test('with a user who does not exist, or who is in another workspace', async () => {
    const [{ app }, other] = [await makeWorld(service), await makeWorld(service)]
    for (const id of [newID('usr'), other.ada.id, other.app.userID]) {
      expect(await edge(app.token, id, app.userID)).toEqual({ data: { node: null } })
      expect(await edge(app.token, app.userID, id)).toEqual({ data: { node: null } })
    }
  })

  test('for an ID that does not have the form of an edge ID', async () => {
    const { app, ada } = await makeWorld(service)
    for (const id of [
      `${app.userID}-`,
      `${app.userID}-x`,
      `${app.userID}--${ada.id}`,
      `${app.userID}-${ada.id}-${ada.id}`,
      `${app.userID} ${ada.id}`,
      `${app.userID}-${newID('grp')}`,
    ]) {
      expect(await edge(app.token, id)).toEqual({ data: { node: null } })
    }
  })
})

test('a caller without a valid token gets no edge', async () => {
  const { app, ada } = await makeWorld(service)
  const answer = await edge('none', ada.id, app.userID)
  expect(answer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
})

describe('an edge of two other users', () => {
  test('is forbidden, whether or not they exist', async () => {
    const { app, ada, grace } = await makeWorld(service)
    for (const ids of [
      [ada.id, grace.id],
      [ada.id, ada.id],
      [newID('usr'), newID('usr')],
    ]) {
      const answer = await edge(app.token, ...ids)
      expect(answer.data).toEqual({ node: null })
      expect(answer.errors).toMatchObject([{ path: ['node'], extensions: { code: 'FORBIDDEN' } }])
    }
  })

  test('does not affect other nodes of the same request', async () => {
    const { app, ada, grace } = await makeWorld(service)
    const ids = [ada.id, `${ada.id}-${grace.id}`, app.userID]
    const answer = await service.graphql(app.token, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids,
    })
    expect(answer.data).toEqual({ nodes: [{ id: ada.id }, null, { id: app.userID }] })
    expect(answer.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: 'FORBIDDEN' } }])
  })
})

test('no DM is created with a deleted user, but an existing DM stays', async () => {
  const world = await makeWorld(service)
  const { operator, ada, grace, app } = world
  const edgeOf = (userID: string) =>
    `{ node(id: "${userID}-${app.userID}") { ... on UserEdge { persistentChatEdge { node { id } } } } }`
  const before = await service.graphql(app.token, edgeOf(ada.id))
  await deletePerson(operator, { userID: ada.id })
  await deletePerson(operator, { userID: grace.id })
  expect(await service.graphql(app.token, edgeOf(ada.id))).toEqual(before)
  expect(await service.graphql(app.token, edgeOf(grace.id))).toEqual({
    data: { node: { persistentChatEdge: null } },
  })
})
