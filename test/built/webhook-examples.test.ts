import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examples } from '../../src/console/settings/webhooks/templates/examples.ts'
import { Skein, Webhook } from '../../src/sdk/index.ts'
import type { Starter } from '../../src/starter/create-starter-workspace.ts'
import { allExamplesIn, examplesIn } from '../support/examples.ts'
import { newDataDir, type RunningProcess, repository, startProcess } from '../support/process.ts'
import { isTested } from '../support/programs.ts'
import { all } from '../support/sdk.ts'
import { grafanaBody, longQueue } from '../webhooks/formats/payloads/alert-bodies.ts'
import { issueBody } from '../webhooks/formats/payloads/sentry-bodies.ts'

const run = promisify(execFile)

let service: RunningProcess
let starter: Starter
/** A folder in which nothing of the service is. */
let folder: string

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: await newDataDir() })
  starter = JSON.parse(readFileSync(join(service.dataDir, 'starter.json'), 'utf8'))
  folder = await mkdtemp(join(tmpdir(), 'skein-examples-'))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => service.stop())

const textOf = (page: string) => readFileSync(join(repository, page), 'utf8')
const variables = () => ({ WEBHOOK_URL: starter.webhookURL, GROUP_ID: starter.groupID })

/** Puts the values of the web app into an example, as a reader does. */
function withValues(code: string): string {
  const { WEBHOOK_URL, GROUP_ID } = variables()
  return code
    .replace(/^WEBHOOK_URL='.*'$/m, `WEBHOOK_URL='${WEBHOOK_URL}'`)
    .replace(/^GROUP_ID='.*'$/m, `GROUP_ID='${GROUP_ID}'`)
    .replace(/(?<![$\w{])WEBHOOK_URL(?=\/)/, WEBHOOK_URL)
    .replace(/(?<==)GROUP_ID\b/, GROUP_ID)
}

/** Runs the shell examples of a page. They end at the first command that fails. */
async function runShellOf(page: string): Promise<string> {
  const commands = examplesIn(textOf(page)).filter((code) => !/^apprise/m.test(code) || isTested('apprise'))
  expect(commands).not.toEqual([])
  const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: folder, env: { PATH, HOME } }
  return (await run('bash', ['-c', strict + withValues(commands.join('\n'))], options)).stdout
}

function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Returns the texts of the group chat. */
async function chatTexts(): Promise<string[]> {
  const { threadID } = await new Webhook(starter.webhookURL).post({ target: starter.groupID, text: 'last' })
  return (await all(new Skein(starter).messages(threadID))).map(({ text }) => text)
}

test('each example of the pages about webhooks is in a language that a test runs', () => {
  const pages = [
    'docs/webhooks.md',
    ...readdirSync(join(repository, 'docs/webhooks')).map((name) => `docs/webhooks/${name}`),
  ]
  const languages = pages.map((page) => [page, allExamplesIn(textOf(page)).map(({ language }) => language)])
  expect(
    Object.fromEntries(languages.map(([page, found]) => [page, [...new Set(found)].toSorted()])),
  ).toEqual({
    'docs/webhooks.md': ['graphql', 'json', 'sh'],
    // test/webhooks/senders/alertmanager.test.ts runs Alertmanager with the example.
    'docs/webhooks/alertmanager.md': ['yaml'],
    'docs/webhooks/github.md': [],
    'docs/webhooks/gitlab.md': [],
    'docs/webhooks/discord.md': ['js', 'sh', 'text'],
    'docs/webhooks/grafana.md': ['yaml'],
    'docs/webhooks/json.md': ['sh', 'text'],
    'docs/webhooks/sentry.md': ['text'],
    'docs/webhooks/slack.md': ['js', 'sh', 'text'],
    // test/webhooks/formats/template-examples.test.ts runs the templates.
    'docs/webhooks/template.md': ['liquid', 'sh', 'text'],
  })
  for (const page of pages)
    expect(allExamplesIn(textOf(page)).filter(({ code }) => /starter|npm run/.test(code))).toEqual([])
})

test('the commands of docs/webhooks.md post what they say', async () => {
  const output = await runShellOf('docs/webhooks.md')
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [documented, ofWebhook] = examplesIn(textOf('docs/webhooks.md'), 'json').map((code) =>
    JSON.parse(code),
  )
  expect(Object.keys(answers[0])).toEqual(Object.keys(documented))
  expect(Object.keys((await (await fetch(starter.webhookURL)).json()) as object)).toEqual(
    Object.keys(ofWebhook),
  )
  const [messageID, threadID] = [answers[4].messageID, answers[2].threadID]
  expect(
    answers.map(({ created, threadCreated, ...ids }) =>
      created === undefined ? ids : [created, threadCreated],
    ),
  ).toEqual([
    [true, false],
    [true, false],
    [true, true],
    [true, false],
    [false, false],
    [true, false],
    { messageID },
    { threadID },
    [true, false],
  ])
  const thread = await all(new Skein(starter).messages(threadID))
  expect(thread.map(({ text }) => text)).toEqual([
    'The backup has started.',
    '',
    'The report',
    expect.stringMatching(/^Closed/),
  ])
  expect(await chatTexts()).toContain('The **nightly build** is green')
})

test('the mutations of docs/webhooks.md rename a webhook and run a call again', async () => {
  const ask = await signedInAsAda()
  const [rename = '', resend = ''] = examplesIn(textOf('docs/webhooks.md'), 'graphql')
  const [webhookID = ''] = /wbh_\w+/.exec(starter.webhookURL) ?? []
  const webhook = { name: 'Deploys', user: { name: 'Deploys' } }
  expect(await ask(rename.replace('wbh_...', webhookID))).toEqual({ updateWebhook: { webhook } })
  await post(starter.webhookURL, { target: starter.groupID, text: 'again' })
  const query = `{ node(id: "${webhookID}") { ... on Webhook { calls { id body } } } }`
  const find = async () => {
    const { node } = (await ask(query)) as { node: { calls: { id: string; body: string | null }[] } }
    return node.calls.find(({ body }) => body?.includes('again'))?.id
  }
  await expect.poll(find).toBeDefined()
  const webhookCall = { status: 200, createdCount: 1, updatedCount: 0, problems: [] }
  const answer = await ask(resend.replace('whc_...', (await find()) ?? ''))
  expect(answer).toEqual({ resendWebhookCall: { webhookCall } })
})

/** Signs in as the admin, and returns a function that runs operations. */
async function signedInAsAda(): Promise<(query: string) => Promise<unknown>> {
  const origin = { 'sec-fetch-site': 'same-origin' }
  const json = { 'content-type': 'application/json' }
  const ask = async (path: string, query: string, headers: object) => {
    const body = JSON.stringify({ query })
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { ...origin, ...json, ...headers },
      body,
    })
    const { data, errors } = (await answer.json()) as {
      data: unknown
      errors?: unknown
    }
    expect(errors).toBeUndefined()
    return data
  }
  const { createSignInLink } = (await ask(
    '/operator/graphql',
    'mutation { createSignInLink(input: { email: "ada@example.com" }) { url } }',
    { authorization: `Bearer ${starter.operatorToken}` },
  )) as { createSignInLink: { url: string } }
  const signedIn = await fetch(createSignInLink.url, { method: 'POST', headers: origin, redirect: 'manual' })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return (query) => ask('/public/graphql', query, { cookie, 'skein-workspace': starter.workspaceID })
}

test.each([
  { page: 'discord', shows: ['**[The release failed](https://ci.example.com/24)**'] },
  { page: 'slack', shows: ['Deploy [#12](https://ci.example.com/12) **failed**'] },
  { page: 'json', shows: ['**Nightly backup**\nThe disk is full.'] },
])('the URL and the commands of the page $page post messages', async ({ page, shows }) => {
  const file = `docs/webhooks/${page}.md`
  await runShellOf(file)
  const [url = ''] = examplesIn(textOf(file), 'text').map(withValues)
  const text = `posted to /${page}`
  const answer = await post(url.trim(), { text, content: text })
  expect(answer.status).toBe(page === 'discord' ? 204 : 200)
  const texts = await chatTexts()
  for (const shown of [...shows, text]) expect(texts.join('\n\n')).toContain(shown)
})

test('the command of docs/webhooks/template.md posts by the templates of its example', async () => {
  const [webhookID = ''] = /wbh_\w+/.exec(starter.webhookURL) ?? []
  const { templates } = examples.find(({ name }) => name === 'PagerDuty') ?? {}
  const input = JSON.stringify({ webhookID, templates }).replace(/"(\w+)":/g, '$1:')
  const ask = await signedInAsAda()
  await ask(`mutation { updateWebhook(input: ${input}) { webhook { id } } }`)
  const output = await runShellOf('docs/webhooks/template.md')
  expect(JSON.parse(output).messages).toEqual([
    expect.objectContaining({ created: true, threadCreated: true }),
  ])
  const [url = ''] = examplesIn(textOf('docs/webhooks/template.md'), 'text').map(withValues)
  const answer = await post(url.trim(), { event: { resource_type: 'service' } })
  expect(await answer.json()).toEqual({ skipped: expect.any(String) })
})

test.each([
  { page: 'slack', text: 'Deploy [#13](https://ci.example.com/13) is **done**' },
  { page: 'discord', text: 'Release **2.5** of the shop' },
])('the program of docs/webhooks/$page.md posts with the library of the vendor', async ({ page, text }) => {
  const [program = ''] = examplesIn(textOf(`docs/webhooks/${page}.md`), 'js')
  await writeFile(join(folder, 'program.mjs'), program)
  const { PATH } = process.env
  await run(process.execPath, ['program.mjs'], { cwd: folder, env: { PATH, ...variables() } })
  expect(await chatTexts()).toContain(text)
})

test('the URL of docs/webhooks/sentry.md is one to which Sentry can post', async () => {
  const [url = ''] = examplesIn(textOf('docs/webhooks/sentry.md'), 'text').map(withValues)
  const answer = await post(url.trim(), issueBody('created'))
  expect(await answer.json()).toMatchObject({ messages: [{ created: true, threadCreated: true }] })
})

test('the contact point of docs/webhooks/grafana.md has a URL to which Grafana can post', async () => {
  const [contactPoint = ''] = examplesIn(textOf('docs/webhooks/grafana.md'), 'yaml').map(withValues)
  const [, url = ''] = /^ +url: (.*)$/m.exec(contactPoint) ?? []
  const { messages } = (await (await post(url, grafanaBody([longQueue]))).json()) as { messages: unknown[] }
  expect(messages).toEqual([expect.objectContaining({ created: true, threadCreated: true })])
})
