import { chmod, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { recordBackup } from '../../src/backup/last-backup.ts'
import { programOf } from '../../src/cli/program.ts'
import { atEnd } from '../support/at-end.ts'
import { type LiveService, startLiveService } from '../support/live-service.ts'
import { startMailServer } from '../support/mail-server.ts'
import { freePort } from '../support/process.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { operatorToken } from '../support/service.ts'

type Checked = { check: string; state: string; finding: string; advice?: string }

/** Runs the command with the settings of the service and these. Returns the findings, and the message of the failure. */
async function doctor({ port, dataDir }: LiveService, more: Record<string, string> = {}) {
  const written: string[] = []
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    OPERATOR_TOKEN: operatorToken,
    ...more,
  }
  const program = programOf({ env, write: (text) => written.push(text) })
  const failed = await program
    .parseAsync(['--url', 'http://127.0.0.1', 'doctor', '--json'], { from: 'user' })
    .then(
      () => undefined,
      (error: Error) => error.message,
    )
  const findings = written.map((line) => JSON.parse(line) as Checked)
  const of = (check: string) => findings.find((finding) => finding.check === check)
  const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]))
  return { findings, states, of, failed }
}

const service = await startLiveService()

test('a service that works has no failure, and each warning says what to do', async () => {
  const { findings, states, failed } = await doctor(service)
  expect(states).toEqual({
    'base URL': 'ok',
    proxy: 'ok',
    database: 'ok',
    clock: 'ok',
    // The disk of the test may be nearly full.
    storage: expect.stringMatching(/^(?:ok|warning)$/),
    keys: 'ok',
    limits: 'ok',
    mail: 'warning',
    'sign-in': 'ok',
    backup: 'warning',
  })
  expect(failed).toBeUndefined()
  const advised = findings.filter(({ state, advice }) => (state === 'ok') !== (advice === undefined))
  expect(advised).toEqual([])
})

test.skipIf(!hasRedis)(
  'a Redis server that does not answer, or refuses the password, is a failure',
  async () => {
    const redis = await startRedis({ password: 'right' })
    onTestFinished(redis.stop)
    const limitsOf = async (url: string) => (await doctor(service, { REDIS_URL: url })).of('limits')
    expect(await limitsOf(redis.url)).toMatchObject({ state: 'ok' })
    expect(await limitsOf(redis.url.replace('right', 'wrong'))).toMatchObject({
      state: 'failure',
      finding: expect.stringContaining('WRONGPASS'),
      advice: expect.stringContaining('REDIS_URL'),
    })
    await redis.stop()
    expect(await limitsOf(redis.url)).toMatchObject({
      state: 'failure',
      finding: expect.stringContaining('ECONNREFUSED'),
    })
  },
)

test('settings that are not valid are the only finding', async () => {
  const { states, failed } = await doctor(service, { PORT: 'x' })
  expect({ states, failed }).toEqual({ states: { settings: 'failure' }, failed: '1 check failed.' })
})

test('a base URL at which nothing or another program answers is a failure', async () => {
  const closed = await doctor(service, { BASE_URL: `http://127.0.0.1:${await freePort()}` })
  expect(closed.of('base URL')).toMatchObject({
    state: 'failure',
    finding: expect.stringContaining(`although it answers at http://localhost:${service.port}`),
    advice: expect.stringContaining('BASE_URL'),
  })
  const other = await serverThat((_request, response) => response.end('{"name":"other"}'))
  expect((await doctor(service, { BASE_URL: other })).of('base URL')).toMatchObject({ state: 'failure' })
})

test('a forged X-Forwarded-For that is believed is a failure', async () => {
  const trusting = await startLiveService({ TRUST_PROXY: 'on' })
  const { of } = await doctor(trusting, { TRUST_PROXY: 'on' })
  expect(of('proxy')).toMatchObject({
    state: 'failure',
    finding: expect.stringContaining('Clients can choose the address'),
  })
})

test('a proxy whose X-Forwarded-For is not read is a failure', async () => {
  const proxy = await serverThat((incoming, response) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress }
    const to = { host: '127.0.0.1', port: service.port, path: incoming.url, headers }
    request(to, (answer) => answer.pipe(response)).end()
  })
  const { of } = await doctor(service, { BASE_URL: proxy })
  expect(of('proxy')).toMatchObject({
    state: 'failure',
    advice: expect.stringContaining('Set TRUST_PROXY'),
  })
})

test('a database that does not answer is a failure, and its password is not shown', async () => {
  const url = `postgres://skein:secret-word@127.0.0.1:${await freePort()}/skein`
  const { of, findings } = await doctor(service, { DATABASE_URL: url })
  expect(of('database')).toMatchObject({ state: 'failure', advice: expect.stringContaining('DATABASE_URL') })
  expect(of('keys')).toMatchObject({ state: 'warning', advice: expect.stringContaining('openssl rand') })
  expect(JSON.stringify(findings)).not.toContain('secret-word')
})

test.runIf(process.env.TEST_DATABASE_URL)(
  'a clock that differs from that of the database is a warning',
  async () => {
    const env = { DATABASE_URL: process.env.TEST_DATABASE_URL ?? '' }
    const { of } = await doctor(service, env)
    expect([of('database'), of('clock')]).toEqual([
      expect.objectContaining({ state: 'ok' }),
      expect.objectContaining({ state: 'ok' }),
    ])
    vi.spyOn(Date, 'now').mockReturnValue(0)
    const late = await doctor(service, env)
    vi.restoreAllMocks()
    expect(late.of('clock')).toMatchObject({ state: 'warning', advice: expect.stringContaining('NTP') })
  },
)

test('a data directory that cannot be written is a failure', async () => {
  const { of } = await doctor(service, { DATA_DIR: join(service.dataDir, 'missing') })
  expect(of('storage')).toMatchObject({ state: 'failure', advice: expect.stringContaining('DATA_DIR') })
})

test.each([
  'operator-token',
  'encryption-key',
  'starter.json',
])('%s that others can read is a failure', async (name) => {
  const own = await startLiveService()
  const path = join(own.dataDir, name)
  await writeFile(path, 'x'.repeat(40))
  await chmod(path, 0o644)
  expect((await doctor(own)).of('keys')).toMatchObject({ state: 'failure', advice: `Run: chmod 600 ${path}` })
})

test('an operator token that neither a setting nor a file has is a warning', async () => {
  const { of } = await doctor(service, { OPERATOR_TOKEN: '' })
  expect(of('keys')).toMatchObject({ state: 'warning', finding: expect.stringContaining('OPERATOR_TOKEN') })
})

test('the mail server is asked whether it accepts mail', async () => {
  const from = { MAIL_FROM: 'skein@example.com' }
  const { url } = await startMailServer()
  expect((await doctor(service, { ...from, SMTP_URL: url })).of('mail')).toMatchObject({ state: 'ok' })
  const closed = { ...from, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }
  expect((await doctor(service, closed)).of('mail')).toMatchObject({ state: 'failure' })
})

test('a recent backup is found', async () => {
  const own = await startLiveService()
  await recordBackup(own.dataDir)
  expect((await doctor(own)).of('backup')).toMatchObject({ state: 'ok' })
})

async function serverThat(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the ways to sign in are named, and an identity provider that does not answer is a failure', async () => {
  const usual = await doctor(service)
  expect(usual.of('sign-in')?.finding).toBe('People sign in with a password or a link from the operator.')
  const provider = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'skein', OIDC_LABEL: 'Example' }
  const { of } = await doctor(service, { ...provider, SIGN_IN_METHODS: 'password,oidc' })
  expect(of('sign-in')).toMatchObject({ state: 'failure', finding: expect.stringContaining('Example') })
  const without = await doctor(service, { ...provider, SIGN_IN_METHODS: 'link' })
  expect(without.of('sign-in')?.finding).toBe('People sign in with a link from the operator.')
})
