import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { ask, change } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { pressAndConfirm, secretOnce } from './settings-form.ts'
import { operate, signInBy, signInLink, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let ada: Page
let grace: Page
let settings: string

beforeAll(async () => {
  settings = `${site.home}/settings`
  ada = await visits.signedInAs('ada', { permissions: ['clipboard-read', 'clipboard-write'] })
  grace = await visits.signedInAs('grace')
})

afterEach(() => visits.expectNoProblems())

const row = (page: Page, list: string, text: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: text })

test('a person changes their name, and the menu shows it', async () => {
  await grace.goto(`${settings}/profile`)
  await grace.getByLabel('Your name').fill('Grace Hopper')
  await grace.getByRole('button', { name: 'Save' }).click()
  await grace.getByText('Saved').waitFor()
  await grace.getByRole('button', { name: 'Grace Hopper, your menu' }).waitFor()
  expect(await ask(grace, site, '{ viewer { user { name } } }')).toEqual({
    viewer: { user: { name: 'Grace Hopper' } },
  })
})

test('a person chooses dark colors, which the page has from its first paint', async () => {
  await grace.goto(`${settings}/profile`)
  await grace.emulateMedia({ colorScheme: 'light' })
  const scheme = () => grace.evaluate<string>('document.documentElement.dataset.mantineColorScheme')
  await expect.poll(scheme).toBe('light')
  await grace.getByText('Dark', { exact: true }).click()
  await expect.poll(scheme).toBe('dark')
  expect(await problemsOf(grace, 'dark profile')).toEqual([])
  // Without the script of the web app, there is only the HTML.
  await grace.route('**/console/index-*.js', (route) => route.abort('aborted'))
  await grace.reload()
  expect(await scheme()).toBe('dark')
  await grace.unrouteAll()
  await grace.reload()
  await grace.getByText('System', { exact: true }).click()
  await expect.poll(scheme).toBe('light')
  await grace.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(scheme).toBe('dark')
  await grace.emulateMedia({ colorScheme: null })
})

test('each page sets the title of the tab, and a page that could not be loaded loads when it is opened again', async () => {
  const open = (name: string) => grace.getByRole('navigation', { name: 'Settings' }).getByText(name).click()
  const title = () => grace.title().then((text) => text.replace(/^\(\d+\) /, ''))
  await grace.goto(`${settings}/profile`)
  await expect.poll(title).toBe('Profile · Skein')
  await grace.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('peoplePageQuery') ? route.abort() : route.continue(),
  )
  await open('People')
  await grace.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  expect(await title()).toBe('Skein')
  await open('Apps')
  await expect.poll(title).toBe('Apps · Skein')
  const current = grace.locator('[aria-current=page]')
  expect(
    await current.evaluateAll((links) => links.map(({ textContent, ariaLabel }) => textContent || ariaLabel)),
  ).toEqual(['Settings', 'Apps'])
  await grace.unrouteAll()
  await open('People')
  await grace.getByRole('list', { name: 'People' }).waitFor()
  await expect.poll(title).toBe('People · Skein')
  visits.forgetProblems()
})

test('a person creates a token, which works until they revoke it', async () => {
  await ada.goto(`${settings}/profile`)
  await ada.getByRole('button', { name: 'Create token' }).click()
  await ada.getByLabel('Token name').fill('Backup')
  await ada.getByLabel('Expires after').selectOption('7 days')
  await ada.getByRole('button', { name: 'Create token' }).click()
  await row(ada, 'Personal access tokens', 'Backup').getByText('Never used').waitFor()
  const token = await secretOnce(ada, 'Personal access token')
  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ me { name } }' })
    return (await fetch(`${site.starter.baseURL}/public/graphql`, { method: 'POST', headers, body })).status
  }
  expect(await statusOf(token)).toBe(200)
  await ada.reload()
  await row(ada, 'Personal access tokens', 'Backup').getByText('Last used').waitFor()
  expect(await ada.getByRole('group', { name: 'Personal access token' }).count()).toBe(0)
  await pressAndConfirm(ada, 'Revoke Backup')
  await ada.getByText('You have no tokens.').waitFor()
  expect(await statusOf(token)).toBe(401)
})

test('a person ends one of their other sessions, and the page of the ended session shows the sign-in page', async () => {
  const { page: other } = await visits.open()
  await signInBy(other, await signInLink(site, 'ada@example.com'))
  await other.getByRole('heading', { name: 'Inbox' }).waitFor()
  await ada.goto(`${settings}/profile`)
  await row(ada, 'Sessions', '(this browser)').waitFor()
  await pressAndConfirm(ada, 'End the session of Chrome on Linux')
  await expect.poll(() => row(ada, 'Sessions', 'Chrome on Linux').count(), { timeout: 20_000 }).toBe(1)
  await other.waitForURL('**/signin?continue=*')
  await ada.reload()
  await row(ada, 'Sessions', '(this browser)').waitFor()
  // The page whose session was ended sent this request.
  visits.expectNoProblems({ failures: ['POST /public/graphql: 401'] })
})

test('an admin renames the workspace, gives it a picture, and allows members to create webhooks', async () => {
  await grace.goto(`${settings}/workspace`)
  await grace.getByText('Only admins can change these settings.').waitFor()
  await grace.getByText('Members can create webhooks and manage their own webhooks: no').waitFor()
  expect(await grace.getByRole('main').getByRole('textbox').count()).toBe(0)
  expect(await grace.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await ada.goto(`${settings}/workspace`)
  await ada.getByLabel('Name', { exact: true }).fill('Northwind')
  await ada.getByRole('switch', { name: 'Members can create webhooks' }).check()
  await ada.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('Saved').waitFor()
  await ada.getByRole('navigation', { name: 'Workspace' }).getByText('Northwind').waitFor()
  const picture = ada.getByRole('navigation', { name: 'Workspace' }).locator('img')
  // The visit would fail if the page loaded a picture from another host.
  await ada.getByLabel('Picture URL').fill('https://example.com/logo.svg')
  await ada.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('Saved').waitFor()
  expect(await picture.count()).toBe(0)
  const saved = async (body: string) => {
    await ada.route('**/logo*.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body }))
    await ada.getByLabel('Picture URL').fill(`${site.starter.baseURL}/logo${body.length}.svg`)
    await ada.getByRole('button', { name: 'Save' }).click()
  }
  await saved('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
  await expect.poll(() => picture.evaluate((one: { naturalWidth: number }) => one.naturalWidth)).toBe(8)
  await saved('This is not a picture.')
  await picture.waitFor({ state: 'detached' })
  await ada.locator('[data-initials=N]').waitFor()
  await ada.getByLabel('Picture URL').fill('')
  await ada.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('Saved').waitFor()
  const { workspaceID } = site.starter
  const query = `{ workspace(id: "${workspaceID}") { name membersMayCreateApps membersMayCreateWebhooks } }`
  expect((await ask(ada, site, query)).workspace).toEqual({
    name: 'Northwind',
    membersMayCreateApps: false,
    membersMayCreateWebhooks: true,
  })
  await grace.goto(`${settings}/apps`)
  await grace.getByRole('link', { name: 'Add webhook' }).waitFor()
  await grace.goto(`${settings}/apps/install`)
  await grace.getByText('Only admins can install apps.').waitFor()
})

test('an admin makes a member an admin, and removes a person from the workspace', async () => {
  const roles = async () => {
    const query = `{ group(id: "${site.starter.workspaceID}") {
      members(first: 20) { edges { role node { email deletedAt } } }
    } }`
    const { edges } = (await ask(ada, site, query)).group.members
    type Edge = { role: string; node: { email: string | null } }
    return Object.fromEntries(
      edges.flatMap(({ role, node: { email } }: Edge) => (email === null ? [] : [[email, role]])),
    )
  }
  await grace.goto(`${settings}/people`)
  await grace.getByText('Only admins can invite and remove people.').waitFor()
  await ada.goto(`${settings}/people`)
  await ada.getByLabel('Role of Grace').selectOption('Admin')
  await expect.poll(roles, { timeout: 20_000 }).toMatchObject({ 'grace@example.com': 'admin' })
  // The page of Grace changes without a reload, and so does the page of Ada when Grace changes a role.
  await grace.getByLabel('Role of Linus').selectOption('Admin')
  await expect.poll(() => ada.getByLabel('Role of Linus').inputValue()).toBe('admin')
  await ada.getByLabel('Role of Linus').selectOption('Member')
  await expect.poll(() => grace.getByLabel('Role of Linus').inputValue()).toBe('member')
  await pressAndConfirm(ada, 'Deactivate Linus')
  await row(ada, 'People', 'linus@example.com').waitFor({ state: 'hidden' })
  expect(await roles()).toEqual({ 'ada@example.com': 'admin', 'grace@example.com': 'admin' })
})

test('the pages of a group and of the apps change when an admin becomes a member', async () => {
  const { workspaceID, groupID, userIDs } = site.starter
  const setRole = (role: string) =>
    operate(site, 'updateMember', { groupID: workspaceID, userID: userIDs[1], role }, 'memberEdge { role }')
  await grace.goto(`/${workspaceID}/groups/${groupID}`)
  const edit = grace.getByRole('menuitem', { name: 'Edit group' })
  await grace.getByRole('button', { name: 'Actions for Builds' }).click()
  await edit.waitFor()
  await setRole('member')
  await edit.waitFor({ state: 'detached' })
  await grace.goto(`${settings}/apps`)
  await grace.getByText('Only admins can create apps.').waitFor()
  expect(await grace.getByRole('link', { name: 'Starter app' }).count()).toBe(0)
  await setRole('admin')
  await grace.getByRole('link', { name: 'Starter app' }).first().waitFor()
  await grace.getByRole('link', { name: 'Create an app' }).waitFor()
})

test('an admin renames a webhook, and sees when it was last used', async () => {
  const { workspaceID, groupID } = site.starter
  const { webhook, url } = await operate(
    site,
    'createWebhook',
    { workspaceID, name: 'Old build' },
    'webhook { id } url',
  )
  await ada.goto(`${settings}/webhooks/${webhook.id}`)
  await ada.getByText('Never used').waitFor()
  await ada.getByLabel('Name', { exact: true }).fill('New build')
  await ada.getByLabel('Description (optional)').fill('Posts each night.')
  await ada.getByRole('button', { name: 'Save', exact: true }).click()
  await ada.getByText('Saved').waitFor()
  await ada.getByRole('heading', { name: 'New build' }).waitFor()

  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ target: groupID, subject: 'Renamed', text: 'Called' })
  const answer = await fetch(url, { method: 'POST', headers, body })
  const { threadID } = (await answer.json()) as { threadID: string }
  await ada.goto(`/${workspaceID}/threads/${threadID}`)
  await ada.getByRole('article').filter({ hasText: 'New build' }).getByText('Called').waitFor()
  const used = async () => {
    await ada.goto(`${settings}/apps`)
    return row(ada, 'Webhooks', 'New build').innerText()
  }
  // The service writes the time soon after the call.
  await expect.poll(used, { timeout: 20_000 }).toMatch(/Posts each night\.(?:.*\n)+Used /)
  await ada.getByRole('button', { name: 'Actions for New build' }).click()
  await ada.getByRole('menuitem', { name: 'Copy ID for programs' }).click()
  await ada.getByRole('menuitem', { name: 'Copied' }).waitFor()
  expect(await ada.evaluate<string>('navigator.clipboard.readText()')).toBe(webhook.id)
  await ada.goto(`${settings}/webhooks/${webhook.id}`)
  await ada.getByText(/Last used .* \(accurate to about ten minutes\)/).waitFor()
  await ada.getByRole('button', { name: 'Delete the webhook' }).waitFor()
})

test('an admin adds a webhook, sees its URL even if the next request fails, replaces it, disables it, enables it and deletes it', async () => {
  const statusOf = async (url: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ target: site.starter.groupID, text: 'Called' })
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  await ada.goto(`${settings}/webhooks/new`)
  await ada.getByLabel('Name').fill('Nightly build')
  await ada.getByLabel('Description (optional)').fill('Posts at midnight.')
  await ada.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('webhookTrialQuery') ? route.abort() : route.continue(),
  )
  await ada.getByRole('button', { name: 'Add webhook' }).click()
  await ada.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  const first = await secretOnce(ada, 'Webhook URL', 'the webhook URL')
  await ada.unrouteAll()
  visits.forgetProblems()
  await ada.getByRole('button', { name: 'Try again' }).click()
  expect(await statusOf(first)).toBe(200)
  const group = ada.getByRole('combobox', { name: 'Group that receives the messages' })
  await expect.poll(() => group.inputValue()).toBe('Builds')
  // A new webhook cannot post in a private group.
  await group.fill('leads')
  await ada.getByText('No matches').first().waitFor()
  await group.fill('gen')
  await ada.getByRole('option', { name: 'General' }).click()
  const command = ada.getByRole('region', { name: 'Command' })
  await expect.poll(() => command.innerText()).not.toContain(site.starter.groupID)
  await ada.getByRole('link', { name: 'Open the settings of Nightly build' }).click()
  await ada.getByText('Enabled', { exact: true }).waitFor()

  await pressAndConfirm(ada, 'Replace the URL')
  const second = await secretOnce(ada, 'Webhook URL', 'the webhook URL')
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  await ada.getByText('The first message from Nightly build arrived:').waitFor()

  await pressAndConfirm(ada, 'Disable')
  await ada.getByText('Disabled', { exact: true }).waitFor()
  expect(await statusOf(second)).toBe(404)
  await ada.getByRole('button', { name: 'Enable' }).click()
  await ada.getByText('Enabled', { exact: true }).waitFor()
  expect(await statusOf(second)).toBe(200)

  await pressAndConfirm(ada, 'Delete the webhook')
  await ada.waitForURL('**/settings/apps')
  await row(ada, 'Webhooks', 'Starter webhook').waitFor()
  expect(await row(ada, 'Webhooks', 'Nightly build').count()).toBe(0)
  expect(await statusOf(second)).toBe(404)
})

test('an admin sets what a webhook does with calls, and keeps its old URL for a day', async () => {
  const { workspaceID, groupID } = site.starter
  const created = { workspaceID, name: 'Configured' }
  const { webhook, url } = await operate(site, 'createWebhook', created, 'webhook { id } url')
  const statusOf = async (url: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const fields = 'defaultTarget allowedTargets format resolvedCalls restDays expiresAt'
  const saved = () => ask(ada, site, `{ node(id: "${webhook.id}") { ... on Webhook { ${fields} } } }`)
  await ada.goto(`${settings}/webhooks/${webhook.id}`)
  const section = ada.getByRole('region', { name: 'Calls' })
  await section.getByRole('combobox', { name: 'Default group' }).fill('buil')
  await ada.getByRole('option', { name: 'Builds' }).click()
  await section.getByRole('combobox', { name: 'Allowed groups' }).fill('buil')
  await ada.getByRole('option', { name: 'Builds' }).click()
  await section.getByLabel('Format').selectOption('Flat JSON')
  await section.getByRole('switch', { name: 'Messages about resolved alerts' }).check()
  await section.getByLabel('Days after which').fill('7')
  await section.getByLabel('Expires').fill('2999-01-31T12:00')
  await section.getByRole('button', { name: 'Save the settings' }).click()
  await section.getByText('Saved').waitFor()
  expect(await saved()).toEqual({
    node: {
      defaultTarget: groupID,
      allowedTargets: [groupID],
      format: 'json',
      resolvedCalls: true,
      restDays: 7,
      expiresAt: new Date('2999-01-31T12:00').toISOString(),
    },
  })
  expect(await statusOf(url, { msg: 'Called' })).toBe(200)
  await ada.reload()
  await expect
    .poll(() => section.getByRole('combobox', { name: 'Default group' }).inputValue())
    .toBe('Builds')
  expect(await section.getByLabel('Expires').inputValue()).toBe('2999-01-31T12:00')
  expect(await problemsOf(ada, 'settings of a webhook')).toEqual([])
  await section.getByLabel('Expires').fill('2020-01-31T12:00')
  await section.getByRole('button', { name: 'Save the settings' }).click()
  await section.getByText('Expires at must be in the future.').waitFor()
  for (const label of ['Expires', 'Days after which']) await section.getByLabel(label).fill('')
  await section.getByLabel('Format').selectOption('Messages of Skein')
  await section.getByRole('button', { name: 'Clear the default group' }).click()
  await section.getByRole('button', { name: 'Save the settings' }).click()
  await section.getByText('Saved').waitFor()
  expect((await saved()).node).toMatchObject({
    defaultTarget: null,
    format: null,
    restDays: null,
    expiresAt: null,
  })

  await section.getByRole('switch', { name: 'Calls need a signature' }).check()
  await section.getByLabel('Signature secret', { exact: true }).fill('short')
  await section.getByRole('button', { name: 'Save the settings' }).click()
  await section.getByText('must have 16 to 255 characters').waitFor()
  await section.getByLabel('Signature secret', { exact: true }).fill('correct-horse-battery')
  await section.getByRole('button', { name: 'Save the settings' }).click()
  await section.getByLabel('New signature secret').waitFor()
  expect(await statusOf(url, { target: groupID, text: 'Unsigned' })).toBe(403)
  await section.getByRole('switch', { name: 'Calls need a signature' }).uncheck()
  await section.getByRole('button', { name: 'Save the settings' }).click()
  await section.getByText('Saved').waitFor()
  expect(await statusOf(url, { target: groupID, text: 'Unsigned' })).toBe(200)

  await ada.getByLabel('The old URL').selectOption('works for another 24 hours')
  await pressAndConfirm(ada, 'Replace the URL')
  const second = await secretOnce(ada, 'Webhook URL', 'the webhook URL')
  await ada.getByText(/^Until .+, the previous URL also works\.$/).waitFor()
  const call = { target: groupID, text: 'Called' }
  expect([await statusOf(url, call), await statusOf(second, call)]).toEqual([200, 200])
  await ada.getByRole('button', { name: 'End the previous URL' }).click()
  await ada.getByText(/the previous URL also works/).waitFor({ state: 'detached' })
  expect([await statusOf(url, call), await statusOf(second, call)]).toEqual([404, 200])
  await operate(site, 'deleteWebhook', { webhookID: webhook.id }, '__typename')
})

test('the list of webhooks changes without a reload when a webhook is added or deleted elsewhere', async () => {
  const created = { workspaceID: site.starter.workspaceID, name: 'Added elsewhere' }
  await ada.goto(`${settings}/apps`)
  await row(ada, 'Webhooks', 'Starter webhook').waitFor()
  const { webhook } = await operate(site, 'createWebhook', created, 'webhook { id }')
  await row(ada, 'Webhooks', 'Added elsewhere').waitFor()
  await operate(site, 'deleteWebhook', { webhookID: webhook.id }, '__typename')
  await row(ada, 'Webhooks', 'Added elsewhere').waitFor({ state: 'detached' })

  // Members see only the webhooks that they created.
  const { workspaceID: groupID, userIDs } = site.starter
  const setRole = (role: string) =>
    operate(site, 'updateMember', { groupID, userID: userIDs[1], role }, 'memberEdge { role }')
  await setRole('member')
  const input = { workspaceID: groupID, name: 'Of a member' }
  const { webhook: own } = await change(grace, site, 'createWebhook', input, 'webhook { id }')
  await grace.goto(`${settings}/apps`)
  await row(grace, 'Webhooks', 'Of a member').waitFor()
  expect(await row(grace, 'Webhooks', 'Starter webhook').count()).toBe(0)
  await operate(site, 'deleteWebhook', { webhookID: own.id }, '__typename')
  await row(grace, 'Webhooks', 'Of a member').waitFor({ state: 'detached' })
  await setRole('admin')
})

test('a list of more than 50 webhooks shows the others after "Show more"', async () => {
  const { workspaceID } = site.starter
  const created = await Promise.all(
    Array.from({ length: 51 }, (_, index) =>
      operate(site, 'createWebhook', { workspaceID, name: `Page test ${index}` }, 'webhook { id }'),
    ),
  )
  await ada.goto(`${settings}/apps`)
  const rows = ada.getByRole('list', { name: 'Webhooks', exact: true }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(50)
  await ada.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => row(ada, 'Webhooks', 'Page test').count()).toBe(51)
  await ada.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  await ada.goto(`${settings}/people`)
  await Promise.all(
    created.map(({ webhook }) => operate(site, 'deleteWebhook', { webhookID: webhook.id }, '__typename')),
  )
})

test('a form shows what another admin has saved, and saves only what the person has changed', async () => {
  const { workspaceID } = site.starter
  const created = { workspaceID, name: 'Report', description: 'Old' }
  const webhookID = (await operate(site, 'createWebhook', created, 'webhook { id }')).webhook.id
  const change = (values: object) =>
    operate(site, 'updateWebhook', { webhookID, ...values }, 'webhook { name description }')
  const description = ada.getByLabel('Description (optional)')
  await ada.goto(`${settings}/webhooks/${webhookID}`)
  await expect.poll(() => description.inputValue()).toBe('Old')
  await ada.getByRole('navigation', { name: 'Settings' }).getByText('Apps').click()
  await change({ description: 'New' })
  await ada.getByRole('link', { name: 'Report', exact: true }).click()
  await expect.poll(() => description.inputValue()).toBe('New')
  await ada.getByLabel('Name', { exact: true }).fill('Daily report')
  await change({ description: 'Newest' })
  await ada.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => description.inputValue()).toBe('Newest')
  const saved = { name: 'Daily report', description: 'Newest' }
  await expect.poll(async () => (await change({})).webhook).toEqual(saved)
})

test('a double click runs an action once', async () => {
  const { workspaceID } = site.starter
  const sent: string[] = []
  ada.on('request', (request) => sent.push(/mutation (\w+)/.exec(request.postData() ?? '')?.[1] ?? ''))
  /** Clicks twice at once, and again after the first response. Returns how often the mutation was sent. */
  const clickAgainAndAgain = async (button: Locator, mutation: string) => {
    const element = await button.elementHandle()
    const click = () => element?.evaluate((one: { click: () => void }) => one.click())
    const answered = ada.waitForResponse((response) => !!response.request().postData()?.includes(mutation))
    await element?.evaluate((one: { click: () => void }) => [one.click(), one.click()])
    await (await answered).finished()
    await click()
    await ask(ada, site, '{ viewer { user { id } } }')
    return sent.filter((name) => name === mutation).length
  }
  await ada.goto(`/${workspaceID}/groups/new`)
  await ada.getByLabel('Name').fill('Twice')
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/public/graphql', async (route) => {
    if (route.request().postData()?.includes('groupPageQuery')) await released
    await route.continue()
  })
  const create = ada.getByRole('button', { name: 'Create group' })
  expect(await clickAgainAndAgain(create, 'newGroupPageMutation')).toBe(1)
  release()
  await ada.getByRole('heading', { name: 'Twice' }).waitFor()
  await ada.unrouteAll({ behavior: 'wait' })
  const created = { workspaceID, name: 'Double click' }
  const { webhook } = await operate(site, 'createWebhook', created, 'webhook { id }')
  await ada.goto(`${settings}/webhooks/${webhook.id}`)
  await ada.getByRole('button', { name: 'Replace the URL' }).click()
  const replace = ada.getByRole('dialog').getByRole('button', { name: 'Replace the URL' })
  expect(await clickAgainAndAgain(replace, 'webhookUrlRotateMutation')).toBe(1)
  await ada.getByText('Waiting for the first call…').waitFor()
})

test('the lists of groups, members and people show the changes of others without a reload', async () => {
  const { workspaceID, userIDs } = site.starter
  const [adaID = ''] = userIDs
  const byGrace = (name: string, input: object, selection: string) =>
    change(grace, site, name, input, selection)
  const create = async (input: object) => (await byGrace('createGroup', input, 'group { id }')).group.id
  const join = (groupID: string, userID: string) =>
    byGrace('addMembers', { groupID, userIDs: [userID] }, 'group { id }')
  const invite = async (name: string) => {
    const input = { workspaceID, name, email: `${name}@example.com` }
    return (await operate(site, 'createUser', input, 'user { id }')).user.id
  }
  const deactivate = (userID: string) => operate(site, 'deleteUser', { userID }, 'user { id }')
  await ada.goto(`/${workspaceID}/groups`)
  const list = ada.getByRole('main')
  await list.getByRole('link', { name: 'General' }).waitFor()
  const hidden = await create({ name: 'Board', isPrivate: true })
  const groupID = await create({ name: 'Kitchen' })
  await list.getByRole('link', { name: 'Kitchen' }).waitFor()
  expect(await list.getByRole('link', { name: 'Board' }).count()).toBe(0)
  await join(hidden, adaID)
  // One link is in the list, and one in the line that says who added Ada.
  const board = list.getByRole('link', { name: 'Board' })
  await expect.poll(() => board.count()).toBe(2)
  await ada.getByText(/^Grace.* added you to Board\.$/).waitFor()
  await byGrace('removeMembers', { groupID: hidden, userIDs: [adaID] }, 'group { id }')
  await expect.poll(() => board.count()).toBe(0)

  await list.getByRole('link', { name: 'Kitchen' }).click()
  await byGrace('updateGroup', { groupID, name: 'Canteen', description: 'For lunch' }, 'group { id }')
  await ada.getByRole('heading', { name: 'Canteen' }).waitFor()
  await ada.getByText('For lunch').waitFor()
  await ada.getByRole('button', { name: '1 member' }).click()
  const panel = ada.getByRole('complementary', { name: 'Group details' })
  await panel.getByText(/^Grace/).waitFor()
  const eve = await invite('Eve')
  await join(groupID, eve)
  await panel.getByText('Eve', { exact: true }).waitFor()
  await deactivate(eve)
  await panel.getByText('Eve', { exact: true }).waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Close' }).click()
  await ada.getByRole('button', { name: '1 member' }).waitFor()

  await ada.goto(`${settings}/people`)
  await row(ada, 'People', 'Grace').waitFor()
  const mallory = await invite('Mallory')
  await row(ada, 'People', 'Mallory').getByText('Not signed in yet').waitFor()
  const link = await signInLink(site, 'Mallory@example.com')
  await fetch(link, { method: 'POST', headers: { origin: new URL(link).origin } })
  await row(ada, 'People', 'Mallory').getByText('Not signed in yet').waitFor({ state: 'detached' })
  await deactivate(mallory)
  await row(ada, 'People', 'Mallory').waitFor({ state: 'detached' })
})
