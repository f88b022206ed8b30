import { expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const selection = `created message { id } thread { id subject threadType recipients { nodes { id } }
  fromMessage { id startedThreads { nodes { id } } } }`

const startIn = (token: string, thread: object) =>
  mutated(service, token, 'sendMessage', { thread, message: { text: 'reply' } }, selection)

function recipientsOf({ thread }: { thread: { recipients: { nodes: { id: string }[] } } }): string[] {
  return thread.recipients.nodes.map(({ id }) => id).sort()
}

test('a thread and the message from which it is started link to each other', async () => {
  const { as, ada, publicGroup, app } = await makeWorld(service)
  const { message } = await say(as(ada.id), [publicGroup.id], 'hello')
  const one = await startIn(app.token, {
    recipients: [ada.id],
    subject: 'On this',
    fromMessageID: message.id,
  })
  expect(one.thread).toMatchObject({ subject: 'On this', fromMessage: { id: message.id } })
  const two = await startIn(app.token, { recipients: [], fromMessageID: message.id })
  expect(two.thread).toMatchObject({
    subject: null,
    threadType: 'thread',
    recipients: { nodes: [{ id: publicGroup.id }] },
    fromMessage: { startedThreads: { nodes: [{ id: one.thread.id }, { id: two.thread.id }] } },
  })
})

test('a started thread copies the recipients of the original thread by default, except hidden groups', async () => {
  const { as, ada, publicGroup, privateGroup, app } = await makeWorld(service)
  const dm = await say(as(ada.id), [app.userID], 'psst')
  const mixed = await say(as(ada.id), [publicGroup.id, privateGroup.id], 'both', 'S')
  const recipients = async (fromMessageID: string) =>
    recipientsOf(await startIn(app.token, { recipients: [], fromMessageID }))
  expect(await recipients(dm.message.id)).toEqual([ada.id, app.userID].sort())
  expect(await recipients(mixed.message.id)).toEqual([publicGroup.id])
})

test('a started thread does not copy recipients who are deleted users', async () => {
  const { as, ada, grace, app, operator } = await makeWorld(service)
  const { message } = await say(as(ada.id), [grace.id, app.userID], 'psst', 'S')
  const dm = await say(as(grace.id), [app.userID], 'psst')
  await deletePerson(operator, { userID: grace.id })
  const started = await startIn(app.token, { recipients: [], fromMessageID: message.id })
  expect(recipientsOf(started)).toEqual([ada.id, app.userID].sort())
  expect(recipientsOf(await startIn(app.token, { recipients: [], fromMessageID: dm.message.id }))).toEqual([
    app.userID,
  ])
})

test('threadBy starts one thread from a message for thirty concurrent calls', async () => {
  const { as, ada, publicGroup, app } = await makeWorld(service)
  const { message } = await say(as(ada.id), [publicGroup.id], 'hello')
  const thread = { recipients: [], fromMessageID: message.id, threadBy: 'k' }
  const started = await Promise.all(Array.from({ length: 30 }, () => startIn(app.token, thread)))
  expect(new Set(started.map((each) => each.thread.id)).size).toBe(1)
})

test('each link is hidden from users who cannot see its target', async () => {
  const { as, ada, grace, publicGroup, app, operator, workspaceID } = await makeWorld(service)
  const dm = await say(as(ada.id), [app.userID], 'psst')
  const open = await startIn(app.token, { recipients: [publicGroup.id], fromMessageID: dm.message.id })
  const said = await say(as(grace.id), [publicGroup.id], 'hello')
  await startIn(app.token, { recipients: [ada.id], fromMessageID: said.message.id })
  const other = await makeApp(service, operator, workspaceID)
  const answer = await service.graphql(
    other.token,
    `{ thread(id: "${open.thread.id}") { fromMessage { id } }
       node(id: "${said.message.id}") { ... on Message { startedThreads { nodes { id } } } } }`,
  )
  expect(answer).toEqual({ data: { thread: { fromMessage: null }, node: { startedThreads: { nodes: [] } } } })
})

test('no thread can be started from a message that is hidden, missing or deleted', async () => {
  const { as, ada, grace, publicGroup, app } = await makeWorld(service)
  const hidden = await say(as(ada.id), [grace.id], 'psst')
  const own = await say(as(app.userID), [publicGroup.id], 'x')
  await mutated(service, app.token, 'deleteMessage', { messageID: own.message.id }, 'message { id }')
  const refusal = (thread: object) =>
    refused(service, app.token, 'sendMessage', { thread, message: { text: 'x' } }, selection)
  for (const fromMessageID of [hidden.message.id, newID('msg'), 'x']) {
    expect(await refusal({ recipients: [publicGroup.id], fromMessageID })).toEqual(['NOT_FOUND'])
  }
  expect(await refusal({ recipients: [], fromMessageID: own.message.id })).toEqual([
    'CONFLICT',
    'thread.fromMessageID',
  ])
})
