import { describe, expect, test } from 'vitest'
import { hashSecret, newSecret } from '../../src/platform/secrets/secrets.ts'
import { makeWorld, postToWebhook, uploadToWebhook, type World } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const hourMs = 60 * 60_000

async function change({ webhook }: World, name: string, input: object = {}) {
  const selection = `webhook { id previousKeyEndsAt expiresAt } ${name === 'rotateWebhookKey' ? 'url' : ''}`
  return mutated(service, operatorToken, name, { webhookID: webhook.id, ...input }, selection)
}

/** Gives the webhook a new key, and returns the path of its new URL. */
async function rotate(world: World, overlapHours?: number): Promise<string> {
  return new URL((await change(world, 'rotateWebhookKey', { overlapHours })).url).pathname
}

async function statusesOf({ publicGroup }: World, ...paths: string[]): Promise<number[]> {
  const body = { target: publicGroup.id, text: 'x' }
  const answers = await Promise.all(paths.map((path) => postToWebhook(service, path, body)))
  return answers.map(({ statusCode }) => statusCode)
}

/** Returns the statuses of all kinds of calls. */
async function allStatuses(world: World, path: string): Promise<number[]> {
  const to = { target: world.publicGroup.id, text: 'x' }
  const bodies = [to, { ...to, threadSubject: 'S' }, { ...to, text: ' ' }]
  const posts = await Promise.all(bodies.map((body) => postToWebhook(service, path, body)))
  const upload = await uploadToWebhook(service, path, 'bytes')
  return [...posts, upload].map(({ statusCode }) => statusCode)
}

async function set({ operator, webhook }: World, data: object): Promise<void> {
  await operator.db.webhook.updateMany({ where: { id: webhook.id }, data })
}

const past = new Date('2026-01-01')
const future = new Date('2999-01-01')

describe('a rotation', () => {
  test('with overlapHours keeps the old URL for this time, and says until when', async () => {
    const world = await makeWorld(service)
    const { webhook } = world
    const [{ now }] = await world.operator.db.$queryRaw<[{ now: Date }]>`SELECT now() AS now`
    const rotated = await change(world, 'rotateWebhookKey', { overlapHours: 24 })
    const hours = (Date.parse(rotated.webhook.previousKeyEndsAt) - now.getTime()) / hourMs
    expect([hours >= 24, hours < 25]).toEqual([true, true])
    expect(await statusesOf(world, webhook.path, new URL(rotated.url).pathname)).toEqual([200, 200])
    expect(await allStatuses(world, webhook.path)).toEqual([200, 200, 400, 200])
  })

  test('ends the oldest of three keys', async () => {
    const world = await makeWorld(service)
    const paths = [world.webhook.path, await rotate(world, 24), await rotate(world, 24)]
    expect(await statusesOf(world, ...paths)).toEqual([404, 200, 200])
    expect(await statusesOf(world, ...paths, await rotate(world))).toEqual([404, 404, 404, 200])
  })

  test.each([undefined, 0])('with the overlap %s ends the old key immediately', async (overlapHours) => {
    const world = await makeWorld(service)
    const [old] = [world.webhook.path, await statusesOf(world, world.webhook.path)]
    const { webhook, url } = await change(world, 'rotateWebhookKey', { overlapHours })
    expect(webhook.previousKeyEndsAt).toBeNull()
    expect(await statusesOf(world, old, new URL(url).pathname)).toEqual([404, 200])
  })

  test('in another process takes effect, also while the old key is cached here', async () => {
    const world = await makeWorld(service)
    const { webhook } = world
    expect(await statusesOf(world, webhook.path)).toEqual([200])
    const { keyHash } = await world.operator.db.webhook.findFirstOrThrow({ where: { id: webhook.id } })
    const key = newSecret()
    await set(world, { keyHash: hashSecret(key), previousKeyHash: keyHash, previousKeyEndsAt: future })
    const rotated = `/webhook/${webhook.id}/${key}`
    expect(await statusesOf(world, webhook.path, rotated)).toEqual([200, 200])
    await set(world, { previousKeyHash: null, previousKeyEndsAt: null })
    expect(await statusesOf(world, webhook.path, rotated)).toEqual([404, 200])
  })

  test('of a webhook that is not cached keeps the old URL, too', async () => {
    const world = await makeWorld(service)
    const { keyHash } = await world.operator.db.webhook.findFirstOrThrow({ where: { id: world.webhook.id } })
    const previous = { previousKeyHash: keyHash, previousKeyEndsAt: future }
    await set(world, { keyHash: hashSecret(newSecret()), ...previous })
    expect(await statusesOf(world, world.webhook.path)).toEqual([200])
  })
})

describe('the previous key', () => {
  test('is refused everywhere after its end, even if it is cached', async () => {
    const world = await makeWorld(service)
    const { webhook } = world
    const rotated = await rotate(world, 24)
    expect(await allStatuses(world, webhook.path)).toEqual([200, 200, 400, 200])
    await set(world, { previousKeyEndsAt: past })
    expect(await allStatuses(world, webhook.path)).toEqual([404, 404, 404, 404])
    expect(await allStatuses(world, rotated)).toEqual([200, 200, 400, 200])
  })

  test('is refused in a batch in which calls with the new key succeed', async () => {
    const world = await makeWorld(service)
    const rotated = await rotate(world, 24)
    const paths = Array.from({ length: 20 }, (_, index) => (index % 2 ? world.webhook.path : rotated))
    expect(new Set(await statusesOf(world, ...paths))).toEqual(new Set([200]))
    await set(world, { previousKeyEndsAt: past })
    expect(await statusesOf(world, ...paths)).toEqual(paths.map((path) => (path === rotated ? 200 : 404)))
  })

  test('ends immediately by endPreviousWebhookKey, which changes nothing the second time', async () => {
    const world = await makeWorld(service)
    const rotated = await rotate(world, 168)
    expect(await statusesOf(world, world.webhook.path, rotated)).toEqual([200, 200])
    for (const _time of ['first', 'second']) {
      const { webhook } = await change(world, 'endPreviousWebhookKey')
      expect(webhook.previousKeyEndsAt).toBeNull()
      expect(await statusesOf(world, world.webhook.path, rotated)).toEqual([404, 200])
    }
  })
})

test('an overlap from 0 to 168 hours is accepted, and no other', async () => {
  const { webhook } = await makeWorld(service)
  for (const overlapHours of [-1, 169]) {
    const input = { webhookID: webhook.id, overlapHours }
    expect(await refused(service, operatorToken, 'rotateWebhookKey', input, 'url')).toEqual([
      'INVALID_INPUT',
      'overlapHours',
    ])
  }
})

describe('a webhook that expires', () => {
  test('responds after this time as if it were disabled, even if it is cached, until the time is removed', async () => {
    const world = await makeWorld(service)
    const { path } = world.webhook
    const { webhook } = await change(world, 'updateWebhook', { expiresAt: '2999-01-01T12:00:00+01:00' })
    expect(webhook.expiresAt).toBe('2999-01-01T11:00:00.000Z')
    expect(await allStatuses(world, path)).toEqual([200, 200, 400, 200])
    await set(world, { expiresAt: past })
    expect(await allStatuses(world, path)).toEqual([404, 404, 404, 404])
    const named = await change(world, 'updateWebhook', { name: 'Expired' })
    expect(named.webhook.expiresAt).toBe(past.toISOString())
    expect((await change(world, 'updateWebhook', { expiresAt: null })).webhook.expiresAt).toBeNull()
    expect(await allStatuses(world, path)).toEqual([200, 200, 400, 200])
  })

  test('can be created so, but not with a time in the past', async () => {
    const { workspaceID, webhook } = await makeWorld(service)
    const input = { workspaceID, name: 'Sprint', expiresAt: future }
    const created = await mutated(service, operatorToken, 'createWebhook', input, 'webhook { expiresAt }')
    expect(created.webhook.expiresAt).toBe(future.toISOString())
    for (const [name, own] of [
      ['createWebhook', { workspaceID, name: 'Late' }],
      ['updateWebhook', { webhookID: webhook.id }],
    ] as const) {
      const late = { ...own, expiresAt: past }
      const code = await refused(service, operatorToken, name, late, 'webhook { id }')
      expect(code).toEqual(['INVALID_INPUT', 'expiresAt'])
    }
  })
})
