import { expect, test } from 'vitest'
import { serveMetrics } from '../../src/http/metrics-server.ts'
import { Count, Distribution } from '../../src/platform/metrics.ts'
import { atEnd } from '../support/at-end.ts'
import { sameOrigin } from '../support/browser-session.ts'
import { makeWorld, postToWebhook, uploadToWebhook } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { samplesAt } from '../support/metrics.ts'
import { freePort } from '../support/process.ts'
import { operatorToken } from '../support/service.ts'

const service = await startLiveService()
const world = await makeWorld(service)
const port = await freePort()
atEnd(await serveMetrics({ host: '127.0.0.1', port }))
const url = `http://127.0.0.1:${port}/metrics`

const samples = () => samplesAt(url)

/** Returns how much samples grow while `act` runs. */
async function growthOf(names: string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await samples()
  await act()
  const after = await samples()
  return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0))
}

const post = (payload: object = {}) =>
  postToWebhook(service, world.webhook.path, { target: world.publicGroup.id, text: 'x', ...payload })

test('a post is counted by its route, its door and its batch', async () => {
  const names = [
    'skein_http_request_duration_seconds_count{route="/webhook/:webhookID/:key",method="POST",status="2xx"}',
    'skein_messages_total{door="webhook",result="created"}',
    'skein_write_batch_size_count{kind="messages"}',
  ]
  await post()
  expect(await growthOf(names, () => post())).toEqual([1, 1, 1])
})

test('an update is not counted as a new message', async () => {
  await post({ uniqueBy: 'build' })
  const names = [
    'skein_messages_total{door="webhook",result="created"}',
    'skein_messages_total{door="webhook",result="updated"}',
  ]
  expect(await growthOf(names, () => post({ uniqueBy: 'build', text: 'y' }))).toEqual([0, 1])
})

test('a GraphQL operation is counted by its type, outcome and caller', async () => {
  const name = (type: string, outcome: string, caller: string) =>
    `skein_graphql_operation_duration_seconds_count{type="${type}",outcome="${outcome}",caller="${caller}"}`
  const names = [name('query', 'ok', 'app'), name('query', 'partial', 'app'), name('query', 'refused', 'app')]
  const { token } = world.app
  const act = async () => {
    await service.graphql(token, '{ me { id } }')
    await service.graphql(token, `{ thread(id: "thr_${'0'.repeat(27)}") { id } }`)
    await service.graphql(token, '{ nothing }')
  }
  expect(await growthOf(names, act)).toEqual([1, 1, 1])
  const byOperator = () => service.graphql(operatorToken, '{ workspaces(first: 1) { nodes { id } } }')
  expect(await growthOf([name('query', 'ok', 'operator')], byOperator)).toEqual([1])
})

test('statements are observed, and a failed one is counted by the class of its SQLSTATE', async () => {
  const { db } = service.contextOf({ kind: 'operator' })
  const names = ['skein_db_errors_total{class="22"}', 'skein_db_statement_duration_seconds_count']
  const [failed = 0, statements = 0] = await growthOf(names, async () => {
    await db.$queryRaw`SELECT 1 / (SELECT 0)`.catch(() => undefined)
  })
  expect(failed).toBe(1)
  expect(statements).toBeGreaterThanOrEqual(1)
})

test('refused sign-ins, refusals of limits and uploaded bytes are counted', async () => {
  const limited = await startLiveService({ SIGNIN_ATTEMPTS_PER_MINUTE: '1' })
  const signIn = () =>
    limited.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=nobody%40example.com&password=wrong',
    })
  const names = [
    'skein_sign_in_total{method="password",outcome="refused"}',
    'skein_limit_refusals_total{policy="signin"}',
    'skein_upload_bytes_total',
  ]
  const act = async () => {
    expect((await signIn()).statusCode).toBe(403)
    expect((await signIn()).statusCode).toBe(429)
    await uploadToWebhook(service, world.webhook.path, 'seven b')
  }
  expect(await growthOf(names, act)).toEqual([2, 1, 7])
})

test('gauges show the open connections and that the database is up', async () => {
  const found = await samples()
  const shown = ['skein_db_up', 'skein_event_notes_waiting', 'skein_delivery_backlog'].map((name) => [
    name,
    found.get(name),
  ])
  expect(Object.fromEntries(shown)).toEqual({
    skein_db_up: 1,
    skein_event_notes_waiting: expect.any(Number),
    skein_delivery_backlog: 0,
  })
  expect(found.get('skein_db_connections{state="idle"}')).toEqual(expect.any(Number))
})

test('no label has an ID, a key or a text of a caller', async () => {
  await service.app.inject({ method: 'GET', url: '/no-such-page-of-anybody' })
  await service.app.inject({ method: 'PROPFIND', url: `/webhook/${world.webhook.path}` })
  await service.graphql(world.app.token, 'query SecretName { me { id } }')
  const text = await (await fetch(url)).text()
  expect(text).not.toMatch(/\b[a-z]{3}_[0-9A-Za-z]{27}\b|no-such-page|SecretName/)
  expect(text).not.toContain(world.webhook.path.split('/').at(-1))
})

test('only GET /metrics is answered, and the service itself has no such page', async () => {
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
  expect((await service.app.inject({ url: '/metrics' })).statusCode).toBe(404)
})

test('a request makes few calls of metrics', async () => {
  const calls: string[] = []
  const counted = [
    [Count.prototype, 'add'],
    [Distribution.prototype, 'observe'],
  ] as const
  for (const [prototype, method] of counted) {
    const original = Reflect.get(prototype, method)
    Reflect.set(prototype, method, function (this: object, ...args: unknown[]) {
      calls.push(method)
      return Reflect.apply(original, this, args)
    })
    atEnd(() => void Reflect.set(prototype, method, original))
  }
  const { app } = world
  const during = async (act: () => Promise<unknown>) => {
    await act()
    calls.length = 0
    await act()
    return calls.length
  }
  expect(await during(() => post())).toBeLessThanOrEqual(30)
  expect(await during(() => service.graphql(app.token, '{ me { id } }'))).toBeLessThanOrEqual(30)
})
