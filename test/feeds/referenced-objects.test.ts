import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { addRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { makeApp, makeWebhook, makeWorld, say } from '../support/factories.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'
import {
  deliveriesOf,
  expectStatuses,
  makeEndpoint,
  makeListeningWorld,
  postText,
} from './event-endpoints.ts'

const service = await startService(allowsLoopback)
startDelivering(service)

async function ask(token: string, document: string, variables: object) {
  const { data, errors } = await service.graphql(token, document, variables)
  expect(errors).toBeUndefined()
  return data
}

/** Makes the user of the app an admin of the workspace. */
async function promote({
  operator,
  workspaceID,
  generalGroupID: groupID,
  app,
}: Awaited<ReturnType<typeof makeWorld>>) {
  await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
}

test('an event shows its workspace, its users and the recipients that the caller can see', async () => {
  const { as, workspaceID, app, ada, grace, publicGroup, privateGroup } = await makeWorld(service)
  const group = await createGroup(as(ada.id), { name: 'News' })
  await addMembers(as(ada.id), { groupID: group.id, userIDs: [grace.id] })
  const { thread } = await say(as(ada.id), [group.id], 'x', 'S')
  const recipientIDs = [publicGroup.id, privateGroup.id, grace.id]
  await addRecipients(as(ada.id), { threadID: thread.id, recipientIDs })
  const { events } = await ask(
    app.token,
    `query { events(types: [membersAdded, recipientsAdded]) { nodes {
      workspace { id } users { name } recipients { id } } } }`,
    {},
  )
  const workspace = { id: workspaceID }
  const shown = [publicGroup.id, grace.id].sort()
  expect(events.nodes).toMatchObject([
    { workspace, users: [{ name: 'Grace' }], recipients: null },
    { workspace, users: null },
  ])
  expect(events.nodes[1].recipients.map(({ id }: { id: string }) => id).sort()).toEqual(shown)
})

test('an event shows the object of objectID, whatever its kind is', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, as, ada, app } = world
  await promote(world)
  const group = await createGroup(operator, { workspaceID, name: 'News' })
  await updateGroup(operator, { groupID: group.id, name: 'Old news' })
  await say(as(ada.id), [group.id], 'x', 'S')
  await makeApp(service, operator, workspaceID)
  await makeWebhook(operator, workspaceID)
  const kinds = ['message', 'thread', 'group', 'user', 'app', 'webhook']
  const selection = kinds.map((kind) => `${kind} { id }`).join(' ')
  const { events } = await ask(app.token, `{ events { nodes { type objectID ${selection} } } }`, {})
  const shown: [string, string][] = events.nodes.map((event: Record<string, unknown>) => [
    event.type,
    kinds.find((kind) => (event[kind] as { id: string } | null)?.id === event.objectID),
  ])
  expect(Object.fromEntries(shown)).toEqual({
    groupCreated: 'group',
    groupUpdated: 'group',
    threadCreated: 'thread',
    messageCreated: 'message',
    userCreated: 'user',
    appInstalled: 'app',
    webhookCreated: 'webhook',
  })
})

describe('an endpoint and its deliveries', () => {
  test('show their app, group, event and thread to an admin', async () => {
    const { world, receiver, endpoint } = await makeListeningWorld(service)
    await promote(world)
    const inGroup = await makeEndpoint(service, receiver, {
      appID: world.app.id,
      groupID: world.publicGroup.id,
    })
    const document = `query ($id: ID!) { eventEndpoint(id: $id) {
      app { id } webhook { id } group { name } } }`
    const { token } = world.app
    expect(await ask(token, document, { id: endpoint.id })).toEqual({
      eventEndpoint: { app: { id: world.app.id }, webhook: null, group: null },
    })
    expect((await ask(token, document, { id: inGroup.id })).eventEndpoint.group).toEqual({
      name: world.publicGroup.name,
    })
    const { threadID, messageID } = await postText(service, world, 'x')
    await expectStatuses(service, endpoint, ['succeeded'])
    const [delivery] = await deliveriesOf(service, endpoint)
    const parts = `query ($id: ID!) { node(id: $id) { ... on EventDelivery {
      event { id message { id } } eventWorkspace { id } thread { id } } } }`
    expect((await ask(token, parts, { id: delivery?.id })).node).toEqual({
      event: { id: delivery?.eventID, message: { id: messageID } },
      eventWorkspace: { id: world.workspaceID },
      thread: { id: threadID },
    })
    expect((await ask(operatorToken, parts, { id: delivery?.id })).node).toMatchObject({
      event: null,
      eventWorkspace: { id: world.workspaceID },
      thread: null,
    })
  })

  test('show their webhook', async () => {
    const { world, receiver } = await makeListeningWorld(service)
    const { id } = await makeEndpoint(service, receiver, { webhookID: world.webhook.id })
    const document = 'query ($id: ID!) { eventEndpoint(id: $id) { app { id } webhook { id } } }'
    expect(await ask(operatorToken, document, { id })).toEqual({
      eventEndpoint: { app: null, webhook: { id: world.webhook.id } },
    })
  })
})

test('the origin of a message shows its webhook to an admin, and to nobody else', async () => {
  const world = await makeWorld(service)
  const { threadID } = await postText(service, world, 'x')
  const other = await makeApp(service, world.operator, world.workspaceID)
  await promote(world)
  const document = `query ($id: ID!) { thread(id: $id) { messages(first: 1) { nodes {
    origin { webhookID app { id } webhook { id } } } } } }`
  const originFor = async (token: string) =>
    (await ask(token, document, { id: threadID })).thread.messages.nodes[0].origin
  const { id } = world.webhook
  expect(await originFor(world.app.token)).toEqual({ webhookID: id, app: null, webhook: { id } })
  expect(await originFor(other.token)).toEqual({ webhookID: id, app: null, webhook: null })
})
