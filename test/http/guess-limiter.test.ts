import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../../src/errors.ts'
import { GuessLimiter } from '../../src/http/rate-limits/guess-limiter.ts'
import { RateLimits } from '../../src/http/rate-limits/rate-limits.ts'
import { hashSecret, newSecret, newToken } from '../../src/platform/secrets/secrets.ts'
import { testDatabase } from '../support/database.ts'
import {
  makeApp,
  makeWebhook,
  makeWorld,
  postToWebhook,
  requestToken,
  type World,
} from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, type Service, startService } from '../support/service.ts'

const settings = { WRONG_CREDENTIALS_PER_MINUTE: '10' }
const service = await startService({ ...settings, TRUST_PROXY: '127.0.0.1' })
let world: World

type Answer = Awaited<ReturnType<typeof requestToken>>
type Caller = { from?: string; on?: Service }

/** Returns the address of a caller that no other test uses. */
const newAddress = () => `10.${[...randomBytes(3)].join('.')}`
const forwarded = (from: string | undefined): Record<string, string> =>
  from === undefined ? {} : { 'x-forwarded-for': from }

const post = (path: string, { from, on = service }: Caller) =>
  postToWebhook(on, path, { target: world.publicGroup.id, text: 'x' }, forwarded(from))

const signIn = (form: Record<string, string>, { from, on = service }: Caller) =>
  requestToken(on, form, forwarded(from))

const query = (token: string, { from, on = service }: Caller) =>
  on.app.inject({
    method: 'POST',
    url: '/public/graphql',
    headers: { authorization: `Bearer ${token}`, ...forwarded(from) },
    payload: { query: '{ me { id } }' },
  })

/** Returns the number of answers with each status. */
function counted(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

const times = <T>(count: number, call: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => call(turn)))

beforeEach(async () => {
  world = await makeWorld(service)
})

describe('wrong webhook keys', () => {
  const guess = (webhookID: string, caller: Caller) => post(`/webhook/${webhookID}/${newSecret()}`, caller)

  test('for one webhook return 404 up to the limit and then 429, in sequence and in parallel', async () => {
    const { id } = world.webhook
    for (const atOnce of [1, 100]) {
      const from = newAddress()
      const answers: Answer[] = []
      for (let turn = 0; turn < 100 / atOnce; turn++)
        answers.push(...(await times(atOnce, () => guess(id, { from }))))
      expect(counted(answers)).toEqual({ 404: 10, 429: 90 })
      expect(await guess(id, { from: newAddress() })).toMatchObject({ statusCode: 404 })
    }
  })

  test('for many webhooks are limited for each address, to ten times the limit for one webhook', async () => {
    const from = newAddress()
    const answers = await times(150, () => guess(`wbh_${randomBytes(13).toString('hex')}1`, { from }))
    expect(counted(answers)).toEqual({ 404: 100, 429: 50 })
  })

  test('return Retry-After and the headers of rate limits', async () => {
    const from = newAddress()
    const { id } = world.webhook
    expect((await guess(id, { from })).headers).toMatchObject({
      'ratelimit-policy':
        '"guesses-by-address";q=100;qu="wrong credentials";w=60, "guesses";q=10;qu="wrong credentials";w=60',
      ratelimit: '"guesses-by-address";r=99;t=60, "guesses";r=9;t=60',
    })
    await times(9, () => guess(id, { from }))
    const refused = await guess(id, { from })
    expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('count each time, even if the same wrong key is sent again', async () => {
    const from = newAddress()
    const path = `${world.webhook.path}x`
    expect(counted(await times(100, () => post(path, { from })))).toEqual({ 404: 10, 429: 90 })
  })

  test('do not lock out a caller with the right key at the same address', async () => {
    const from = newAddress()
    const other = await makeWebhook(world.operator, world.workspaceID)
    expect((await post(other.path, { from })).statusCode).toBe(200)
    await times(100, () => guess(world.webhook.id, { from }))
    expect((await post(world.webhook.path, { from })).statusCode).toBe(200)
    await times(100, () => guess(`wbh_${randomBytes(13).toString('hex')}1`, { from }))
    expect((await guess(other.id, { from })).statusCode).toBe(429)
    expect((await post(other.path, { from })).statusCode).toBe(200)
  })

  test('do not lock out the new key of a webhook after its key was changed', async () => {
    const from = newAddress()
    const { id, path } = world.webhook
    expect((await post(path, { from })).statusCode).toBe(200)
    await times(100, () => guess(id, { from }))
    const { url } = await mutated(service, operatorToken, 'rotateWebhookKey', { webhookID: id }, 'url')
    const rotated = new URL(url).pathname
    expect((await post(rotated, { from })).statusCode).toBe(200)
    // Another process changes the key.
    const key = newSecret()
    await world.operator.db.webhook.updateMany({ where: { id }, data: { keyHash: hashSecret(key) } })
    await times(100, () => guess(id, { from }))
    const statusOfNewKey = async () => (await post(`/webhook/${id}/${key}`, { from })).statusCode
    await expect.poll(statusOfNewKey, { timeout: 20_000 }).toBe(200)
  })

  test('are counted, but a hundred concurrent calls with the right key are not counted', async () => {
    const from = newAddress()
    expect(counted(await times(100, () => post(world.webhook.path, { from })))).toEqual({ 200: 100 })
    expect((await guess(world.webhook.id, { from })).headers.ratelimit).toContain('"guesses";r=9')
  })
})

describe('wrong client secrets', () => {
  const guess = (form: Record<string, string>, caller: Caller) =>
    signIn({ ...form, client_secret: newSecret() }, caller)

  test('return 401 up to the limit and then 429', async () => {
    const from = newAddress()
    const answers = await times(100, () => guess(world.app.form, { from }))
    expect(counted(answers)).toEqual({ 401: 10, 429: 90 })
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toMatchObject({ error: 'temporarily_unavailable' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('do not lock out an app with the right secret at the same address', async () => {
    const from = newAddress()
    await times(100, () => guess(world.app.form, { from }))
    expect((await signIn(world.app.form, { from })).statusCode).toBe(200)
  })

  test('do not lock out the new secret of an app whose old secret is now wrong', async () => {
    const from = newAddress()
    expect((await signIn(world.app.form, { from })).statusCode).toBe(200)
    await times(100, () => guess(world.app.form, { from }))
    const input = { appID: world.app.id }
    const { clientSecret } = await mutated(
      service,
      operatorToken,
      'rotateClientSecret',
      input,
      'clientSecret',
    )
    const rotated = { ...world.app.form, client_secret: clientSecret }
    expect((await signIn(rotated, { from })).statusCode).toBe(200)
    expect((await signIn(world.app.form, { from })).statusCode).toBe(429)
    expect((await signIn(rotated, { from })).statusCode).toBe(200)
  })
})

describe('wrong access tokens', () => {
  test('always return 401, and do not lock out an app at the same address', async () => {
    const from = newAddress()
    const { token } = await makeApp(service, world.operator, world.workspaceID)
    expect(counted(await times(150, () => query(newToken(), { from })))).toEqual({ 401: 150 })
    expect((await query(token, { from })).statusCode).toBe(200)
  })
})

describe('processes that share the counters', () => {
  /** Simulates a process that knows one secret. The returned function requests a URL. */
  async function processOf(limits: RateLimits) {
    const guessLimiter = new GuessLimiter(limits, 10)
    const app = fastify()
    app.setErrorHandler((error: AppError, _request, reply) => reply.code(error.status).send())
    app.get<{ Params: { id: string; secret: string } }>('/:id/:secret', async (request, reply) => {
      const credentials = { kind: 'webhook', ...request.params } as const
      const lookUp = async () => (credentials.secret === 'right' ? true : undefined)
      return reply.code((await guessLimiter.check(request, reply, credentials, lookUp)) ? 200 : 404).send()
    })
    onTestFinished(() => app.close())
    return async (url: string) => (await app.inject(url)).statusCode
  }

  test('each look up an ID once after too many guesses, and accept the right secret', async () => {
    const limits = new RateLimits()
    const [one, other] = [await processOf(limits), await processOf(limits)]
    for (let turn = 0; turn < 10; turn++) expect(await one('/a/wrong')).toBe(404)
    expect(await one('/a/wrong')).toBe(429)
    expect(await other('/a/right')).toBe(200)
    expect(await other('/a/wrong')).toBe(429)
  })

  test('look up nothing for an address that has guessed at too many IDs', async () => {
    const limits = new RateLimits()
    const [one, other] = [await processOf(limits), await processOf(limits)]
    for (let turn = 0; turn < 100; turn++) expect(await one(`/${turn}/wrong`)).toBe(404)
    expect(await other('/new/right')).toBe(429)
  })
})

describe('the address for which wrong keys are counted', () => {
  const guess = (caller: Caller) =>
    post(`/webhook/wbh_${randomBytes(13).toString('hex')}1/${newSecret()}`, caller)

  test('comes from X-Forwarded-For only if a trusted proxy sends it', async () => {
    const direct = await startService(settings)
    const answers = await times(150, () => guess({ on: direct, from: newAddress() }))
    expect(counted(answers)).toEqual({ 404: 100, 429: 50 })
    expect(counted(await times(150, () => guess({ from: newAddress() })))).toEqual({ 404: 150 })
  })

  test('is the /64 network of an IPv6 address', async () => {
    const answers = await times(150, (turn) => guess({ from: `2001:db8:7:7::${turn.toString(16)}` }))
    expect(counted(answers)).toEqual({ 404: 100, 429: 50 })
    expect((await guess({ from: '2001:db8:7:8::1' })).statusCode).toBe(404)
  })
})

test('guesses above the limit do not query the database, and database errors do not count as guesses', async () => {
  const direct = await startService(settings, await testDatabase())
  const path = () => `/webhook/${world.webhook.id}/${newSecret()}`
  await times(10, () => post(path(), { on: direct }))
  await direct.closeDatabase()
  expect((await post(path(), { on: direct })).statusCode).toBe(429)
  const form = () => ({ ...world.app.form, client_secret: newSecret() })
  for (let turn = 0; turn < 12; turn++) {
    expect((await signIn(form(), { on: direct })).statusCode).toBeGreaterThanOrEqual(500)
  }
})
