import { afterEach, expect, test, vi } from 'vitest'
import { makeWorld, postToWebhook, uploadToWebhook, type World } from '../support/factories.ts'
import { withFailingStatement } from '../support/failing-statement.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const longAgo = new Date('2020-01-01')

afterEach(() => void vi.restoreAllMocks())

async function lastUse({ webhook }: World): Promise<string | null> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { lastUsedAt } } }'
  return (await service.graphql(operatorToken, query, { id: webhook.id })).data.node.lastUsedAt
}

function post({ webhook, publicGroup }: World, body: object = {}) {
  return postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'x', ...body })
}

/** Sets the stored time. If it is different after a later request, the request has stored the time of its use. */
async function setLastUse({ operator, webhook }: World, lastUsedAt: Date): Promise<void> {
  await operator.db.webhook.updateMany({ where: { id: webhook.id }, data: { lastUsedAt } })
}

test('the time of the last use is null before the first use, and is set by a post', async () => {
  const world = await makeWorld(service)
  expect(await lastUse(world)).toBeNull()
  const before = await world.operator.db.$queryRaw<{ now: Date }[]>`SELECT now()::timestamptz(3)`
  expect((await post(world)).statusCode).toBe(200)
  expect(Date.parse((await lastUse(world)) ?? '')).toBeGreaterThanOrEqual(Number(before[0]?.now))
})

test('the time of the last use is set by an upload', async () => {
  const world = await makeWorld(service)
  expect((await uploadToWebhook(service, world.webhook.path, 'bytes')).statusCode).toBe(200)
  expect(await lastUse(world)).toMatch(/Z$/)
})

test('the time of the last use is stored at most once in ten minutes', async () => {
  const world = await makeWorld(service)
  await post(world)
  await setLastUse(world, longAgo)
  await post(world)
  expect(await lastUse(world)).toBe(longAgo.toISOString())
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + 11 * 60_000)
  await post(world)
  expect(await lastUse(world)).not.toBe(longAgo.toISOString())
})

test('the time of the last use is visible to an admin of the workspace in the list of webhooks', async () => {
  const world = await makeWorld(service)
  await post(world)
  const { ask } = await signedIn(service, world, 'admin')
  const query = 'query ($id: ID!) { workspace(id: $id) { webhooks { nodes { lastUsedAt } } } }'
  const { nodes } = (await ask(query, { id: world.workspaceID })).data.workspace.webhooks
  expect(nodes).toEqual([{ lastUsedAt: expect.stringMatching(/Z$/) }])
})

test('the time of the last use does not change if a call is refused', async () => {
  const world = await makeWorld(service)
  expect((await post(world, { text: ' ' })).statusCode).toBe(400)
  expect((await postToWebhook(service, `${world.webhook.path}x`, { text: 'x' })).statusCode).toBe(404)
  expect((await post(world, { target: world.privateGroup.id })).statusCode).toBe(404)
  expect(await lastUse(world)).toBeNull()
})

test('a post succeeds if the time of the last use cannot be stored, and the next post stores the time', async () => {
  const world = await makeWorld(service)
  await withFailingStatement(world.operator.db, 'SET last_used_at', async () => {
    expect((await post(world)).statusCode).toBe(200)
  })
  expect(service.log.join('\n')).toContain('the last use of a webhook could not be stored')
  await post(world)
  expect(await lastUse(world)).toMatch(/Z$/)
})
