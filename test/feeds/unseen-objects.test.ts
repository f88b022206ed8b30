import { describe, expect, test } from 'vitest'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { scopes } from '../../src/scopes.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { makeApp, makeWorld, say, type World } from '../support/factories.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'
import { expectStatuses, makeEndpoint, makeListeningWorld, postText } from './event-endpoints.ts'

const service = await startService(allowsLoopback)
startDelivering(service)

/** Installs another app whose user is an admin of the workspace, and returns its token. */
async function makeOtherAdmin({ operator, workspaceID, generalGroupID: groupID }: World): Promise<string> {
  const { token, userID } = await makeApp(service, operator, workspaceID)
  await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
  return token
}

/** Waits until an endpoint has this many deliveries, and reads them. */
async function deliveriesFor(token: string, endpoint: { id: string }, count: number) {
  await expectStatuses(service, endpoint, Array(count).fill('succeeded'))
  const { data, errors } = await service.graphql(
    token,
    `query ($id: ID!) { deliveries(endpointID: $id) { nodes {
      type eventWorkspaceID event { type } eventWorkspace { id } thread { id } } } }`,
    { id: endpoint.id },
  )
  expect(errors).toBeUndefined()
  return data.deliveries.nodes
}

describe('a delivery that an admin reads', () => {
  test('has no event and no thread if the admin cannot see the thread', async () => {
    const { world, endpoint } = await makeListeningWorld(service)
    const { as, ada, app, workspaceID } = world
    await say(as(ada.id), [app.userID], 'secret')
    expect(await deliveriesFor(await makeOtherAdmin(world), endpoint, 1)).toEqual([
      {
        type: 'messageCreated',
        eventWorkspaceID: workspaceID,
        event: null,
        eventWorkspace: { id: workspaceID },
        thread: null,
      },
    ])
  })

  test('has no event, no thread and no workspace if the event is from another workspace', async () => {
    const { world, endpoint } = await makeListeningWorld(service, ['messageCreated', 'userUpdated'])
    const other = await makeWorld(service)
    const { operator, workspaceID, ada } = other
    await installApp(operator, { workspaceID, appID: world.app.id, scopes: [...scopes] })
    await updatePerson(operator, { userID: ada.id, name: 'Ada Lovelace' })
    await postText(service, other, 'x')
    const hidden = { eventWorkspaceID: workspaceID, event: null, eventWorkspace: null, thread: null }
    expect(await deliveriesFor(await makeOtherAdmin(world), endpoint, 2)).toEqual(
      expect.arrayContaining([
        { type: 'userUpdated', ...hidden },
        { type: 'messageCreated', ...hidden },
      ]),
    )
  })
})

test('an endpoint shows its group only to admins who are members of the private group', async () => {
  const { world, receiver } = await makeListeningWorld(service)
  const { operator, workspaceID, privateGroup, app } = world
  const { id } = await makeEndpoint(service, receiver, { appID: app.id, groupID: privateGroup.id })
  const token = await makeOtherAdmin(world)
  const groupFor = async (token: string) => {
    const document = 'query ($id: ID!) { eventEndpoint(id: $id) { groupID group { id } } }'
    return (await service.graphql(token, document, { id })).data.eventEndpoint
  }
  expect(await groupFor(token)).toEqual({ groupID: privateGroup.id, group: null })
  const { data } = await service.graphql(token, '{ me { id } }')
  await giveRole(operator, { workspaceID, groupID: privateGroup.id, userID: data.me.id, role: 'member' })
  expect((await groupFor(token)).group).toEqual({ id: privateGroup.id })
})

test('the origin of a message shows its app to an admin, and to nobody else', async () => {
  const world = await makeWorld(service)
  const { as, app, publicGroup, operator, workspaceID } = world
  const { message } = await say(as(app.userID), [publicGroup.id], 'x')
  const stranger = await makeApp(service, operator, workspaceID)
  const originFor = async (token: string) => {
    const document = 'query ($id: ID!) { node(id: $id) { ... on Message { origin { appID app { id } } } } }'
    return (await service.graphql(token, document, { id: message.id })).data.node.origin
  }
  expect(await originFor(await makeOtherAdmin(world))).toEqual({ appID: app.id, app: { id: app.id } })
  expect(await originFor(stranger.token)).toEqual({ appID: app.id, app: null })
})

test('an event shows its workspace only to callers with workspaces:read', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, operator, workspaceID } = world
  await say(as(ada.id), [publicGroup.id], 'x')
  const { token } = await makeApp(service, operator, workspaceID, ['threads:read', 'threads.messages:read'])
  const { data, errors } = await service.graphql(
    token,
    '{ events { nodes { workspaceID workspace { id } } } }',
  )
  expect(data.events.nodes).toContainEqual({ workspaceID, workspace: null })
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    requiredScope: 'workspaces:read',
  })
})
