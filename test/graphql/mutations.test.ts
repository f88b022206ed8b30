import {
  buildASTSchema,
  type GraphQLField,
  isCompositeType,
  isInputObjectType,
  isNonNullType,
  parse,
  printSchema,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { makeApp, makeWorld, redirectURI, say } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const schema = buildASTSchema(parse([...typeDefs, ...operatorTypeDefs].join('\n')))
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})

/** Runs a mutation and returns its payload. */
async function run(token: string, name: string, input: object, selection: string) {
  const type = schema.getMutationType()?.getFields()[name]?.args[0]?.type
  const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} } }`
  const answer = await service.graphql(token, query, { input })
  expect(answer.errors).toBeUndefined()
  return answer.data[name]
}

const operate = (name: string, input: object, selection: string) => run(operatorToken, name, input, selection)

test.each(
  mutations.map((field): [string, GraphQLField<unknown, unknown>] => [field.name, field]),
)('%s has one required input with fields of its own, or no argument', (_name, { args, type }) => {
  expect(args.map(({ name }) => name)).toEqual(args.length === 0 ? [] : ['input'])
  for (const { type: input } of args) {
    const given = isNonNullType(input) && isInputObjectType(input.ofType) && input.ofType
    expect(Object.keys(given ? given.getFields() : {})).not.toEqual([])
  }
  expect(isCompositeType(type)).toBe(true)
})

test('no type has clientMutationId', () => {
  expect(printSchema(schema)).not.toContain('clientMutationId')
})

const edge = 'cursor node { id }'

/** Reads a list of the workspace as the operator, and returns its edges. */
async function edgesOf(workspaceID: string, list: string): Promise<object[]> {
  const query = `query ($id: ID!) { workspace(id: $id) { ${list} { edges { ${edge} } } } }`
  return (await service.graphql(operatorToken, query, { id: workspaceID })).data.workspace[list].edges
}

describe('a payload has the edges to add to lists, and the IDs to remove from them:', () => {
  test('createWorkspace, createStarterWorkspace', async () => {
    const created = await operate('createWorkspace', { name: 'W' }, `workspaceEdge { ${edge} }`)
    const document = `mutation { createStarterWorkspace { workspaceEdge { ${edge} } } }`
    const starter = (await service.graphql(operatorToken, document)).data.createStarterWorkspace
    const query = `{ workspaces(last: 100) { edges { ${edge} } } }`
    const { edges } = (await service.graphql(operatorToken, query)).data.workspaces
    expect(edges).toContainEqual(created.workspaceEdge)
    expect(edges).toContainEqual(starter.workspaceEdge)
  })

  test('createUser, deleteUser', async () => {
    const { workspaceID } = await makeWorld(service)
    const { userEdge } = await operate('createUser', { workspaceID, name: 'U' }, `userEdge { ${edge} }`)
    expect(await edgesOf(workspaceID, 'users')).toContainEqual(userEdge)
    const userID = userEdge.node.id
    const deleted = await operate('deleteUser', { userID }, 'removedUserID')
    expect(deleted).toEqual({ removedUserID: userID })
    expect(await edgesOf(workspaceID, 'users')).not.toContainEqual(userEdge)
  })

  test('createGroup', async () => {
    const { workspaceID } = await makeWorld(service)
    const created = await operate('createGroup', { workspaceID, name: 'G' }, `groupEdge { ${edge} }`)
    expect(await edgesOf(workspaceID, 'groups')).toContainEqual(created.groupEdge)
  })

  test('createApp, uninstallApp, installApp, deleteApp', async () => {
    const { workspaceID } = await makeWorld(service)
    const input = { workspaceID, name: 'A', redirectURIs: [redirectURI] }
    const entering = `installationEdge { ${edge} } userEdge { ${edge} }`
    const created = await operate('createApp', input, `appEdge { ${edge} } ${entering}`)
    const lists = { appEdge: 'apps', installationEdge: 'installations', userEdge: 'users' }
    for (const [name, list] of Object.entries(lists)) {
      expect(await edgesOf(workspaceID, list)).toContainEqual(created[name])
    }
    const appID = created.appEdge.node.id
    const [removedInstallationID, removedUserID] = [`${appID}-${workspaceID}`, created.userEdge.node.id]
    expect(created.installationEdge.node.id).toBe(removedInstallationID)

    const leaving = 'removedInstallationID removedUserID'
    const uninstalled = await operate('uninstallApp', { workspaceID, appID }, leaving)
    expect(uninstalled).toEqual({ removedInstallationID, removedUserID })
    expect(await edgesOf(workspaceID, 'installations')).not.toContainEqual(created.installationEdge)

    const installed = await operate('installApp', { workspaceID, appID }, entering)
    expect(await edgesOf(workspaceID, 'installations')).toContainEqual(installed.installationEdge)
    expect(installed.userEdge).toEqual(created.userEdge)

    const all = 'removedAppID removedInstallationIDs removedUserIDs'
    expect(await operate('deleteApp', { appID }, all)).toEqual({
      removedAppID: appID,
      removedInstallationIDs: [removedInstallationID],
      removedUserIDs: [removedUserID],
    })
  })

  test('createWebhook, deleteWebhook', async () => {
    const { workspaceID } = await makeWorld(service)
    const entering = `webhookEdge { ${edge} } userEdge { ${edge} }`
    const created = await operate('createWebhook', { workspaceID, name: 'H' }, entering)
    expect(await edgesOf(workspaceID, 'webhooks')).toContainEqual(created.webhookEdge)
    expect(await edgesOf(workspaceID, 'users')).toContainEqual(created.userEdge)
    const webhookID = created.webhookEdge.node.id
    expect(await operate('deleteWebhook', { webhookID }, 'removedWebhookID removedUserID')).toEqual({
      removedWebhookID: webhookID,
      removedUserID: created.userEdge.node.id,
    })
  })

  test('sendMessage, for both orders of the list of threads', async () => {
    const { app, publicGroup } = await makeWorld(service)
    const input = { thread: { recipients: [publicGroup.id], subject: 'S' }, message: { text: 'x' } }
    const selection = `messageEdge { ${edge} } created: threadEdge { ${edge} }
      lastMessage: threadEdge(order: lastMessage) { ${edge} }`
    await run(app.token, 'sendMessage', input, selection)
    const sent = await run(app.token, 'sendMessage', input, selection)
    for (const order of ['created', 'lastMessage']) {
      const query = `{ threads(order: ${order}) { edges { ${edge} } } }`
      expect((await service.graphql(app.token, query)).data.threads.edges).toContainEqual(sent[order])
    }
    const query = `query ($id: ID!) { thread(id: $id) { messages { edges { ${edge} } } } }`
    const { data } = await service.graphql(app.token, query, { id: sent.created.node.id })
    expect(data.thread.messages.edges).toEqual([sent.messageEdge])
  })
})

test('an installation is a node only for the operator and for its own app', async () => {
  const { app, operator, workspaceID } = await makeWorld(service)
  const other = await makeApp(service, operator, workspaceID)
  const query = 'query ($id: ID!) { node(id: $id) { __typename id ... on Installation { app { id } } } }'
  const id = `${app.id}-${workspaceID}`
  for (const token of [operatorToken, app.token]) {
    const { data } = await service.graphql(token, query, { id })
    expect(data.node).toEqual({ __typename: 'Installation', id, app: { id: app.id } })
  }
  expect((await service.graphql(other.token, query, { id })).data).toEqual({ node: null })
  const elsewhere = `${app.id}-${(await makeWorld(service)).workspaceID}`
  expect((await service.graphql(operatorToken, query, { id: elsewhere })).data).toEqual({ node: null })
  await operate('uninstallApp', { workspaceID, appID: app.id }, 'removedUserID')
  expect((await service.graphql(operatorToken, query, { id })).data).toEqual({ node: null })
})

test('the cursor of a payload edge works in its list', async () => {
  const world = await makeWorld(service)
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'before', 'S')
  const input = { threadID: thread.id, message: { text: 'here' } }
  const { messageEdge } = await run(world.app.token, 'sendMessage', input, `messageEdge { ${edge} }`)
  await say(world.as(world.ada.id), thread.id, 'after')
  const query = `query ($id: ID!, $at: String) { thread(id: $id) {
    after: messages(after: $at) { nodes { text } } before: messages(before: $at) { nodes { text } } } }`
  const { data } = await service.graphql(world.app.token, query, { id: thread.id, at: messageEdge.cursor })
  expect(data.thread.after.nodes).toEqual([{ text: 'after' }])
  expect(data.thread.before.nodes).toEqual([{ text: 'before' }])
})
