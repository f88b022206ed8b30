import { expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const chatQuery = `query ($id: ID!) { group(id: $id) { chat {
  id subject isPeristentChat threadType recipients { nodes { id name } } } } }`

function chat({ app }: World, id: string) {
  return service.graphql(app.token, chatQuery, { id })
}

test('the chat of a group is created when it is read', async () => {
  const world = await makeWorld(service)
  const answer = await chat(world, world.publicGroup.id)
  expect(answer.data.group.chat).toEqual({
    id: expect.stringMatching(/^thr_[0-9A-Za-z]{27}$/),
    subject: null,
    isPeristentChat: true,
    threadType: 'chat',
    recipients: { nodes: [{ id: world.publicGroup.id, name: 'Builds' }] },
  })
})

test('messages of people and of webhooks go to the same chat', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, webhook } = world
  const said = await say(as(ada.id), [publicGroup.id], 'hello')
  const posted = await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'hello' })
  const { id } = (await chat(world, publicGroup.id)).data.group.chat
  expect([said.thread.id, posted.json().threadID]).toEqual([id, id])
})

test('the ID of the workspace also finds the chat of the General group', async () => {
  const world = await makeWorld(service)
  const answer = await chat(world, world.workspaceID)
  const { thread } = await say(world.as(world.grace.id), [world.workspaceID], 'hello')
  expect(answer.data.group.chat).toMatchObject({
    id: thread.id,
    recipients: { nodes: [{ id: world.generalGroupID, name: 'General' }] },
  })
})

test('concurrent reads and writes create one chat', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, operator, workspaceID } = world
  const looks = Array.from({ length: 30 }, () => chat(world, publicGroup.id))
  const writes = Array.from({ length: 10 }, () => say(as(ada.id), [publicGroup.id], 'x'))
  const [answers, said] = await Promise.all([Promise.all(looks), Promise.all(writes)])
  const ids = [...answers.map((answer) => answer.data.group.chat.id), ...said.map(({ thread }) => thread.id)]
  expect(new Set(ids).size).toBe(1)
  expect(await operator.db.thread.count({ where: { workspaceID } })).toBe(1)
})

test('concurrent reads in different orders create one chat for each group', async () => {
  const { app, operator, workspaceID } = await makeWorld(service)
  const query = (page: string) => `{ groups(${page}) { nodes { chat { id } } } }`
  const pages = ['first: 50', 'last: 50', 'first: 2', 'last: 2']
  const answers = await Promise.all(pages.map((page) => service.graphql(app.token, query(page))))
  for (const answer of answers) expect(answer).not.toHaveProperty('errors')
  expect(await operator.db.thread.count({ where: { workspaceID } })).toBe(2)
})

test('the chat of a private group is visible only to its members', async () => {
  const world = await makeWorld(service)
  const { operator, privateGroup, app } = world
  expect((await chat(world, privateGroup.id)).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  const membership = { groupID: privateGroup.id, userIDs: [app.userID] }
  await addMembers(operator, membership)
  const { id } = (await chat(world, privateGroup.id)).data.group.chat
  await removeMembers(operator, membership)
  expect((await chat(world, privateGroup.id)).data).toEqual({ group: null })
  expect(await service.graphql(app.token, 'query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({
    data: { node: null },
  })
})

test('a group has no chat for the operator, and none is created', async () => {
  const { operator, workspaceID } = await makeWorld(service)
  const query = 'query ($id: ID!) { workspace(id: $id) { groups { nodes { chat { id } } } } }'
  const answer = await service.graphql(operatorToken, query, { id: workspaceID })
  expect(answer.data.workspace.groups.nodes).toEqual([{ chat: null }, { chat: null }, { chat: null }])
  expect(await operator.db.thread.count({ where: { workspaceID } })).toBe(0)
})
