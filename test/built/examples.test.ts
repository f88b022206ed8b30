import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Skein, Webhook } from '../../src/sdk/index.ts'
import { examplesIn } from '../support/examples.ts'
import { compileProgram, installSDK, runProgram } from '../support/installed-sdk.ts'
import { freePort, newDataDir, type RunningProcess, repository, startProcess } from '../support/process.ts'
import { all } from '../support/sdk.ts'

const run = promisify(execFile)

let service: RunningProcess
/** The variables and functions of the first steps, which the pages of docs use. */
let state = ''

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: await newDataDir(), EVENT_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1' })
  await installSDK(dirname(service.dataDir))
  state = await paste(`${firstSteps()}declare -p THREAD TOKEN; declare -f starter field\n`)
})
afterAll(() => service.stop())

// These commands run before each example. They end the example at the first command that fails, and make
// `npm run admin --` run the built command line.
const surroundings = `
set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
npm() { shift 3; (cd '${repository}' && node dist/main.js admin "$@"); }
`

async function paste(commands: string): Promise<string> {
  const cwd = dirname(service.dataDir)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: new URL(service.url).port, DATA_DIR: service.dataDir }
  const { stdout } = await run('bash', ['-c', surroundings + commands], { cwd, env })
  return stdout
}

function examplesOf(file: string, language = 'sh'): string {
  return examplesIn(readFileSync(join(repository, file), 'utf8'), language).join('\n')
}

function sectionOf(file: string, heading: string): string {
  const sections = readFileSync(join(repository, file), 'utf8').split(/^(?=## )/m)
  return sections.find((text) => text.startsWith(`${heading}\n`)) ?? ''
}

/** Returns the commands of README.md that send the first message. */
function firstSteps(): string {
  const section = sectionOf('README.md', '## Send your first message')
  return `{\n${examplesIn(section).join('\n')}\n} > /dev/null\n`
}

/** Runs the TypeScript examples of a file, in the folder that contains the package and the data directory. */
async function runExamplesOf(file: string): Promise<string> {
  const folder = dirname(service.dataDir)
  await compileProgram(folder, examplesOf(file, 'ts'))
  return runProgram(folder)
}

test('the examples of README.md work when pasted', async () => {
  const output = await paste(examplesOf('README.md'))
  expect(output).toContain('"html":"<p><strong>Deploy 7</strong> is on its way</p>"')
  expect(output).toContain('Skein starter')
})

const pages = [
  { page: 'tokens', shows: ['"access_token"'] },
  {
    page: 'graphql',
    shows: ['"isPeristentChat":true', '"subject":"Release 3"', '"unreadCount":0', '<mark>'],
  },
  { page: 'people', shows: ['/signin/link/'] },
  { page: 'events', shows: ['latestEventCursor'] },
  { page: 'outbound-webhooks', shows: ['whsec_', 'https://bot.example.com/events'] },
  { page: 'files', shows: ['"uploadTicketID"', '"contentType":"text/plain"'] },
  { page: 'limits', shows: ['"webhook";q=6000;w=60', '"webhook";r='] },
  { page: 'operations', shows: ['Skein starter', '{"status":"ready"}'] },
]

test.each(pages)('the examples of the page $page work when pasted', async ({ page, shows }) => {
  const examples = examplesOf(`docs/${page}.md`)
  expect(examples).not.toBe('')
  const output = await paste(state + examples)
  for (const text of shows) expect(output).toContain(text)
  expect(output).not.toContain('"errors"')
})

test('the example of docs/errors.md fails as the page says', async () => {
  const [documented = ''] = examplesIn(readFileSync(join(repository, 'docs/errors.md'), 'utf8'), 'json')
  const curl = 'curl() { command curl "$@"; }\n'
  const output = await paste(state + curl + examplesOf('docs/errors.md'))
  expect(JSON.parse(output)).toEqual({
    ...JSON.parse(documented),
    type: expect.stringMatching(/\/docs\/errors#invalid_input$/),
    requestID: expect.any(String),
  })
})

test('the program of docs/apps.md gets, refreshes and revokes tokens', async () => {
  const starter = JSON.parse(readFileSync(join(service.dataDir, 'starter.json'), 'utf8'))
  const redirectURI = `http://localhost:${await freePort()}/callback`
  const uris = [starter.redirectURI, redirectURI].map((uri) => `--redirect-uri ${uri}`).join(' ')
  await paste(`npm run admin -- apps update ${starter.appID} ${uris}`)
  const folder = await mkdtemp(join(dirname(service.dataDir), 'app-'))
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data/starter.json'), JSON.stringify({ ...starter, redirectURI }))
  await writeFile(join(folder, 'app.mjs'), examplesOf('docs/apps.md', 'js'))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const program = run(process.execPath, ['app.mjs'], { cwd: folder })
  const [, url = ''] = await lineOf(program.child.stdout, /^Open (.*)$/m)
  const link = await paste(`npm run admin -- signin-link ada@example.com`)
  await allow({ link: link.trim(), url, workspaceID: starter.workspaceID })
  const lines = (await program).stdout.trim().split('\n').slice(1)
  expect(lines).toEqual([expect.stringContaining('"viewer":{"user":{"name":"Starter app"}'), 'true', 'false'])
})

/** Signs in with a link, and allows what an authorization URL requests. */
async function allow({ link, url, workspaceID }: { link: string; url: string; workspaceID: string }) {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await fetch(link, { method: 'POST', headers, redirect: 'manual' })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const page = await (await fetch(url, { headers: { cookie } })).text()
  const [, account = ''] = /name="account" value="([^"]+)"/.exec(page) ?? []
  const { origin, pathname, searchParams } = new URL(url)
  const body = new URLSearchParams(searchParams)
  for (const [name, value] of Object.entries({ account, workspace: workspaceID, decision: 'allow' }))
    body.set(name, value)
  const answer = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body,
  })
  expect(await answer.text()).toBe('You can close this page.')
}

/** Waits until the output contains a match. */
function lineOf(output: Readable | null, pattern: RegExp): Promise<RegExpExecArray> {
  let text = ''
  return new Promise((resolve, reject) => {
    output?.on('data', (chunk) => {
      text += chunk
      const match = pattern.exec(text)
      if (match) resolve(match)
    })
    output?.on('end', () => reject(new Error(`The program printed only ${text}`)))
  })
}

// Replaces the file by an empty one and ends the process, as if the process were killed in the middle of a write.
const killedWhileWriting = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.writeFileSync = (path) => {
  fs.closeSync(fs.openSync(path, 'w'))
  process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()
`

test('the bot of README.md answers each ping of another user once, and continues after it was killed', async () => {
  const folder = dirname(service.dataDir)
  await compileProgram(folder, examplesOf('README.md', 'ts'))
  const { webhookURL, groupID, ...credentials } = JSON.parse(
    readFileSync(join(service.dataDir, 'starter.json'), 'utf8'),
  )
  const skein = new Skein(credentials)
  const me = await skein.me()
  const webhook = new Webhook(webhookURL)
  const { threadID } = await webhook.post({ target: groupID, threadSubject: 'Bot', text: 'hello' })
  const say = (text: string) => webhook.post({ target: threadID, text })
  const texts = async () => (await all(skein.messages(threadID))).map(({ text }) => text)
  const start = (...options: string[]) =>
    execFile(process.execPath, [...options, 'program.mjs'], { cwd: folder })
  const cursorFile = join(folder, 'bot.cursor')
  await writeFile(join(folder, 'killed.mjs'), killedWhileWriting)

  let bot = start('--import', './killed.mjs')
  onTestFinished(() => void bot.kill('SIGKILL'))
  expect(await once(bot, 'exit')).toEqual([null, 'SIGKILL'])
  bot = start()
  await expect.poll(() => existsSync(cursorFile)).toBe(true)
  const begun = readFileSync(cursorFile, 'utf8')
  await say('Ping?')
  await expect.poll(texts).toEqual(['hello', 'Ping?', 'pong'])
  // The bot acts as the user of the client.
  await skein.sendMessage({ threadID, message: { text: 'my own ping' } })
  await say('shipping')
  await say(`[the bot](skein:${me.id})`)
  const answered = ['hello', 'Ping?', 'pong', 'my own ping', 'shipping', `[the bot](skein:${me.id})`, 'pong']
  await expect.poll(texts).toEqual(answered)

  bot.kill('SIGKILL')
  await once(bot, 'exit')
  await say('ping while it is down')
  bot = start('--import', './killed.mjs')
  expect(await once(bot, 'exit')).toEqual([null, 'SIGKILL'])
  bot = start()
  await expect.poll(texts).toEqual([...answered, 'ping while it is down', 'pong'])
  bot.kill('SIGKILL')
  await once(bot, 'exit')
  await writeFile(cursorFile, begun)
  bot = start()
  await say('last ping')
  await expect.poll(texts).toEqual([...answered, 'ping while it is down', 'pong', 'last ping', 'pong'])
})

test('the receiver of README.md prints a message, and refuses a request without a signature', async () => {
  const port = String(await freePort())
  const onPort = (text: string) => text.replaceAll('8080', port)
  const section = sectionOf('README.md', '## Receive events by webhook')
  const created = await paste(state + onPort(examplesIn(section).join('\n')))
  const [SECRET] = /whsec_\S+/.exec(created) ?? []
  const folder = await mkdtemp(join(dirname(service.dataDir), 'receiver-'))
  await writeFile(join(folder, 'receiver.mjs'), onPort(examplesIn(section, 'js').join('\n')))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const { PATH } = process.env
  const receiver = execFile(process.execPath, ['receiver.mjs'], { cwd: folder, env: { PATH, SECRET } })
  onTestFinished(() => void receiver.kill())
  const forged = { method: 'POST', body: '{"event":{"message":{"text":"forged"}}}' }
  const status = () => fetch(`http://127.0.0.1:${port}/`, forged).then((answer) => answer.status)
  await expect.poll(() => status().catch(() => 0)).toBe(401)
  const { webhookURL, groupID } = JSON.parse(readFileSync(join(service.dataDir, 'starter.json'), 'utf8'))
  await new Webhook(webhookURL).post({ target: groupID, text: 'Is anybody there?' })
  const [printed] = await lineOf(receiver.stdout, /^.*\n/)
  expect(printed).toBe('Starter webhook: Is anybody there?\n')
})

test('the program of docs/sdk.md compiles and runs', async () => {
  const output = await runExamplesOf('docs/sdk.md')
  expect(output).toMatch(/^Release 4: created\n/)
  expect(output).toContain('NOT_FOUND')
})
