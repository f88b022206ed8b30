import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook, type World } from '../../support/factories.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '20', MAX_FORMAT_BYTES: '16384' })

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function post(world: World, format: string, body: object | string, headers = {}, of = service) {
  return postToWebhook(of, `${world.webhook.path}/${format}?target=${world.publicGroup.id}`, body, headers)
}

function alertsOf(count: number, status: 'firing' | 'resolved') {
  const alerts = Array.from({ length: count }, (_, index) => ({
    status,
    labels: { alertname: 'DiskFull', instance: `host-${index}` },
    annotations: { summary: `Disk of host ${index} is full` },
    startsAt: '2026-01-31T12:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: `fingerprint-${index}`,
  }))
  const groupLabels = { alertname: 'DiskFull' }
  return {
    version: '4',
    groupKey: '{}:{alertname="DiskFull"}',
    status,
    groupLabels,
    commonLabels: groupLabels,
    alerts,
  }
}

async function contentOf({ operator, workspaceID }: World) {
  const threads = await operator.db.thread.findMany({ where: { workspaceID, kind: 'thread' } })
  const messages = await operator.db.message.findMany({
    where: { workspaceID },
    orderBy: { position: 'asc' },
  })
  return { threads, messages }
}

describe('Slack', () => {
  test.each([
    ['JSON', { text: 'Build <https://example.com|42> *failed* <@U1>' }, {}],
    [
      'a form',
      `payload=${encodeURIComponent('{"text":"Build <https://example.com|42> *failed* <@U1>"}')}`,
      form,
    ],
  ])('a body as %s becomes a message, and the answer is ok', async (_case, body, headers) => {
    const world = await makeWorld(service)
    const answer = await post(world, 'slack', body, headers)
    expect([answer.statusCode, answer.body]).toEqual([200, 'ok'])
    const [message] = (await contentOf(world)).messages
    expect(message?.text).toContain('[42](https://example.com)')
    expect(message?.allowMentions).toBe(false)
  })

  test('<!here> mentions the target group, unless the URL says allowMentions=false', async () => {
    const world = await makeWorld(service)
    for (const end of ['', '&allowMentions=false']) {
      const path = `${world.webhook.path}/slack?target=${world.publicGroup.id}${end}`
      expect((await postToWebhook(service, path, { text: 'Look <!here>' })).body).toBe('ok')
    }
    const { messages } = await contentOf(world)
    expect(messages.map(({ allowMentions }) => allowMentions)).toEqual([true, false])
  })

  test('errors are Slack’s own words', async () => {
    const world = await makeWorld(service)
    const answers = await Promise.all([
      post(world, 'slack', {}),
      postToWebhook(service, `${world.webhook.path}/slack?target=${world.privateGroup.id}`, { text: 'x' }),
    ])
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [400, 'no_text'],
      [404, 'channel_not_found'],
    ])
  })
})

describe('Alertmanager', () => {
  test('a resolved alert updates its message, and closes its thread', async () => {
    const world = await makeWorld(service)
    expect((await post(world, 'alertmanager', alertsOf(2, 'firing'))).json().messages).toHaveLength(2)
    const firing = await contentOf(world)
    expect(firing.threads).toMatchObject([{ subject: 'DiskFull', state: 'failed', closedAt: null }])
    expect(firing.messages).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
    await post(world, 'alertmanager', alertsOf(2, 'resolved'))
    const resolved = await contentOf(world)
    expect(resolved.threads).toMatchObject([{ state: 'ok', closedAt: expect.any(Date) }])
    expect(resolved.messages).toMatchObject([{ state: 'ok' }, { state: 'ok' }])
    await post(world, 'alertmanager', alertsOf(2, 'firing'))
    expect((await contentOf(world)).threads).toMatchObject([{ state: 'failed', closedAt: null }])
    expect((await contentOf(world)).messages).toHaveLength(2)
  })

  test('100 alerts become one message with a list, and messages that exist are updated', async () => {
    const world = await makeWorld(service)
    await post(world, 'alertmanager', alertsOf(1, 'firing'))
    const answer = await post(world, 'alertmanager', alertsOf(100, 'resolved'))
    expect([answer.statusCode, answer.json().messages.length]).toEqual([200, 2])
    const { messages, threads } = await contentOf(world)
    expect(messages).toMatchObject([{ state: 'ok' }, { state: 'ok' }])
    expect(threads).toMatchObject([{ state: 'ok', closedAt: expect.any(Date) }])
  })

  test('a call with more than 1,000 alerts updates the messages of the first 1,000 only', async () => {
    const world = await makeWorld(service)
    const firing = alertsOf(1001, 'firing')
    await post(world, 'alertmanager', { ...firing, alerts: firing.alerts.slice(999) })
    await post(world, 'alertmanager', alertsOf(1001, 'resolved'))
    const { messages } = await contentOf(world)
    expect(messages.map(({ uniqueBy, state }) => [uniqueBy?.split(' ')[0], state])).toEqual([
      ['fingerprint-999', 'ok'],
      ['fingerprint-1000', 'failed'],
      ['group', 'ok'],
    ])
  })

  test('a call over the limit is answered with 503 and Retry-After, because it is not repeated after 429', async () => {
    const world = await makeWorld(limited)
    limited.log.length = 0
    const answer = await post(world, 'alertmanager', alertsOf(25, 'firing'), {}, limited)
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true])
    expect((await contentOf(world)).messages).toEqual([])
    expect(logged()).toMatchObject([{ level: 30, msg: 'request', status: 503, code: 'rate_limited' }])
  })
})

function logged(): object[] {
  return limited.log.map((line) => JSON.parse(line))
}

test('a refused call is logged once, with its code', async () => {
  const world = await makeWorld(limited)
  limited.log.length = 0
  for (const format of ['slack', 'json']) await post(world, format, '{', {}, limited)
  expect(logged()).toMatchObject(Array(2).fill({ level: 30, status: 400, code: 'invalid_input' }))
})

describe('of the quota of the webhook', () => {
  const leftAfter = ({ headers }: { headers: object }) =>
    Number(/;r=(\d+)/.exec(new Headers({ ...headers }).get('ratelimit') ?? '')?.[1])

  test('a call takes one request for each message, and the headers name the quota once', async () => {
    const world = await makeWorld(limited)
    const { headers } = await post(world, 'alertmanager', alertsOf(5, 'firing'), {}, limited)
    expect(headers).toMatchObject({
      'ratelimit-policy': '"webhook";q=20;w=60',
      ratelimit: expect.stringMatching(/^"webhook";r=15;t=\d+$/),
    })
  })

  test('a call that is refused or skipped takes one request, like a refused call of the webhook URL itself', async () => {
    const world = await makeWorld(limited)
    const { path } = world.webhook
    const [target, hidden] = [`?target=${world.publicGroup.id}`, `?target=${world.privateGroup.id}`]
    const calls: [string, object | string][] = [
      [path + target, {}],
      [`${path}/slack${target}`, {}],
      [`${path}/json${target}`, '{'],
      [`${path}/json${target}`, {}],
      [`${path}/alertmanager${hidden}`, alertsOf(10, 'firing')],
      [`${path}/alertmanager${hidden}`, alertsOf(10, 'firing')],
    ]
    const taken: number[][] = []
    for (const [url, body] of calls) {
      const answer = await postToWebhook(limited, url, body)
      taken.push([answer.statusCode, leftAfter(answer)])
    }
    expect(taken).toEqual([
      [400, 19],
      [400, 18],
      [400, 17],
      [200, 16],
      [404, 15],
      [404, 14],
    ])
  })

  test('a call that begins again with new settings takes its requests once', async () => {
    const world = await makeWorld(limited)
    const { operator, webhook, privateGroup, publicGroup } = world
    const leftWith = async (defaultTarget: string) => {
      const data = { defaultTarget, revision: { increment: 1 } }
      await operator.db.webhook.updateMany({ where: { id: webhook.id }, data })
      const answer = await postToWebhook(limited, `${webhook.path}/alertmanager`, alertsOf(10, 'firing'))
      return [answer.statusCode, leftAfter(answer)]
    }
    expect(await leftWith(privateGroup.id)).toEqual([404, 19])
    expect(await leftWith(publicGroup.id)).toEqual([200, 9])
  })
})

test.each([
  'slack',
  'alertmanager',
  'github',
  'gitlab',
  'grafana',
  'json',
])('%s: a body with more than MAX_FORMAT_BYTES is refused', async (format) => {
  const world = await makeWorld(limited)
  const bodyOf = (length: number) => ({ alerts: [], text: 'x'.repeat(length) })
  const answers = await Promise.all(
    [15_000, 17_000].map((length) => post(world, format, bodyOf(length), {}, limited)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 413])
})

test('a flat JSON body becomes a message with a state', async () => {
  const world = await makeWorld(service)
  await post(world, 'json', { title: 'Backup', message: 'No space left', type: 'failure', host: 'a' })
  const [message] = (await contentOf(world)).messages
  expect(message).toMatchObject({ state: 'failed', text: expect.stringContaining('No space left') })
})

test('a form becomes a message like a flat JSON body', async () => {
  const world = await makeWorld(service)
  const sent = new URLSearchParams({ title: 'Build 7', status: 'SUCCESS', url: 'https://ci.example.com/7' })
  expect((await post(world, 'json', sent.toString(), form)).statusCode).toBe(200)
  const [message] = (await contentOf(world)).messages
  expect(message).toMatchObject({ state: 'ok', text: '**[Build 7](https://ci.example.com/7)**' })
})

test('the error of the plain URL names the right URL for a body of a known format', async () => {
  const world = await makeWorld(service)
  const answers = await Promise.all(
    [alertsOf(1, 'firing'), { ...alertsOf(1, 'firing'), orgId: 1 }, { blocks: [{ type: 'divider' }] }].map(
      (body) => postToWebhook(service, `${world.webhook.path}?target=${world.publicGroup.id}`, body),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400])
  const named = answers.map((answer) => /<webhook URL>\/(\w+)/.exec(answer.json().detail)?.[1])
  expect(named).toEqual(['alertmanager', 'grafana', 'slack'])
})

test.each([
  'slack',
  'alertmanager',
  'github',
  'gitlab',
  'grafana',
  'json',
])('%s: other methods are refused, and so is a thread of others', async (format) => {
  const world = await makeWorld(service)
  const path = `${world.webhook.path}/${format}`
  const answer = await service.app.inject({ method: 'PUT', url: path })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST, OPTIONS'])
  const missing = await postToWebhook(service, path, { text: 'x', message: 'x', alerts: [] })
  expect(missing.statusCode).toBe(400)
})
