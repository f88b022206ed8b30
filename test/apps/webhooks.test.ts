import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'

const service = await startService()

const operate = (name: string, input: object, selection: string) =>
  mutate(service, operatorToken, name, input, selection)

async function change(name: string, { webhook }: World) {
  const answer = await operate(name, { webhookID: webhook.id }, 'webhook { id disabledAt deletedAt }')
  return answer.data[name].webhook
}

async function statusOf({ webhook, publicGroup }: World, path = webhook.path): Promise<number> {
  return (await postToWebhook(service, path, { target: publicGroup.id, text: 'x' })).statusCode
}

async function webhooksOf(id: string) {
  const query = `query ($id: ID!) { workspace(id: $id) { webhooks { nodes {
    id name description user { id name kind } createdAt disabledAt deletedAt } } } }`
  return (await service.graphql(operatorToken, query, { id })).data.workspace.webhooks.nodes
}

describe('createWebhook', () => {
  const selection =
    'url webhook { id name description user { id name kind groups { nodes { id } } } disabledAt deletedAt }'

  test('creates a webhook with its own user in the General group, and returns its URL', async () => {
    const world = await makeWorld(service)
    const { workspaceID, generalGroupID } = world
    const input = { workspaceID, name: ' Builds ', description: 'What broke' }
    const { webhook, url } = (await operate('createWebhook', input, selection)).data.createWebhook
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wbh_[0-9A-Za-z]{27}$/),
      name: 'Builds',
      description: 'What broke',
      user: {
        id: expect.stringMatching(/^usr_/),
        name: 'Builds',
        kind: 'webhook',
        groups: { nodes: [{ id: generalGroupID }] },
      },
      disabledAt: null,
      deletedAt: null,
    })
    const [base, id, key] = url.split(/\/webhook\/|\/(?=[\w-]+$)/)
    expect([base, id]).toEqual([service.config.webhookBaseURL, webhook.id])
    expect(key).toMatch(/^[\w-]{32,}$/)
    expect(await statusOf(world, new URL(url).pathname)).toBe(200)
  })

  test('returns a URL with the key, and no list or log contains the key', async () => {
    const { workspaceID } = await makeWorld(service)
    const { url } = (await operate('createWebhook', { workspaceID, name: 'W' }, selection)).data.createWebhook
    const key = url.split('/').at(-1)
    expect(JSON.stringify([await webhooksOf(workspaceID), service.log])).not.toContain(key)
  })

  test('names every invalid field, and returns NOT_FOUND for an unknown workspace', async () => {
    const { workspaceID } = await makeWorld(service)
    const bad = await operate(
      'createWebhook',
      { workspaceID, name: ' ', description: 'd'.repeat(1001) },
      selection,
    )
    expect(bad.errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'name' }, { field: 'description' }] } },
    ])
    const nowhere = await operate('createWebhook', { workspaceID: newID('wks'), name: 'W' }, selection)
    expect([nowhere.data, codesOf(nowhere)]).toEqual([{ createWebhook: null }, ['NOT_FOUND']])
  })
})

describe('updateWebhook', () => {
  const update = (input: object) =>
    operate('updateWebhook', input, 'webhook { id name description user { id name kind } }')

  test('changes the given fields, and the messages of the webhook show its new name', async () => {
    const world = await makeWorld(service)
    const { webhook, workspaceID, app } = world
    const { id: webhookID, userID } = webhook
    const posted = await postToWebhook(service, webhook.path, { target: workspaceID, text: 'x' })
    const change = async (input: object) => (await update({ webhookID, ...input })).data.updateWebhook.webhook
    const user = { id: userID, name: 'Deploys', kind: 'webhook' }
    const named = { id: webhookID, name: 'Deploys', description: null, user }
    expect(await change({ name: ' Deploys ' })).toEqual(named)
    expect(await change({ description: 'What runs' })).toEqual({ ...named, description: 'What runs' })
    expect(await change({ name: null })).toEqual({ ...named, description: 'What runs' })
    expect(await change({ description: null })).toEqual(named)
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { user { name } } } }'
    const seen = await service.graphql(app.token, query, { id: posted.json().messageID })
    expect(seen.data.node.user).toEqual({ name: 'Deploys' })
    expect(await statusOf(world)).toBe(200)
  })

  test('adds the changes of the webhook and of its user to the event log', async () => {
    const { operator, webhook, generalGroupID: groupID, workspaceID } = await makeWorld(service)
    const { token, userID } = await makeApp(service, operator, workspaceID)
    await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
    const latest = await service.graphql(token, '{ latestEventCursor }')
    await update({ webhookID: webhook.id, description: 'What runs' })
    await update({ webhookID: webhook.id, name: 'Deploys' })
    const query = `query ($after: String) { events(after: $after) { nodes { type objectID } } }`
    const page = await service.graphql(token, query, { after: latest.data.latestEventCursor })
    const updated = { type: 'webhookUpdated', objectID: webhook.id }
    expect(page.data.events.nodes).toEqual([
      updated,
      updated,
      { type: 'userUpdated', objectID: webhook.userID },
    ])
  })

  test('names every invalid field', async () => {
    const { webhook } = await makeWorld(service)
    const bad = await update({ webhookID: webhook.id, name: ' ', description: 'd'.repeat(1001) })
    expect(bad.errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'name' }, { field: 'description' }] } },
    ])
  })

  test('needs a token, and returns NOT_FOUND to an app that does not manage the webhook', async () => {
    const [{ webhook, app }, stranger] = [await makeWorld(service), await makeWorld(service)]
    const input = { webhookID: webhook.id, name: 'Mine' }
    const answers = await Promise.all(
      ['none', app.token, stranger.app.token].map((token) =>
        mutate(service, token, 'updateWebhook', input, 'webhook { id }'),
      ),
    )
    expect(answers.map(codesOf)).toEqual([['UNAUTHENTICATED'], ['NOT_FOUND'], ['NOT_FOUND']])
  })
})

test('rotateWebhookKey returns a new URL, and the old one immediately returns 404', async () => {
  const world = await makeWorld(service)
  const { url, webhook } = (
    await operate('rotateWebhookKey', { webhookID: world.webhook.id }, 'url webhook { id }')
  ).data.rotateWebhookKey
  expect(webhook.id).toBe(world.webhook.id)
  expect([await statusOf(world), await statusOf(world, new URL(url).pathname)]).toEqual([404, 200])
})

test('a disabled webhook returns 404 until it is enabled again', async () => {
  const world = await makeWorld(service)
  expect((await change('disableWebhook', world)).disabledAt).toMatch(/Z$/)
  expect(await statusOf(world)).toBe(404)
  expect((await webhooksOf(world.workspaceID))[0].disabledAt).toMatch(/Z$/)
  expect((await change('enableWebhook', world)).disabledAt).toBeNull()
  expect(await statusOf(world)).toBe(200)
})

test('deleteWebhook is permanent, and keeps the messages of the webhook with its name', async () => {
  const world = await makeWorld(service)
  const { webhook, workspaceID, app } = world
  const posted = await postToWebhook(service, webhook.path, { target: workspaceID, text: 'x' })
  expect((await change('deleteWebhook', world)).deletedAt).toMatch(/Z$/)
  expect(await statusOf(world)).toBe(404)
  expect(await webhooksOf(workspaceID)).toEqual([])
  const query = 'query ($id: ID!) { node(id: $id) { ... on Message { user { name kind deletedAt } } } }'
  const seen = await service.graphql(app.token, query, { id: posted.json().messageID })
  expect(seen.data.node.user).toEqual({
    name: 'Alerts',
    kind: 'webhook',
    deletedAt: expect.stringMatching(/Z$/),
  })
  for (const name of [
    'updateWebhook',
    'rotateWebhookKey',
    'endPreviousWebhookKey',
    'disableWebhook',
    'enableWebhook',
    'deleteWebhook',
  ]) {
    const answer = await operate(name, { webhookID: webhook.id }, 'webhook { id }')
    expect([answer.data, codesOf(answer)]).toEqual([{ [name]: null }, ['NOT_FOUND']])
  }
})

test('a workspace lists its webhooks in order of creation, in pages', async () => {
  const { workspaceID, webhook } = await makeWorld(service)
  for (const name of ['B', 'C']) await operate('createWebhook', { workspaceID, name }, 'url')
  const all = await webhooksOf(workspaceID)
  expect(all.map(({ name }: { name: string }) => name)).toEqual(['Alerts', 'B', 'C'])
  expect(all[0]).toMatchObject({
    id: webhook.id,
    description: null,
    user: { id: webhook.userID, kind: 'webhook' },
  })
  const query = `query ($id: ID!, $after: String) { workspace(id: $id) {
    webhooks(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }`
  const first = (await service.graphql(operatorToken, query, { id: workspaceID })).data.workspace.webhooks
  const after = first.pageInfo.endCursor
  const rest = (await service.graphql(operatorToken, query, { id: workspaceID, after })).data.workspace
    .webhooks
  expect([first.nodes.length, rest.nodes]).toEqual([2, [{ name: 'C' }]])
})
