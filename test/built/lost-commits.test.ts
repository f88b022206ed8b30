import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { restore, takeBackup } from '../support/backup.ts'
import { testDatabase } from '../support/database.ts'
import { tokenForm } from '../support/factories.ts'
import { freePort, newDataDir, repository } from '../support/process.ts'
import { type Ending, received, subscribe, textsOf, transports } from '../support/subscribers.ts'

// The test can change the database of this process, also the embedded database. `main.ts` starts the service like this.
const program = `(async () => {
  const { openLog } = await import('./dist/start/log/open-log.js')
  const { readSettings } = await import('./dist/start/settings/read-settings.js')
  const { openDataDir } = await import('./dist/start/open-data-dir.js')
  const { serve } = await import('./dist/start/serve.js')
  const { settings } = await readSettings(process.env)
  openDataDir(settings.dataDir)
  const { db } = await serve(settings, openLog().log, { shownSettings: {}, stopTracing: async () => {} })
  process.on('message', async (sql) => process.send(await db.$executeRawUnsafe(sql)))
  process.send('started')
})()`

const operatorToken = 'an-operator-token-for-lost-commits-0123456789'
const server = process.env.TEST_DATABASE_URL ? await testDatabase() : undefined
const dataDir = await newDataDir()
const origin = `http://127.0.0.1:${await freePort()}`
const { PATH = '' } = process.env
const child = spawn(process.execPath, ['--liftoff-only', '--eval', program], {
  cwd: repository,
  env: {
    PATH,
    HOST: '127.0.0.1',
    PORT: new URL(origin).port,
    DATA_DIR: dataDir,
    OPERATOR_TOKEN: operatorToken,
    SKEIN_STARTER: 'off',
    ...(server?.url && { DATABASE_URL: server.url }),
  },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
afterAll(async () => {
  child.kill('SIGKILL')
  await server?.close()
})

// A process that is frozen never answers.
const limited = (ms = 10_000) => ({ signal: AbortSignal.timeout(ms) })
await once(child, 'message', limited(60_000))

async function run(sql: string): Promise<void> {
  child.send(sql)
  await once(child, 'message', limited())
}

async function ask(path: string, token: string, query: string): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
    ...limited(),
  })
  return ((await answer.json()) as { data: Record<string, string> }).data
}

await ask('/operator/graphql', operatorToken, 'mutation { createStarterWorkspace { path } }')
const starter = JSON.parse(await readFile(join(dataDir, 'starter.json'), 'utf8'))
const body = new URLSearchParams({ ...tokenForm(starter), redirect_uri: starter.redirectURI })
const issued = await fetch(`${origin}/oauth/token`, { method: 'POST', body })
const { access_token: token } = (await issued.json()) as { access_token: string }

async function post(text: string): Promise<void> {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, ...limited() }
  const answer = await fetch(starter.webhookURL, {
    ...options,
    body: JSON.stringify({ target: starter.groupID, text }),
  })
  expect(answer.status).toBe(200)
}

const follow = async (transport: (typeof transports)[number]) => {
  const { latestEventCursor: after } = await ask('/public/graphql', token, '{ latestEventCursor }')
  const variables = { after, types: ['messageCreated'] }
  return subscribe(`${origin}/public/graphql`, transport, { token, variables })
}

test('a process answers, ends its subscriptions and stops after the database has lost the last commits', async () => {
  const streams = await Promise.all(transports.map(follow))
  await post('kept')
  for (const stream of streams) await received(stream, 1)
  await run(takeBackup)
  for (const [index, text] of ['lost', 'lost too'].entries()) {
    await post(text)
    for (const stream of streams) await received(stream, index + 2)
  }
  await run(restore({ numbers: 'skipped' }))
  await post('next')
  const endings: Ending[] = []
  for (const { ended } of streams) void ended.then((ending) => endings.push(ending))
  const isReady = async () => (await fetch(`${origin}/health/ready`, limited())).status
  await expect
    .poll(async () => ({ status: await isReady(), endings }))
    .toEqual({ status: 200, endings: [{ codes: ['UNAVAILABLE'] }, { codes: ['UNAVAILABLE'] }] })
  const again = await Promise.all(transports.map(follow))
  await post('last')
  for (const stream of again) await received(stream, 1)
  expect(again.map(textsOf)).toEqual([['last'], ['last']])
  for (const { stop } of again) stop()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit', limited())
  expect(code).toBe(0)
})
