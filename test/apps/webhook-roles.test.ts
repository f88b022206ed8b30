import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { newID } from '../../src/platform/ids.ts'
import type { Scope } from '../../src/scopes.ts'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService()

const create = mutation('createWebhook', 'webhook { id name user { id } creator { id } } url')
const changes = [
  'updateWebhook',
  'rotateWebhookKey',
  'endPreviousWebhookKey',
  'disableWebhook',
  'enableWebhook',
  'deleteWebhook',
].map((name) => mutation(name, 'webhook { id }'))
const list = 'query ($id: ID!) { workspace(id: $id) { webhooks { nodes { id } } } }'
const node = 'query ($id: ID!) { node(id: $id) { id } }'
const events = '{ events(first: 100, types: [webhookDeleted]) { nodes { type objectID webhook { id } } } }'
const forbidden = [{ extensions: { code: 'FORBIDDEN' } }]
const notFound = [{ extensions: { code: 'NOT_FOUND' } }]

/** Creates a world in which members may create webhooks. */
async function makeOpenWorld() {
  const world = await makeWorld(service)
  const { operator, workspaceID } = world
  await updateWorkspace(operator, { workspaceID, membersMayCreateWebhooks: true })
  return world
}

/** Creates a webhook with the credentials of a caller. */
async function made(ask: Ask, { workspaceID }: World) {
  const { data, errors } = await ask(create, { input: { workspaceID, name: newID('wbh') } })
  expect(errors).toBeUndefined()
  return { ...data.createWebhook.webhook, path: new URL(data.createWebhook.url).pathname }
}

async function listOf(ask: Ask, { workspaceID }: World): Promise<string[]> {
  const { nodes } = (await ask(list, { id: workspaceID })).data.workspace.webhooks
  return nodes.map(({ id }: { id: string }) => id)
}

describe('an admin of the workspace', () => {
  test('creates webhooks, and manages the webhooks of others', async () => {
    const world = await makeOpenWorld()
    const [admin, member] = [
      await signedIn(service, world, 'admin'),
      await signedIn(service, world, 'member'),
    ]
    const webhooks = [await made(admin.ask, world), await made(member.ask, world)]
    expect(webhooks.map(({ creator }) => creator.id)).toEqual([admin.id, member.id])
    const all = [world.webhook.id, ...webhooks.map(({ id }) => id)]
    expect(await listOf(admin.ask, world)).toEqual(all)
    for (const webhookID of all) {
      for (const change of changes)
        expect((await admin.ask(change, { input: { webhookID } })).errors).toBeUndefined()
    }
    expect(await listOf(admin.ask, world)).toEqual([])
  })

  test('has no rights in another workspace', async () => {
    const [world, { workspaceID, webhook }] = [await makeWorld(service), await makeOpenWorld()]
    const { ask } = await signedIn(service, world, 'admin')
    expect((await ask(create, { input: { workspaceID, name: 'Mine' } })).errors).toMatchObject(notFound)
    for (const change of changes)
      expect((await ask(change, { input: { webhookID: webhook.id } })).errors).toMatchObject(notFound)
    expect(await ask(node, { id: webhook.id })).toEqual({ data: { node: null } })
  })

  test('needs the scope for each request, if the admin uses a token', async () => {
    const { operator, workspaceID, generalGroupID: groupID, webhook } = await makeWorld(service)
    const tokenWith = async (scopes: Scope[]) => {
      const { token, userID } = await makeApp(service, operator, workspaceID, scopes)
      await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
      return token
    }
    const input = { workspaceID, name: 'By an app' }
    const writing = await tokenWith(['webhooks:write'])
    expect((await service.graphql(writing, create, { input })).errors).toBeUndefined()
    const reading = await tokenWith(['webhooks:read'])
    expect((await service.graphql(reading, node, { id: webhook.id })).data.node).toEqual({ id: webhook.id })
    for (const [token, query, variables] of [
      [reading, create, { input }],
      [writing, node, { id: webhook.id }],
    ] as const) {
      const { errors } = await service.graphql(token, query, variables)
      expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }])
    }
  })
})

describe('a member', () => {
  test('creates no webhook unless the workspace allows it', async () => {
    const world = await makeWorld(service)
    const { ask } = await signedIn(service, world, 'member')
    const input = { workspaceID: world.workspaceID, name: 'Mine' }
    expect((await ask(create, { input })).errors).toMatchObject(forbidden)
    expect(await listOf(ask, world)).toEqual([])
  })

  test('creates, sees and manages their own webhook if the workspace allows it', async () => {
    const world = await makeOpenWorld()
    const { ask, id } = await signedIn(service, world, 'member')
    const webhook = await made(ask, world)
    expect(webhook.creator).toEqual({ id })
    expect(await listOf(ask, world)).toEqual([webhook.id])
    expect((await ask(node, { id: webhook.id })).data.node).toEqual({ id: webhook.id })
    for (const change of changes)
      expect((await ask(change, { input: { webhookID: webhook.id } })).errors).toBeUndefined()
  })

  test('posts to a private group with their webhook only after a member of the group has added the webhook', async () => {
    const world = await makeOpenWorld()
    const { ask } = await signedIn(service, world, 'member')
    const webhook = await made(ask, world)
    const post = async () =>
      (await postToWebhook(service, webhook.path, { target: world.privateGroup.id, text: 'x' })).statusCode
    expect(await post()).toBe(404)
    await addMembers(world.as(world.ada.id), { groupID: world.privateGroup.id, userIDs: [webhook.user.id] })
    expect(await post()).toBe(200)
  })

  test('neither sees nor changes the webhooks of others', async () => {
    const world = await makeOpenWorld()
    const [member, other] = [
      await signedIn(service, world, 'member'),
      await signedIn(service, world, 'member'),
    ]
    for (const { id: webhookID } of [world.webhook, await made(other.ask, world)]) {
      for (const change of changes)
        expect((await member.ask(change, { input: { webhookID } })).errors).toMatchObject(notFound)
      expect(await member.ask(node, { id: webhookID })).toEqual({ data: { node: null } })
    }
    expect(await listOf(member.ask, world)).toEqual([])
  })

  test('sees in the event log the deletion of their own webhook but not of other webhooks, and no deletion after losing the right', async () => {
    const world = await makeOpenWorld()
    const { operator, workspaceID } = world
    const [admin, member, other] = [
      await signedIn(service, world, 'admin'),
      await signedIn(service, world, 'member'),
      await signedIn(service, world, 'member'),
    ]
    const { id: webhookID } = await made(member.ask, world)
    await admin.ask(mutation('deleteWebhook', 'webhook { id }'), { input: { webhookID } })
    const heardBy = async ({ ask }: { ask: Ask }) => (await ask(events)).data.events.nodes
    const deletion = { type: 'webhookDeleted', objectID: webhookID, webhook: null }
    expect(await heardBy(member)).toEqual([deletion])
    expect(await heardBy(admin)).toEqual([deletion])
    expect(await heardBy(other)).toEqual([])
    await updateWorkspace(operator, { workspaceID, membersMayCreateWebhooks: false })
    expect(await heardBy(member)).toEqual([])
  })

  test('loses the right when the setting is turned off, and the webhook still posts', async () => {
    const world = await makeOpenWorld()
    const { operator, workspaceID, publicGroup } = world
    const member = await signedIn(service, world, 'member')
    const { id: webhookID, path } = await made(member.ask, world)
    await updateWorkspace(operator, { workspaceID, membersMayCreateWebhooks: false })
    for (const change of changes)
      expect((await member.ask(change, { input: { webhookID } })).errors).toMatchObject(notFound)
    await deletePerson(operator, { userID: member.id })
    expect((await postToWebhook(service, path, { target: publicGroup.id, text: 'x' })).statusCode).toBe(200)
    const admin = await signedIn(service, world, 'admin')
    for (const change of changes)
      expect((await admin.ask(change, { input: { webhookID } })).errors).toBeUndefined()
  })
})
