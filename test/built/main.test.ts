import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  adminCommand,
  failureOfUser,
  freePort,
  newDataDir,
  type RunningProcess,
  repository,
  runToEnd,
  startCommand,
  startProcess,
} from '../support/process.ts'

test('with DEBUG=skein:sql, the service prints statements and their durations, but no values', async () => {
  const service = await startProcess({ DEBUG: 'skein:sql' })
  const { webhookURL, groupID } = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  const response = await fetch(`${service.url}${new URL(webhookURL).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target: groupID, text: 'the text of a message' }),
  })
  expect(response.status).toBe(200)
  await expect.poll(() => service.output()).toMatch(/^skein:sql \d+\.\d ms WITH .* INSERT INTO messages /m)
  expect(service.output()).not.toContain('the text of a message')
  await service.stop()
})

describe('the service with the embedded database', () => {
  let service: RunningProcess
  let firstStart: object
  const startingLine = (): object => {
    const lines = service.output().trim().split('\n')
    return lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'starting')
  }
  beforeAll(async () => {
    service = await startProcess()
    firstStart = startingLine()
  })
  afterAll(() => service.stop())

  test('writes starter.json, which only its owner can read', async () => {
    const path = join(service.dataDir, 'starter.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(service.dataDir, 'operator-token'))).mode & 0o777).toBe(0o600)
    const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-Za-z]{27}$`))
    const starter = JSON.parse(await readFile(path, 'utf8'))
    expect(starter).toEqual({
      baseURL: service.url.replace('127.0.0.1', 'localhost'),
      workspaceID: id('wks'),
      groupID: id('grp'),
      privateGroupID: id('grp'),
      userIDs: [id('usr'), id('usr'), id('usr')],
      appID: id('app'),
      clientID: starter.appID,
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      redirectURI: expect.stringMatching(/^http/),
      webhookURL: expect.stringMatching(/^http:.*\/webhook\/wbh_\w{27}\/[\w-]{43}$/),
      operatorToken: (await readFile(join(service.dataDir, 'operator-token'), 'utf8')).trim(),
    })
  })

  test('prints only JSON if standard output is not a terminal', async () => {
    await expect.poll(() => service.output()).toContain('Server listening')
    const lines = service.output().trim().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
  })

  test('logs the version, the database, its migrations and the settings at the first start', async () => {
    const migrations = (await readdir(join(repository, 'prisma/migrations'))).filter((name) =>
      /^\d/.test(name),
    )
    expect(firstStart).toMatchObject({
      signInMethods: ['password', 'link'],
      version: expect.stringMatching(/^\d/),
      commit: expect.anything(),
      database: expect.stringMatching(/^PostgreSQL \d+/),
      isReadOnly: false,
      migrations: migrations.sort(),
      settings: { HOST: '127.0.0.1', DATA_DIR: service.dataDir },
    })
  })

  test('logs the command that prints a sign-in link, and the link works', async () => {
    await expect.poll(() => service.output()).toContain('npm run admin -- welcome')
    expect(service.output()).not.toContain('/signin/link/')
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [...adminCommand, 'welcome'], {
      env: { PATH: process.env.PATH, DATA_DIR: service.dataDir },
    })
    const link = /\S+\/signin\/link\/\S+/.exec(stdout)?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
  })

  test('prevents a second process from using the directory, even without the lock file', async () => {
    const second = await runToEnd({ DATA_DIR: service.dataDir, PORT: '3999' })
    expect(second.code).toBe(1)
    expect(second.output).toContain('is in use by another process')
    expect(second.output).not.toContain('    at ')
    await rm(join(service.dataDir, 'lock'))
    const third = await runToEnd({ DATA_DIR: service.dataDir, PORT: '3999' })
    expect([third.code, third.output]).toEqual([1, expect.stringContaining('is in use by another process')])
  })

  test('creates the starter workspace only once, and updates its URLs at a start on another port', async () => {
    const path = join(service.dataDir, 'starter.json')
    await chmod(path, 0o640)
    const { baseURL, webhookURL, ...kept } = JSON.parse(await readFile(path, 'utf8'))
    expect(await service.stop()).toBe(0)
    await expect(stat(join(service.dataDir, 'address'))).rejects.toThrow('ENOENT')
    service = await startProcess({ DATA_DIR: service.dataDir })
    expect(startingLine()).toMatchObject({ migrations: [] })
    const starter = JSON.parse(await readFile(path, 'utf8'))
    const local = service.url.replace('127.0.0.1', 'localhost')
    expect(starter).toEqual({ ...kept, baseURL: local, webhookURL: webhookURL.replace(baseURL, local) })
    const body = JSON.stringify({ target: starter.groupID, text: 'hello' })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(starter.webhookURL, { method: 'POST', headers, body })).status).toBe(200)
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect((await readdir(service.dataDir)).filter((name) => name.startsWith('starter'))).toEqual([
      'starter.json',
    ])
  })

  test('is found by the command line from the data directory alone', async () => {
    const { PATH = '' } = process.env
    const skein = async (...words: string[]) => {
      const options = { cwd: dirname(service.dataDir), env: { PATH } }
      return (await promisify(execFile)(process.execPath, [...adminCommand, ...words], options)).stdout
    }
    expect(await skein('workspaces', 'list')).toContain('Skein starter')
    const local = service.url.replace('127.0.0.1', 'localhost')
    expect(await skein('welcome')).toContain(`Skein is running at ${local}`)
    expect(await skein('send', 'Builds', 'hello')).toContain('msg_')
    expect(await readFile(join(service.dataDir, 'address'), 'utf8')).toBe(`${local}\n`)
  })

  test('starts again after SIGKILL, and stops in time despite an incomplete request', async () => {
    service.child.kill('SIGKILL')
    await once(service.child, 'close')
    service = await startProcess({ DATA_DIR: service.dataDir, SHUTDOWN_TIMEOUT_SECONDS: '1' })
    await sendHalf(service)
    expect(await service.stop()).toBe(0)
    expect(service.output()).toContain('closing all connections')
  })
})

test('the start fails before anything is created if the port is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const dataDir = await newDataDir()
  const { code, output } = await runToEnd({ PORT: String(port), DATA_DIR: dataDir })
  blocker.close()
  expect([code, output]).toEqual([1, `Port ${port} is in use. Set PORT to a free port.\n`])
  await expect(stat(dataDir)).rejects.toThrow('ENOENT')
})

test('the start fails with advice if the data directory cannot be used', async () => {
  const dataDir = await newDataDir()
  await writeFile(dataDir, '')
  const advice = 'Set DATA_DIR to a directory that this user can write to.'
  const { code, output } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: dataDir })
  expect([code, output]).toEqual([1, `DATA_DIR is ${dataDir}, which is not a directory. ${advice}\n`])
  const locked = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await chmod(locked, 0o500)
  for (const path of [locked, join(locked, 'data')]) {
    expect(await failureOfUser('start/open-data-dir.js', `openDataDir('${path}')`)).toBe(
      `DATA_DIR is ${path}, which this user cannot write to. ${advice}`,
    )
  }
})

test.runIf(process.platform === 'linux')('the start fails with a data directory in /proc', async () => {
  const { code, output } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: '/proc/skein' })
  expect([code, output]).toEqual([1, expect.stringContaining('DATA_DIR is /proc/skein, which cannot be')])
})

test('.env in the working directory is read, and environment variables override it', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await writeFile(join(cwd, '.env'), 'PORT=not-a-port\nLOG_LEVEL=loud\nDATA_DIR\n')
  const { code, output } = await runToEnd({ PORT: String(await freePort()) }, cwd)
  expect([code, output]).toEqual([1, expect.stringContaining('LOG_LEVEL must be one of')])
  expect(output).toContain('.env, line 3: ignored')
  expect(output).not.toContain('PORT')
})

test('a variable that looks like a misspelled setting is reported with the other problems', async () => {
  const { code, output } = await runToEnd({
    DATABASE_URI: 'postgres://me:winter-bread@host/db',
    PORT: 'http',
  })
  expect([code, output]).toEqual([1, expect.stringContaining('DATABASE_URI: did you mean DATABASE_URL?')])
  expect(output).not.toContain('winter-bread')
})

describe('the service without a starter workspace', () => {
  const env = { SKEIN_STARTER: 'off', DATABASE_URI: 'postgres://me:winter-bread@host/db' }
  let service: RunningProcess
  beforeAll(async () => {
    service = await startProcess(env)
  })
  afterAll(() => service.stop())

  test('writes no starter.json', async () => {
    await expect(stat(join(service.dataDir, 'starter.json'))).rejects.toThrow('ENOENT')
  })

  test('warns of a variable that looks like a misspelled setting, and starts', () => {
    expect(service.output()).toContain('DATABASE_URI: did you mean DATABASE_URL?')
    expect(service.output()).not.toContain('winter-bread')
  })

  test('loses no requests on keep-alive connections when it stops', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const outcomes: (number | string)[] = []
    const ask = async () => {
      while (!outcomes.includes('ECONNREFUSED'))
        outcomes.push(await statusOf(`${service.url}/health/live`, agent))
    }
    const asking = Array.from({ length: 8 }, ask)
    await expect.poll(() => outcomes.length).toBeGreaterThan(100)
    expect(await service.stop()).toBe(0)
    await Promise.all(asking)
    expect(new Set(outcomes)).toEqual(new Set([200, 'ECONNREFUSED']))
  })

  test('stops immediately at a second signal', async () => {
    service = await startProcess({ ...env, DATA_DIR: service.dataDir, SHUTDOWN_TIMEOUT_SECONDS: '60' })
    await sendHalf(service)
    service.child.kill('SIGINT')
    await expect.poll(() => service.output()).toContain('stopping')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(service.child.exitCode).toBeNull()
    service.child.kill('SIGINT')
    const [code] = await once(service.child, 'close')
    expect(code).toBe(1)
  })
})

test('after SIGTERM, the service answers during SHUTDOWN_DELAY_SECONDS, and then stops', async () => {
  const service = await startProcess({ SKEIN_STARTER: 'off', SHUTDOWN_DELAY_SECONDS: '2' })
  const ready = () => fetch(`${service.url}/health/ready`).then(({ status }) => status)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  await expect.poll(ready).toBe(503)
  const live = await fetch(`${service.url}/health/live`)
  const [code] = await once(service.child, 'close')
  expect([live.status, code]).toEqual([200, 0])
  expect(performance.now() - begun).toBeGreaterThan(1900)
})

test('the start finds out that another process uses the port, and sends it nothing', async () => {
  const accepted: string[] = []
  const blocker = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => accepted.push(String(chunk)))
  }).listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const { code } = await runToEnd({ PORT: String(port), HOST: '0.0.0.0', DATA_DIR: await newDataDir() })
  blocker.close()
  expect([code, accepted]).toEqual([1, []])
})

test('the process exits and prints all problems at once if the configuration is invalid', async () => {
  const { code, output } = await runToEnd({
    DATA_DIR: await newDataDir(),
    PORT: 'http',
    DATABASE_URL: 'mysql://me:winter-bread@host/db',
    LOG_LEVEL: 'loud',
    OPERATOR_TOKEN: 'short',
  })
  expect(code).toBe(1)
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'OPERATOR_TOKEN']) expect(output).toContain(name)
  expect(output).not.toContain('winter-bread')
  expect(output).not.toContain('short')
})

test('the process exits and prints the reason if the database is unavailable', async () => {
  const { code, output } = await runToEnd({
    DATA_DIR: await newDataDir(),
    DATABASE_URL: 'postgres://me:winter-bread@127.0.0.1:1/db',
  })
  expect(code).toBe(1)
  expect(output).toContain('127.0.0.1:1/db cannot be used')
  expect(output).not.toContain('winter-bread')
})

test('the process exits and prints only one line if the bucket is unreachable', async () => {
  const { code, output } = await runToEnd({
    DATA_DIR: await newDataDir(),
    S3_BUCKET: 'uploads',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_ACCESS_KEY_ID: 'me',
    S3_SECRET_ACCESS_KEY: 'winter-bread',
  })
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^The bucket uploads at http:\/\/127\.0\.0\.1:1 cannot be used: .*\n$/),
  ])
  expect(output).not.toContain('winter-bread')
})

/** Returns the status of the response, or the error code if the request fails. */
function statusOf(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = get(url, { agent }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

/** Sends an incomplete request, keeps the connection open, and waits until the service has received the headers. */
async function sendHalf({ url }: RunningProcess): Promise<void> {
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.on('error', () => {})
  await once(client, 'connect')
  const headers = [
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 10',
    'Expect: 100-continue',
  ]
  client.write(['POST /oauth/token HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'))
  await once(client, 'data')
}

test.each([
  { words: ['--help'], code: 0 },
  { words: [], code: 2 },
  { words: ['stop'], code: 2 },
  { words: ['start', 'now'], code: 2 },
])('skein $words prints its commands and exits with $code', async ({ words, code }) => {
  const [program = ''] = startCommand
  const run = new Promise<{ code: number; text: string }>((resolve) => {
    execFile(program, words, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    )
  })
  expect(await run).toEqual({
    code,
    text: expect.stringMatching(/^Usage: skein.*\n {2}start .*\n {2}admin /s),
  })
})
