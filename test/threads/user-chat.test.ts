import { expect, test } from 'vitest'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, postToWebhook, say } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

test('the chat of a user is the DM of the caller and this user, and concurrent requests create it only once', async () => {
  const { app, ada, operator, workspaceID, as } = await makeWorld(service)
  const ask = () => service.graphql(app.token, `{ user(id: "${ada.id}") { chat { id isPeristentChat } } }`)
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  const chats = answers.map(({ data }) => data.user.chat)
  expect(new Set(chats.map(({ id }) => id)).size).toBe(1)
  expect(await operator.db.thread.count({ where: { workspaceID, kind: 'dm' } })).toBe(1)
  const said = await say(as(ada.id), [app.userID], 'hello')
  expect(chats[0]).toEqual({ id: said.thread.id, isPeristentChat: true })
})

test('the chat is null for the caller itself, for the operator, and for a deleted user without a DM', async () => {
  const { app, ada, grace, operator, workspaceID, as } = await makeWorld(service)
  const { thread } = await say(as(ada.id), [app.userID], 'hello')
  await say(as(grace.id), [workspaceID], 'hello', 'S')
  for (const { id: userID } of [ada, grace]) await deletePerson(operator, { userID })
  const { data, errors } = await service.graphql(
    app.token,
    `{ me { chat { id } } ada: user(id: "${ada.id}") { chat { id } } grace: user(id: "${grace.id}") { chat { id } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data).toEqual({ me: { chat: null }, ada: { chat: { id: thread.id } }, grace: { chat: null } })
  const byOperator = await service.graphql(
    operatorToken,
    `{ workspace(id: "${workspaceID}") { users { nodes { chat { id } } } } }`,
  )
  expect(byOperator.errors).toBeUndefined()
  expect(byOperator.data.workspace.users.nodes).toContainEqual({ chat: null })
})

test('the chat requires the scope that lists threads, but the other fields of the user do not', async () => {
  const { ada, operator, workspaceID } = await makeWorld(service)
  const app = await makeApp(service, operator, workspaceID, ['workspaces:read'])
  const { data, errors } = await service.graphql(app.token, `{ user(id: "${ada.id}") { id chat { id } } }`)
  expect(data.user).toEqual({ id: ada.id, chat: null })
  expect(errors).toMatchObject([{ path: ['user', 'chat'] }])
})

test('the user of a UserEdge is the other user', async () => {
  const { app, ada } = await makeWorld(service)
  const query = `{ node(id: "${app.userID}-${ada.id}") { id ... on UserEdge { user { id name } } } }`
  const { data } = await service.graphql(app.token, query)
  expect(data.node).toEqual({ id: `${ada.id}-${app.userID}`, user: { id: ada.id, name: 'Ada' } })
})

test('a thread has a message count and a last message', async () => {
  const { app, ada, as, publicGroup, webhook } = await makeWorld(service)
  const { thread, message } = await say(as(ada.id), [publicGroup.id], 'one', 'S')
  const ask = async (id: string) =>
    (
      await service.graphql(
        app.token,
        `{ thread(id: "${id}") { messageCount lastMessage { id user { id } } } }`,
      )
    ).data.thread
  expect(await ask(thread.id)).toEqual({
    messageCount: 1,
    lastMessage: { id: message.id, user: { id: ada.id } },
  })
  const posted = await postToWebhook(service, webhook.path, { target: thread.id, text: 'two' })
  expect(await ask(thread.id)).toEqual({
    messageCount: 2,
    lastMessage: { id: posted.json().messageID, user: { id: webhook.userID } },
  })
  const { data } = await service.graphql(
    app.token,
    `{ group(id: "${publicGroup.id}") { chat { messageCount lastMessage { id } } } }`,
  )
  expect(data.group.chat).toEqual({ messageCount: 0, lastMessage: null })
})
