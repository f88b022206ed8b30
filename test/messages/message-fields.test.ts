import { expect, test } from 'vitest'
import { makeApp, makeWorld, postToWebhook, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

async function fieldsOf(token: string, messageID: string, selection: string) {
  const answer = await service.graphql(
    token,
    `{ node(id: "${messageID}") { ... on Message { ${selection} } } }`,
  )
  expect(answer).not.toHaveProperty('errors')
  return answer.data.node
}

test('a message has its thread', async () => {
  const { as, ada, publicGroup, app } = await makeWorld(service)
  const { thread, message } = await say(as(ada.id), [publicGroup.id], 'x', 'S')
  expect(await fieldsOf(app.token, message.id, 'thread { id subject }')).toEqual({
    thread: { id: thread.id, subject: 'S' },
  })
})

test('a message has its origin: a person, an app or a webhook', async () => {
  const { as, ada, publicGroup, app, webhook } = await makeWorld(service)
  const person = await say(as(ada.id), [publicGroup.id], 'x')
  const program = await say(as(app.userID), [publicGroup.id], 'x')
  const posted = await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'x' })
  const origin = async (messageID: string) =>
    (await fieldsOf(app.token, messageID, 'origin { kind appID webhookID }')).origin
  expect(await origin(person.message.id)).toEqual({ kind: 'person', appID: null, webhookID: null })
  expect(await origin(program.message.id)).toEqual({ kind: 'app', appID: app.id, webhookID: null })
  expect(await origin(posted.json().messageID)).toEqual({
    kind: 'webhook',
    appID: null,
    webhookID: webhook.id,
  })
})

test('a message lists each mention once, and a private group only for its members', async () => {
  const { as, ada, grace, publicGroup, privateGroup, app, operator, workspaceID } = await makeWorld(service)
  const stranger = await makeWorld(service)
  const mentions = [ada.id, grace.id, ada.id, publicGroup.id, privateGroup.id, stranger.ada.id]
  const text = `${mentions.map((id) => `[x](skein:${id})`).join(' ')} \`[x](skein:${app.userID})\``
  const { message } = await say(as(ada.id), [publicGroup.id], text)
  const list = async (token: string, args = '') => {
    const selection = `mentions${args} { nodes { id } pageInfo { endCursor hasNextPage } }`
    return (await fieldsOf(token, message.id, selection)).mentions
  }
  const ids = (page: { nodes: { id: string }[] }) => page.nodes.map(({ id }) => id)
  const known = [ada.id, grace.id, publicGroup.id].sort()
  expect(ids(await list(app.token))).toEqual(known)
  const first = await list(app.token, '(first: 2)')
  expect([ids(first), first.pageInfo.hasNextPage]).toEqual([known.slice(0, 2), true])
  expect(ids(await list(app.token, `(first: 2, after: "${first.pageInfo.endCursor}")`))).toEqual(
    known.slice(2),
  )
  expect(ids(await list(app.token, '(last: 1)'))).toEqual(known.slice(2))
  const leader = await makeApp(service, operator, workspaceID)
  await operator.db.groupMember.create({
    data: { workspaceID, groupID: privateGroup.id, userID: leader.userID },
  })
  expect(ids(await list(leader.token))).toEqual([...known, privateGroup.id].sort())
})

test('an app with only threads.messages:read can read messages, but not list threads', async () => {
  const { operator, workspaceID, as, ada, publicGroup } = await makeWorld(service)
  const { thread, message } = await say(as(ada.id), [publicGroup.id], 'hello', 'S')
  const { token } = await makeApp(service, operator, workspaceID, ['threads.messages:read'])
  expect(await fieldsOf(token, message.id, 'text thread { id messages { nodes { text } } }')).toEqual({
    text: 'hello',
    thread: { id: thread.id, messages: { nodes: [{ text: 'hello' }] } },
  })
  for (const query of ['{ threads { nodes { id } } }', `{ thread(id: "${thread.id}") { id } }`]) {
    const answer = await service.graphql(token, query)
    expect(answer.errors?.map(({ extensions }) => extensions.code)).toEqual(['INSUFFICIENT_SCOPE'])
  }
})
