import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { addRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { defaultScopes } from '../../src/scopes.ts'
import { makeApp, makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()

const payload = 'thread { closedAt } messageEdges { node { event { type } } }'

const close = ({ app }: World, threadID: string, closed = true) =>
  mutated(service, app.token, 'updateThread', { threadID, closed }, payload)
const refusal = (token: string, threadID: string, change: object = { closed: true }) =>
  refused(service, token, 'updateThread', { threadID, ...change }, payload)

/** Starts a thread in the public group by a post to the webhook. */
async function webhookStarts({ webhook, publicGroup }: World): Promise<string> {
  const body = { target: publicGroup.id, threadSubject: 'Disk', text: 'x' }
  return (await postToWebhook(service, webhook.path, body)).json().threadID
}

/** Makes the app a member of the public group. */
async function makeMember() {
  const world = await makeWorld(service)
  const { operator, publicGroup, app } = world
  await addMembers(operator, { groupID: publicGroup.id, userIDs: [app.userID] })
  return world
}

function threadOf({ operator, workspaceID }: World, id: string) {
  return operator.db.thread.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

describe('an app that is a recipient can close and reopen a thread', () => {
  test('that a webhook started, as a member of a group', async () => {
    const world = await makeMember()
    const threadID = await webhookStarts(world)
    expect(await close(world, threadID)).toEqual({
      thread: { closedAt: expect.any(String) },
      messageEdges: [{ node: { event: { type: 'closed' } } }],
    })
    expect((await close(world, threadID)).messageEdges).toEqual([])
    expect((await close(world, threadID, false)).thread.closedAt).toBeNull()
  })

  test('that another app started, as a recipient itself', async () => {
    const world = await makeWorld(service)
    const { as, app, operator, workspaceID, publicGroup } = world
    const other = await makeApp(service, operator, workspaceID)
    const { thread } = await say(as(other.userID), [publicGroup.id], 'x', 'Disk')
    expect(await refusal(app.token, thread.id)).toEqual(['FORBIDDEN'])
    await addRecipients(as(other.userID), { threadID: thread.id, recipientIDs: [app.userID] })
    expect((await close(world, thread.id)).thread.closedAt).not.toBeNull()
  })

  test('with threadClosed and threadState of a message, too', async () => {
    const world = await makeMember()
    const threadID = await webhookStarts(world)
    const { app } = world
    const message = { text: 'solved', threadClosed: true, threadState: 'ok' }
    const sent = await mutated(service, app.token, 'sendMessage', { threadID, message }, 'message { id }')
    expect(await threadOf(world, threadID)).toMatchObject({ closedAt: expect.any(Date), state: 'ok' })
    const edit = { messageID: sent.message.id, threadClosed: false, threadState: 'failed' }
    await mutated(service, app.token, 'editMessage', edit, 'message { id }')
    expect(await threadOf(world, threadID)).toMatchObject({ closedAt: null, state: 'failed' })
  })
})

describe('an app cannot', () => {
  test('change anything else of such a thread', async () => {
    const world = await makeMember()
    const threadID = await webhookStarts(world)
    for (const change of [{ subject: 'New' }, { repliesOff: true }, { closed: true, recipientsLocked: true }])
      expect(await refusal(world.app.token, threadID, change)).toEqual(['FORBIDDEN'])
    expect(await threadOf(world, threadID)).toMatchObject({ subject: 'Disk', closedAt: null })
  })

  test('close a thread that a person started', async () => {
    const world = await makeMember()
    const { as, ada, app, publicGroup } = world
    const { thread } = await say(as(ada.id), [publicGroup.id], 'x', 'Disk')
    expect(await refusal(app.token, thread.id)).toEqual(['FORBIDDEN'])
    const send = { threadID: thread.id, message: { text: 'x', threadClosed: true } }
    expect(await refused(service, app.token, 'sendMessage', send, 'created')).toEqual(['FORBIDDEN'])
  })

  test('close a thread of which it is not a recipient, although it can see the thread', async () => {
    const world = await makeMember()
    const { operator, publicGroup, app } = world
    const threadID = await webhookStarts(world)
    await removeMembers(operator, { groupID: publicGroup.id, userIDs: [app.userID] })
    expect(await refusal(app.token, threadID)).toEqual(['FORBIDDEN'])
    const send = { threadID, message: { text: 'x', threadClosed: true } }
    expect(await refused(service, app.token, 'sendMessage', send, 'created')).toEqual(['FORBIDDEN'])
    const { message } = await say(world.as(app.userID), threadID, 'x')
    const edit = { messageID: message.id, threadClosed: true }
    expect(await refused(service, app.token, 'editMessage', edit, 'message { id }')).toEqual(['FORBIDDEN'])
  })

  test('close a thread of others without the scope threads:write', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, publicGroup } = world
    const app = await makeApp(service, operator, workspaceID, defaultScopes)
    await addMembers(operator, { groupID: publicGroup.id, userIDs: [app.userID] })
    const threadID = await webhookStarts(world)
    expect(await refusal(app.token, threadID)).toEqual(['INSUFFICIENT_SCOPE'])
    const send = { threadID, message: { text: 'x', threadClosed: true } }
    expect(await refused(service, app.token, 'sendMessage', send, 'created')).toEqual(['FORBIDDEN'])
  })
})

test('a person who is a recipient cannot close the thread of a webhook', async () => {
  const world = await makeWorld(service)
  const threadID = await webhookStarts(world)
  const change = updateThread(world.as(world.grace.id), { threadID, closed: true })
  await expect(change).rejects.toMatchObject({ code: 'forbidden' })
})

test('the default scopes suffice for threadClosed in a thread that the app started', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, publicGroup } = world
  const app = await makeApp(service, operator, workspaceID, defaultScopes)
  const thread = { recipients: [publicGroup.id], subject: 'Disk' }
  const sent = await mutated(
    service,
    app.token,
    'sendMessage',
    { thread, message: { text: 'x' } },
    'thread { id } message { id }',
  )
  const threadID = sent.thread.id
  const message = { text: 'y', threadClosed: true }
  await mutated(service, app.token, 'sendMessage', { threadID, message }, 'created')
  expect((await threadOf(world, threadID)).closedAt).not.toBeNull()
  const edit = { messageID: sent.message.id, threadClosed: false, threadState: 'failed' }
  await mutated(service, app.token, 'editMessage', edit, 'message { id }')
  expect(await threadOf(world, threadID)).toMatchObject({ closedAt: null, state: 'failed' })
})
