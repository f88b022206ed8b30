import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { startCallbackServer } from './callback-server.ts'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let callback: Awaited<ReturnType<typeof startCallbackServer>>
beforeAll(async () => {
  callback = await startCallbackServer()
})
afterAll(() => callback?.close())
afterEach(() => visits.end({ otherOrigins: [callback.origin] }))

/** Posts to the webhook of the starter workspace, by default to a group. */
async function post(body: object): Promise<{ threadID: string; messageID: string }> {
  const answer = await fetch(site.starter.webhookURL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target: site.starter.groupID, ...body }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { threadID: string; messageID: string }
}

/** Sends a message with a token of any kind. */
async function sendWith(token: string, threadID: string, text: string): Promise<void> {
  const answer = await fetch(`${site.starter.baseURL}/public/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { created } }',
      variables: { input: { threadID, message: { text } } },
    }),
  })
  expect(await answer.json()).toMatchObject({ data: { sendMessage: { created: true } } })
}

const row = (page: Page, subject: string) => page.locator('[data-thread-row]').filter({ hasText: subject })
const show = (page: Page, filter: string) =>
  page.getByRole('button', { name: new RegExp(`^${filter}( [0-9]+)?$`) }).click()

test('a state marks the message, and its thread in each list, and changes while the page is open', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const build = { threadSubject: 'Build 4813', threadBy: 'b', uniqueBy: 'b' }
  const { threadID } = await post({ ...build, text: 'Compiling the sources', state: 'running' })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await grace.goto(`${site.home}/search?q=compiling`)
  const places = [
    row(ada, 'Build 4813'),
    ada.getByRole('heading', { name: 'Build 4813', level: 1 }),
    messages(ada, 'Compiling the sources'),
    grace.getByRole('link', { name: 'Build 4813' }).filter({ hasText: 'Compiling' }),
  ]
  for (const [state, mark] of [
    ['running', 'Running'],
    ['failed', 'Failed'],
    ['ok', 'OK'],
  ] as const) {
    if (state !== 'running') await post({ ...build, text: 'Compiling the sources', state })
    for (const place of places) await place.getByRole('img', { name: mark, exact: true }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await ada.emulateMedia({ colorScheme })
      expect(await problemsOf(ada, `${state}, ${colorScheme}`)).toEqual([])
    }
  }
  await ada.goto(`${site.home}/groups/${site.starter.groupID}`)
  const inGroup = ada.locator('[data-thread-row]').filter({ hasText: 'Build 4813' })
  await inGroup.getByRole('img', { name: 'OK', exact: true }).waitFor()
  await post({ ...build, text: 'Compiling the sources', state: 'failed' })
  await inGroup.getByRole('img', { name: 'Failed', exact: true }).waitFor()
  await post({ ...build, text: 'Compiling the sources', state: 'ok' })
})

test('the filter “Failed” shows the threads that have failed, and follows their states', async () => {
  const ada = await visits.signedInAs('ada')
  const alert = { threadSubject: 'Disk full', threadBy: 'd', uniqueBy: 'd', text: 'db-3' }
  await post({ threadSubject: 'Nightly backup', text: 'All good', state: 'ok' })
  await ada.goto(`${site.home}/inbox`)
  await row(ada, 'Nightly backup').waitFor()
  await show(ada, 'Failed')
  await ada.getByText(/^Nothing has failed\. This list has the threads in which a program/).waitFor()
  await post({ ...alert, state: 'failed' })
  await row(ada, 'Disk full').getByRole('img', { name: 'Failed' }).waitFor()
  expect(await row(ada, '').count()).toBe(1)
  await post({ threadSubject: 'Memory low', text: 'web-1', state: 'failed' })
  await row(ada, 'Memory low').waitFor()
  await post({ ...alert, state: 'ok' })
  await row(ada, 'Disk full').waitFor({ state: 'detached' })
  await ada.reload()
  await show(ada, 'Failed')
  await row(ada, 'Memory low').waitFor()
  expect(await row(ada, '').allInnerTexts()).toEqual([expect.stringContaining('Memory low')])
  await show(ada, 'All')
  await ada.getByRole('region', { name: 'Welcome' }).getByRole('button', { name: 'Dismiss' }).click()
  await ada.getByText('1 thread has failed.').waitFor()
  await ada.getByRole('button', { name: 'Show failed threads' }).click()
  await row(ada, 'Nightly backup').waitFor({ state: 'detached' })
  await ada.waitForURL('**/inbox?tab=failed')
})

test('a sender name stands beside the name of the webhook, and does not replace it', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await post({ threadSubject: 'Latency', text: 'p99 is high', senderName: 'Grafana' })
  await post({ target: threadID, text: 'p99 is normal' })
  await ada.goto(`${site.home}/threads/${threadID}`)
  const first = messages(ada, 'p99 is high')
  await first.getByText('Grafana via Starter webhook').waitFor()
  expect(await first.getByText('Webhook', { exact: true }).count()).toBe(1)
  expect(await first.getAttribute('aria-label')).toMatch(/^Grafana via Starter webhook, /)
  // The next message names no sender. Therefore it shows its author again.
  await messages(ada, 'p99 is normal').getByText('Starter webhook', { exact: true }).waitFor()
})

test('a message without Markdown shows its text, and a message that mentions nobody shows no mention', async () => {
  const ada = await visits.signedInAs('ada')
  const mention = `[Ada](skein:${site.starter.userIDs[0]})`
  const { threadID } = await post({
    threadSubject: 'Texts',
    text: `**a** ${mention} <b>c</b>\n  d`,
    plain: true,
  })
  await post({ target: threadID, text: `**e** ${mention}`, allowMentions: false })
  await post({ target: threadID, text: `**f** ${mention}` })
  await ada.goto(`${site.home}/threads/${threadID}`)
  const plain = messages(ada, '**a**')
  await plain.getByText(`**a** ${mention} <b>c</b>`).waitFor()
  expect(await plain.locator('strong, b, .mention').count()).toBe(0)
  expect(await plain.locator('p').last().innerText()).toContain('\n  d')
  const without = messages(ada, 'e Ada')
  await without.locator('strong').waitFor()
  expect(await without.locator('.mention').count()).toBe(0)
  await messages(ada, 'f @Ada').locator('.mention').waitFor()
})

test('what a program writes as a person shows the program beside the name of the person', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const thread = { recipients: [site.starter.groupID], subject: 'Who wrote it' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'By hand' } })
  const scopes = ['threads:read', 'threads.messages:write', 'threads:write']
  const created = await change(
    ada,
    site,
    'createPersonalAccessToken',
    { name: 'Deploy script', scopes, expiresInDays: 1 },
    'accessToken',
  )
  await sendWith(created.accessToken, threadID, 'By a script')
  await sendWith(await tokenOfDeployBot(ada), threadID, 'By a bot')
  for (const page of [ada, grace]) await page.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'By a script').getByText('Ada via Deploy script').waitFor()
  await messages(grace, 'By a script').getByText('Ada via a personal access token').waitFor()
  for (const page of [ada, grace]) await messages(page, 'By a bot').getByText('Ada via Deploy bot').waitFor()
  expect(await messages(grace, 'By hand').getByText('via').count()).toBe(0)
  expect(await messages(grace, 'By a bot').getAttribute('aria-label')).toMatch(/^Ada via Deploy bot, /)
  // A message that arrives while the page is open shows its program too.
  await sendWith(created.accessToken, threadID, 'Later')
  await messages(grace, 'Later').getByText('Ada via a personal access token').waitFor()
  await send(ada, site, { threadID, message: { text: 'By hand again' } })
  const last = messages(grace, 'By hand again')
  await last.getByText('Ada', { exact: true }).waitFor()
  expect(await last.getByText('via').count()).toBe(0)
})

/** Creates an app, lets it act as the person of a page, and returns its access token. */
async function tokenOfDeployBot(page: Page): Promise<string> {
  const { workspaceID, baseURL } = site.starter
  const input = { workspaceID, name: 'Deploy bot', redirectURIs: [callback.url] }
  const { clientID, clientSecret } = await operate(site, 'createApp', input, 'clientID clientSecret')
  const request = { response_type: 'code', client_id: clientID, redirect_uri: callback.url, act_as: 'user' }
  const scope = 'threads:read threads.messages:write'
  await page.goto(`/oauth/authorize?${new URLSearchParams({ ...request, scope })}`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${callback.url}?**`)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback.url,
    client_id: clientID,
    client_secret: clientSecret,
  })
  const answer = await fetch(`${baseURL}/oauth/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}
