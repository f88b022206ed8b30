import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { allowsLoopback, startReceiver } from '../support/event-receiver.ts'
import { ask, change, send } from './ask.ts'
import { startCallbackServer } from './callback-server.ts'
import { copied, pressAndConfirm, secretOnce } from './settings-form.ts'
import { siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const receiver = await startReceiver()
const site = siteOfFile(allowsLoopback)
const visits = startVisits(site)
let callback: Awaited<ReturnType<typeof startCallbackServer>>
let page: Page
let settings: string
let appID: string
let secret: string

beforeAll(async () => {
  callback = await startCallbackServer()
  settings = `${site.home}/settings`
  page = await visits.signedInAs('ada', { permissions: ['clipboard-read', 'clipboard-write'] })
})

afterAll(() => callback?.close())
afterEach(() => visits.expectNoProblems({ otherOrigins: [callback.origin] }))

/** The rows of the deliveries. Each has a second part while its attempts are shown. */
const deliveries = () => page.getByRole('table', { name: 'Deliveries' }).locator('tbody')
const answer = (delivery: Locator, name: string) => delivery.getByRole('cell', { name, exact: true })
const tries = (delivery: Locator, count: number) =>
  delivery.getByRole('cell', { name: String(count), exact: true })

/** Requests a token as the app, with the given parameters. */
async function requestToken(clientSecret: string, parameters: Record<string, string>) {
  const body = new URLSearchParams({
    client_id: appID,
    client_secret: clientSecret,
    redirect_uri: callback.url,
    ...parameters,
  })
  const answer = await fetch(`${site.starter.baseURL}/oauth/token`, { method: 'POST', body })
  return { status: answer.status, ...((await answer.json()) as { access_token?: string; scope?: string }) }
}

const tokenOfApp = (clientSecret: string) =>
  requestToken(clientSecret, { grant_type: 'client_credentials', subject: site.starter.workspaceID })

/** Opens the consent page of the app, allows what it requests, and returns the code. */
async function allow(parameters: Record<string, string>): Promise<string> {
  const request = { response_type: 'code', client_id: appID, redirect_uri: callback.url, ...parameters }
  await page.goto(`/oauth/authorize?${new URLSearchParams(request)}`)
  await page.getByRole('heading', { name: 'Calendar requests access' }).waitFor()
  await page.getByText('Plans meetings.').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${callback.url}?**`)
  const { searchParams } = new URL(page.url())
  expect(searchParams.get('state')).toBe(parameters.state)
  return searchParams.get('code') ?? ''
}

const statusOf = async (token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query: '{ me { id } }' })
  return (await fetch(`${site.starter.baseURL}/public/graphql`, { method: 'POST', headers, body })).status
}

/** Runs a command that the page shows, and returns its output. */
async function ranCommand(name: string, change = (command: string) => command): Promise<string> {
  const command = await page.getByRole('region', { name }).innerText()
  const { stdout } = await promisify(execFile)('bash', ['-c', change(command.trim())])
  return stdout
}

async function scopesInstalled(): Promise<string[] | null> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Installation { scopes } } }'
  const { node } = await ask(page, site, query, { id: `${appID}-${site.starter.workspaceID}` })
  return node?.scopes ?? null
}

test('an admin creates an app, and its secret is shown once', async () => {
  await page.goto(`${settings}/apps/new`)
  await page.getByLabel('Name').fill('Calendar')
  await page.getByLabel('Description (optional)').fill('Plans things.')
  const redirectURIs = page.getByLabel('Redirect URIs')
  await page.getByRole('button', { name: 'Create app' }).click()
  // The browser reports that this field is required.
  await page.locator('textarea:focus:invalid').waitFor()
  await redirectURIs.fill(`http://localhost/\n${callback.url}`)
  await page.getByRole('button', { name: 'Create app' }).click()
  await page.getByText('Calendar was created, and is installed in this workspace.').waitFor()
  appID = await copied(page, 'the client ID')
  secret = await secretOnce(page, 'Client secret')
  expect(appID).toMatch(/^app_/)
  const { access_token: token } = JSON.parse(await ranCommand('Run this command to get a token'))
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const call = (command: string) => command.replace('ACCESS_TOKEN', token)
  expect(JSON.parse(await ranCommand('Call the API', call))).toMatchObject({
    data: { me: { id: expect.stringMatching(/^usr_/) } },
  })
  await page.getByRole('link', { name: 'Open the settings of Calendar' }).click()
  await page.getByText('Installed', { exact: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Client ID' }).inputValue()).toBe(appID)
  expect(await page.getByRole('group', { name: 'Client secret' }).count()).toBe(0)
})

test('an admin changes the description of the app, which its page and the list of apps show', async () => {
  await page.goto(`${settings}/apps/${appID}`)
  await page.locator('main header').getByText('Plans things.').waitFor()
  const save = page.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await page.getByLabel('Description (optional)').fill('Plans meetings.')
  await save.click()
  await page.getByText('Saved').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await page.goto(`${settings}/apps`)
  for (const list of ['Installed apps', 'Apps of this workspace']) {
    const rows = page.getByRole('list', { name: list }).getByRole('listitem')
    await rows.filter({ hasText: 'Calendar' }).getByText('Plans meetings.').waitFor()
  }
})

test('an admin replaces the client secret, and only the new one works', async () => {
  await page.goto(`${settings}/apps/${appID}`)
  await pressAndConfirm(page, 'Replace the client secret')
  const before = secret
  secret = await secretOnce(page, 'Client secret')
  expect([(await tokenOfApp(before)).status, (await tokenOfApp(secret)).status]).toEqual([401, 200])
})

test('an admin uninstalls the app, and its token stops working', async () => {
  await page.goto(`${settings}/apps/${appID}`)
  await pressAndConfirm(page, 'Uninstall')
  await page.getByText('Not installed', { exact: true }).waitFor()
  expect(await scopesInstalled()).toBeNull()
  expect((await tokenOfApp(secret)).status).toBe(400)
})

test('an admin allows the app on the consent page, returns to the app, and sees that it is installed', async () => {
  const parameters = { scope: 'workspaces:read threads:read', state: 'from-the-app' }
  const code = await allow(parameters)
  expect(await requestToken(secret, { grant_type: 'authorization_code', code })).toMatchObject({
    status: 200,
    scope: parameters.scope,
  })
  expect(await scopesInstalled()).toEqual(['workspaces:read', 'threads:read'])
  await page.goto(`${settings}/apps/${appID}`)
  await page.getByText('Installed', { exact: true }).waitFor()
})

test('a person lets the app act for them, and revokes its access in the profile', async () => {
  const code = await allow({ scope: 'workspaces:read', state: 'for-ada', act_as: 'user' })
  const { access_token: token = '' } = await requestToken(secret, { grant_type: 'authorization_code', code })
  expect(await statusOf(token)).toBe(200)
  await page.goto(`${settings}/profile`)
  const grants = page.getByRole('list', { name: 'Apps that act for you' })
  await grants.getByText('Read the workspace').first().waitFor()
  await pressAndConfirm(page, 'Revoke the access of Calendar in Skein starter')
  await page.getByText('No app acts for you.').waitFor()
  expect(await statusOf(token)).toBe(401)
  expect((await tokenOfApp(secret)).status).toBe(200)
})

test('an admin changes what the app can do, and revokes its tokens', async () => {
  const { access_token: token = '' } = await tokenOfApp(secret)
  await page.goto(`${settings}/apps/${appID}`)
  await page.getByRole('button', { name: 'Change permissions' }).click()
  await page.getByRole('checkbox', { name: 'Read groups and their members.' }).check()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('listitem').filter({ hasText: 'Read groups and their members.' }).waitFor()
  expect((await scopesInstalled())?.toSorted()).toEqual(['groups:read', 'threads:read', 'workspaces:read'])
  await pressAndConfirm(page, 'Revoke tokens')
  await page.getByText(/^\d+ tokens? (was|were) revoked\.$/).waitFor()
  expect(await statusOf(token)).toBe(401)
})

test('an endpoint receives test events and messages, and an admin sees deliveries and their responses in the log, and resends an event', async () => {
  receiver.answer = (_received, response) => void response.writeHead(400).end('No such program')
  await page.goto(`${settings}/apps/${appID}`)
  await page.getByRole('button', { name: 'Add event endpoint' }).click()
  const url = page.getByLabel('Endpoint URL')
  await url.fill('https://10.0.0.1/events')
  await page.getByRole('button', { name: 'Add event endpoint' }).click()
  await page.locator('[aria-invalid=true][type=url]').waitFor()
  const problem = page.getByText('URL must use https and have a public address.')
  expect(await url.getAttribute('aria-describedby')).toContain((await problem.getAttribute('id')) ?? 'none')
  await url.fill(receiver.url)
  await page.getByLabel('Message sent').check()
  const group = page.getByRole('combobox', { name: 'Group' })
  await group.fill('bui')
  await page.getByRole('status').filter({ hasText: '1 match' }).waitFor()
  // Enter chooses the first match, and does not submit the form.
  await group.press('Enter')
  await expect.poll(() => group.inputValue()).toBe('Builds')
  await page.getByRole('button', { name: 'Add event endpoint' }).click()
  const signingSecret = await secretOnce(page, 'Signing secret')
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByText('Only from the group Builds').waitFor()

  const test = page.getByRole('button', { name: 'Send a test event' })
  await test.click()
  const first = deliveries().first()
  await first.getByText('Test event').waitFor()
  // The second click of a double click does not send a second event.
  await test.dispatchEvent('click', { detail: 2 })
  // The state of the endpoint depends on its deliveries.
  await page.getByText('Failing', { exact: true }).waitFor()
  await first.getByRole('button', { name: 'Show attempts' }).click()
  await first.getByText('Attempt 1: status 400').waitFor()
  await first.getByText('No such program').waitFor()
  receiver.answer = (_received, response) => void response.end('Now it works')
  await first.getByRole('button', { name: 'Send again' }).click()
  await answer(first, 'Succeeded 200').waitFor()
  await first.getByText(': status 200').waitFor()
  await first.getByText('Now it works').waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
  await pressAndConfirm(page, 'Disable')
  await page.getByText('Disabled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(await deliveries().count()).toBe(1)
  const [refused, accepted] = receiver.received.slice(0, 1).concat(receiver.received.slice(-1))
  expect(refused?.json.type).toBe('test')
  expect(accepted?.headers['webhook-id']).toBe(refused?.headers['webhook-id'])

  const thread = { recipients: [site.starter.groupID], subject: 'Heard' }
  await send(page, site, { thread, message: { text: 'The app hears this' } })
  await expect.poll(() => receiver.received.at(-1)?.json.type, { timeout: 30_000 }).toBe('message.created')
  const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
  expect(() => new Webhook(signingSecret).verify(body, headers as Record<string, string>)).not.toThrow()
  // The page shows a new delivery without a reload.
  await answer(deliveries().filter({ hasText: 'Message sent' }), 'Succeeded 200').waitFor()
})

test('after "Show more", the log shows new deliveries first, and the current states of all others', async () => {
  const endpointID = page.url().split('/').at(-1)
  const thread = { recipients: [site.starter.groupID], subject: 'Many deliveries' }
  const { threadID } = await send(page, site, { thread, message: { text: 'One of many' } })
  for (let sent = 1; sent <= 20; sent += 1)
    await send(page, site, { threadID, message: { text: 'One of many' } })
  const first =
    'query ($endpointID: ID!) { deliveries(endpointID: $endpointID, first: 100) { nodes { id } } }'
  const listed = async () => (await ask(page, site, first, { endpointID })).deliveries.nodes
  await expect.poll(async () => (await listed()).length).toBeGreaterThan(21)
  await page.reload()
  await page.getByRole('button', { name: 'Show more' }).click()
  const oldest = deliveries().filter({ hasText: 'Test event' })
  await tries(oldest, 2).waitFor()
  const count = await deliveries().count()
  await change(page, site, 'replayDelivery', { deliveryID: (await listed())[0].id })
  await answer(oldest, 'Succeeded 200').waitFor()
  await tries(oldest, 3).waitFor()
  receiver.answer = (_received, response) => void response.writeHead(400).end('Not now')
  await send(page, site, { threadID, message: { text: 'A new one' } })
  await answer(deliveries().first(), 'Pending').waitFor()
  await tries(deliveries().first(), 1).waitFor()
  expect(await deliveries().count()).toBe(count + 1)
  await deliveries().first().getByRole('button', { name: 'Skip' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
  await answer(deliveries().first(), 'Skipped').waitFor()
  await tries(deliveries().first(), 1).waitFor()
  receiver.answer = (_received, response) => void response.end()
  await deliveries().first().getByRole('button', { name: 'Send again' }).click()
  await answer(deliveries().first(), 'Succeeded 200').waitFor()
  await tries(deliveries().first(), 2).waitFor()

  const show = (filter: string) =>
    page.getByRole('group', { name: 'Show deliveries' }).getByRole('button', { name: filter }).click()
  await show('Skipped')
  await page.getByText('There are no deliveries to show.').waitFor()
  await show('Succeeded')
  await answer(deliveries().first(), 'Succeeded 200').waitFor()
  await tries(deliveries().first(), 2).waitFor()
})

test('an admin replaces the signing secret of the endpoint, and deletes the endpoint', async () => {
  await pressAndConfirm(page, 'Replace the signing secret')
  const signingSecret = await secretOnce(page, 'Signing secret')
  await page.getByText('events are also signed with the previous secret').waitFor()
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(before)
  const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
  expect(() => new Webhook(signingSecret).verify(body, headers as Record<string, string>)).not.toThrow()
  await pressAndConfirm(page, 'Delete the endpoint')
  await page.waitForURL(`**/settings/apps/${appID}`)
  await page.getByText('There are no event endpoints.').waitFor()
})

test('a dialog does not move when it opens, if the person prefers less motion', async () => {
  await page.goto(`${settings}/apps/${appID}`)
  await page.getByRole('button', { name: 'Delete the app' }).waitFor()
  const tops = await page.evaluate<number[]>(`(async () => {
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(({ textContent }) => textContent === 'Delete the app').click()
    const tops = []
    for (let frame = 0; frame < 40; frame += 1) {
      await new Promise(requestAnimationFrame)
      const dialog = document.querySelector('[role=dialog]')
      if (dialog) tops.push(dialog.getBoundingClientRect().top)
    }
    return tops
  })()`)
  expect([...new Set(tops)]).toEqual([tops[0]])
  await page.keyboard.press('Escape')
})

test('an admin deletes the app, and its page no longer exists', async () => {
  await page.goto(`${settings}/apps/${appID}`)
  await pressAndConfirm(page, 'Delete the app')
  await page.waitForURL('**/settings/apps')
  await page.getByRole('link', { name: 'Starter app' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Calendar' }).count()).toBe(0)
  expect((await tokenOfApp(secret)).status).toBe(401)
  await page.goto(`${settings}/apps/${appID}`)
  await page.getByRole('heading', { name: 'App not found' }).waitFor()
})
