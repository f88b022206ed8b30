import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '1' })

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const plain = { 'content-type': 'text/plain' }
const payload = (body: object) => `payload=${encodeURIComponent(JSON.stringify(body))}`

async function set(world: World, settings: object) {
  const input = { webhookID: world.webhook.id, defaultTarget: world.publicGroup.id, ...settings }
  const selection = 'webhook { format resolvedCalls restDays }'
  return (await mutated(service, operatorToken, 'updateWebhook', input, selection)).webhook
}

/** Changes the settings as another process does. */
async function setElsewhere({ operator, webhook }: World, settings: object): Promise<void> {
  const data = { ...settings, revision: { increment: 1 } }
  await operator.db.webhook.updateMany({ where: { id: webhook.id }, data })
}

function post({ webhook }: World, body: object | string, path = '', headers = {}, of = service) {
  return postToWebhook(of, webhook.path + path, body, headers)
}

function alerts(status: 'firing' | 'resolved') {
  const labels = { alertname: 'DiskFull' }
  const alert = { status, labels, startsAt: '2026-01-31T12:00:00Z', fingerprint: 'f' }
  return { groupKey: 'k', status, groupLabels: labels, commonLabels: labels, alerts: [alert] }
}

describe('the format', () => {
  test('decides how the URL itself reads bodies, and what it answers', async () => {
    const world = await makeWorld(service)
    expect(await set(world, { format: 'slack' })).toMatchObject({ format: 'slack' })
    const body = { text: 'Build <https://example.com|42>' }
    const answers = [await post(world, body), await post(world, payload(body), '', form)]
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [200, 'ok'],
      [200, 'ok'],
    ])
    const messages = await world.operator.db.message.findMany({ where: { workspaceID: world.workspaceID } })
    expect(messages.map(({ text }) => text)).toEqual([
      'Build [42](https://example.com)',
      'Build [42](https://example.com)',
    ])
    const refusals = [await post(world, {}), await post(world, body, `?target=${world.privateGroup.id}`)]
    expect(refusals.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [400, 'no_text'],
      [404, 'channel_not_found'],
    ])
  })

  test('is that of the URL only, and each format keeps its own URL', async () => {
    const world = await makeWorld(service)
    await set(world, { format: 'slack' })
    expect((await post(world, { message: 'x' }, '/json')).json().messages).toMatchObject([{ created: true }])
    expect(await set(world, { format: null })).toMatchObject({ format: null })
    expect((await post(world, { text: 'x' })).json()).toHaveProperty('messageID')
    expect((await post(world, { text: 'x' }, '/slack')).body).toBe('ok')
  })

  test('decides which media types and which size the URL accepts', async () => {
    const world = await makeWorld(service)
    await set(world, {})
    const long = { text: 'x'.repeat(300 * 1024) }
    const statuses = async () => {
      const answers = [
        await post(world, payload({ text: 'x' }), '', form),
        await post(world, 'x', '', plain),
        await post(world, long),
      ]
      return answers.map(({ statusCode }) => statusCode)
    }
    expect(await statuses()).toEqual([415, 200, 413])
    await set(world, { format: 'slack' })
    expect(await statuses()).toEqual([200, 415, 200])
  })

  test('limits a body of unknown length, too', async () => {
    const world = await makeWorld(service)
    await set(world, {})
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const send = async (format: string | null) => {
      await set(world, { format })
      const text = JSON.stringify({ text: 'x'.repeat(300 * 1024) })
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      })
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      return (await fetch(url + world.webhook.path, request)).status
    }
    expect([await send(null), await send('slack')]).toEqual([413, 200])
  })

  test('counts for the next call after a change in another process, whatever is cached here', async () => {
    const world = await makeWorld(service)
    await set(world, {})
    const bodies: [object | string, object][] = [
      [{ text: '*bold*' }, {}],
      [{ attachments: [{ fallback: 'x' }] }, {}],
      [payload({ text: 'x' }), form],
      [{ text: 'x'.repeat(300 * 1024) }, {}],
    ]
    for (const [body, headers] of bodies) {
      await setElsewhere(world, { format: null })
      expect((await post(world, { text: 'x' })).json()).toHaveProperty('messageID')
      await setElsewhere(world, { format: 'slack' })
      const answer = await post(world, body, '', headers)
      expect([answer.statusCode, answer.body]).toEqual([200, 'ok'])
    }
    await setElsewhere(world, { format: null })
    expect((await post(world, 'x', '', plain)).statusCode).toBe(200)
  })

  test('decides how a call over the limit is answered', async () => {
    const world = await makeWorld(limited)
    await setElsewhere(world, { format: 'alertmanager', defaultTarget: world.publicGroup.id })
    const answers = [
      await post(world, alerts('firing'), '', {}, limited),
      await post(world, alerts('firing'), '', {}, limited),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 503])
    expect(Number(answers[1]?.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('resolvedCalls', () => {
  test.each([
    false,
    true,
  ])('%s decides whether a resolved alert asks for attention', async (resolvedCalls) => {
    const world = await makeWorld(service)
    expect(await set(world, { resolvedCalls })).toMatchObject({ resolvedCalls })
    await post(world, alerts('firing'), '/alertmanager')
    await post(world, alerts('resolved'), '/alertmanager')
    const message = await world.operator.db.message.findFirstOrThrow({
      where: { workspaceID: world.workspaceID },
    })
    expect(message.state).toBe('ok')
    expect(message.calledAt !== null).toBe(resolvedCalls)
  })

  test('is kept if it is left out or null', async () => {
    const world = await makeWorld(service)
    await set(world, { resolvedCalls: true })
    for (const settings of [{}, { resolvedCalls: null }])
      expect(await set(world, settings)).toMatchObject({ resolvedCalls: true })
  })
})

describe('restDays', () => {
  const call = { threadBy: 'k', threadSubject: 'S', text: 'x' }
  const day = 24 * 60 * 60_000

  async function threadsOf({ operator, workspaceID }: World) {
    return operator.db.thread.findMany({ where: { workspaceID, kind: 'thread' } })
  }

  /** Closes all threads as if that had happened some days ago, and makes a call of each kind. */
  async function callsAfter(world: World, days: number): Promise<boolean[]> {
    await post(world, call)
    await post(world, alerts('firing'), '/alertmanager')
    const count = (await threadsOf(world)).length
    const created: boolean[] = []
    for (const [body, path] of [
      [call, ''],
      [alerts('firing'), '/alertmanager'],
    ] as const) {
      const closedAt = new Date(Date.now() - days * day)
      await world.operator.db.thread.updateMany({
        where: { workspaceID: world.workspaceID, kind: 'thread' },
        data: { closedAt },
      })
      expect((await post(world, body, path)).statusCode).toBe(200)
      created.push((await threadsOf(world)).length > count + created.filter(Boolean).length)
    }
    return created
  }

  test.each([
    [null, 29, [false, false]],
    [null, 31, [false, true]],
    [7, 6, [false, false]],
    [7, 8, [true, true]],
    [60, 31, [false, false]],
  ])('%s: after %i days closed, whether a call of each kind begins a new thread', async (restDays, days, expected) => {
    const world = await makeWorld(service)
    expect(await set(world, { restDays })).toMatchObject({ restDays })
    expect(await callsAfter(world, days)).toEqual(expected)
  })
})

test('bad settings are refused, each with its field', async () => {
  const { webhook } = await makeWorld(service)
  for (const restDays of [0, 366]) {
    const input = { webhookID: webhook.id, restDays }
    expect(await refused(service, operatorToken, 'updateWebhook', input, 'webhook { id }')).toEqual([
      'INVALID_INPUT',
      'restDays',
    ])
  }
})

test('a webhook is created with settings', async () => {
  const { workspaceID, publicGroup } = await makeWorld(service)
  const settings = {
    defaultTarget: publicGroup.id,
    allowedTargets: [publicGroup.id],
    format: 'json',
    resolvedCalls: true,
    restDays: 1,
  }
  const selection = 'url webhook { defaultTarget allowedTargets format resolvedCalls restDays }'
  const input = { workspaceID, name: 'Uptime', ...settings }
  const { url, webhook } = await mutated(service, operatorToken, 'createWebhook', input, selection)
  expect(webhook).toEqual(settings)
  const answer = await postToWebhook(service, new URL(url).pathname, { msg: 'down' })
  expect(answer.json().messages).toMatchObject([{ created: true }])
  const bare = await mutated(service, operatorToken, 'createWebhook', { workspaceID, name: 'B' }, selection)
  expect(bare.webhook).toEqual({
    defaultTarget: null,
    allowedTargets: [],
    format: null,
    resolvedCalls: false,
    restDays: null,
  })
})
