import { describe, expect, test } from 'vitest'
import type { World } from '../../support/factories.ts'
import { freePort } from '../../support/process.ts'
import { startProxy } from '../../support/proxy.ts'
import { failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const port = await freePort()
const service = await startService({
  BASE_URL: `http://127.0.0.1:${port}`,
  WEBHOOK_RATE_PER_MINUTE: '2',
  UPLOAD_RATE_PER_MINUTE: '1',
})
const proxy = await startProxy(service, port)
const graphql = '/public/graphql'

const message = (world: World) => ({ target: world.publicGroup.id, text: 'x' })
const file = (body: string) => ({ name: 'a.txt', body: new TextEncoder().encode(body) })
const refused = {
  code: 'RATE_LIMITED',
  status: undefined,
  isTemporary: true,
  retryAfterSeconds: expect.any(Number),
}

describe('when the rate limit is exceeded', () => {
  test('a webhook does not send a post that would wait longer than its timeout', async () => {
    const { world, webhook } = await makeClients(service, proxy)
    await webhook.post(message(world))
    await webhook.post(message(world))
    const sent = proxy.seen('/webhook').length
    const error = await failureOf(webhook.post(message(world), { timeoutMs: 500 }))
    expect(error).toMatchObject(refused)
    expect(error.message).toMatch(
      /^The rate limit allows the next request in \d+ s\. This request was not sent\.$/,
    )
    expect(proxy.seen('/webhook')).toHaveLength(sent)
  })

  test('a signal ends the wait', async () => {
    const { world, webhook } = await makeClients(service, proxy)
    await webhook.post(message(world))
    await webhook.post(message(world))
    const sent = proxy.seen('/webhook').length
    const reason = new Error('Enough')
    const waiting = new AbortController()
    const posting = webhook.post(message(world), { signal: waiting.signal })
    setTimeout(() => waiting.abort(reason), 200)
    await expect(posting).rejects.toBe(reason)
    expect(proxy.seen('/webhook')).toHaveLength(sent)
  })

  test('only for uploads, the client still sends posts and queries', async () => {
    const { world, webhook, skein } = await makeClients(service, proxy)
    await webhook.upload(file('of the webhook'))
    expect(await failureOf(webhook.upload(file('another'), { timeoutMs: 500 }))).toMatchObject(refused)
    expect((await webhook.post(message(world))).created).toBe(true)
    await skein.upload(file('of the app'))
    expect(await failureOf(skein.upload(file('one more'), { timeoutMs: 500 }))).toMatchObject(refused)
    expect((await skein.me()).id).toBe(world.app.userID)
  })

  test('calls wait until the limit is reset', async () => {
    const { skein } = await makeClients(service, proxy)
    await skein.me()
    const body = JSON.stringify({ data: { me: { id: 'usr_x', name: 'X' } } })
    const headers = { ratelimit: '"requests";r=5;t=60, "cost";r=0;pk=:YQ==:;t=1' }
    proxy.next(graphql, { status: 200, headers, body })
    await skein.me()
    await Promise.all([skein.me(), skein.me()])
    const [first = 0, ...others] = proxy.seen(graphql).slice(-3)
    for (const other of others) expect(other - first).toBeGreaterThanOrEqual(990)
  })

  test('a refused call also delays other calls', async () => {
    const { skein } = await makeClients(service, proxy)
    await skein.me()
    const errors = [{ message: 'Slower.', extensions: { code: 'RATE_LIMITED' } }]
    const refusal = { status: 429, headers: { 'retry-after': '1' }, body: JSON.stringify({ errors }) }
    proxy.next(graphql, refusal)
    const error = await failureOf(skein.request('mutation { nothing }'))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    await skein.me()
    const [first = 0, second = 0] = proxy.seen(graphql).slice(-2)
    expect(second - first).toBeGreaterThanOrEqual(990)
  })
})
