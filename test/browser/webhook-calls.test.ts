import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { problemsOf } from './page-problems.ts'
import { copied, secretOnce } from './settings-form.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let ada: Page
let settings: string

beforeAll(async () => {
  settings = `${site.home}/settings`
  ada = await visits.signedInAs('ada', { permissions: ['clipboard-read', 'clipboard-write'] })
})

afterEach(() => visits.expectNoProblems())

const calls = () => ada.getByRole('table', { name: 'Last calls' }).locator('tbody')

/** Waits for a call with a result, the mark and the status of its answer, and a format. */
async function expectCall(result: string, answer: string, format: string): Promise<void> {
  const call = calls().filter({ hasText: result })
  await call.getByRole('cell', { name: answer, exact: true }).waitFor()
  await call.getByText(`${format} ·`).waitFor()
}
const tab = (name: string) => ada.getByRole('tab', { name, exact: true })
const example = (name: string) => ada.getByRole('region', { name, exact: true })

async function post(url: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

/** Checks the page in both color schemes and on a phone. */
async function expectAccessible(name: string): Promise<void> {
  // For two seconds after a copy, the label of the button is its outcome.
  await expect.poll(() => ada.getByText('Copied', { exact: true }).count(), { timeout: 20_000 }).toBe(0)
  const problems: string[] = []
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const) {
    await ada.emulateMedia({ colorScheme })
    await ada.setViewportSize({ width, height: 800 })
    problems.push(...(await problemsOf(ada, `${name}, ${colorScheme}, ${width}`)))
  }
  await ada.emulateMedia({ colorScheme: null })
  await ada.setViewportSize({ width: 1280, height: 800 })
  expect(problems).toEqual([])
}

test('after a webhook is added, its page shows how to connect each sender, and the first calls', async () => {
  await ada.goto(`${settings}/webhooks/new`)
  await ada.getByLabel('Name').fill('Alerts')
  await ada.getByRole('button', { name: 'Add webhook' }).click()
  const url = await secretOnce(ada, 'Webhook URL', 'the webhook URL')
  const { groupID } = site.starter
  await ada.getByText('There are no calls yet.').waitFor()

  await tab('curl').focus()
  await ada.keyboard.press('ArrowRight')
  await example('Slack webhook URL').waitFor()
  expect(await copied(ada, 'the example')).toBe(`${url}/slack?target=${groupID}`)
  for (const [name, label, text] of [
    ['Alertmanager', 'alertmanager.yml', `url: ${url}/alertmanager?target=${groupID}`],
    ['Grafana', 'URL of the contact point', `${url}/grafana?target=${groupID}`],
    ['GitHub', 'Payload URL', `${url}/github?target=${groupID}`],
    ['GitLab', 'URL', `${url}/gitlab?target=${groupID}`],
    ['GitHub Actions', 'Step of a workflow', `"$SKEIN_URL?target=${groupID}&`],
    ['Jenkins', 'Jenkinsfile', `"$SKEIN_URL?target=${groupID}&`],
    ['Python', 'Python', `url = "${url}"`],
    ['Go', 'main.go', `http.Post("${url}"`],
  ] as const) {
    await tab(name).click()
    expect(await example(label).innerText()).toContain(text)
  }
  await expectAccessible('senders')

  expect(await post(`${url}/slack?target=${groupID}`, '{}')).toBe(400)
  await expectCall('Refused', 'Failed 400', 'slack')
  expect(await post(`${url}/slack?target=${groupID}`, '{"text":"Hello from Slack"}')).toBe(200)
  await ada.getByText('The first message from Alerts arrived:').waitFor()
  await expectCall('1 message posted', 'Succeeded 200', 'slack')
})

test('a person expands a call, and sends it again', async () => {
  const { workspaceID, groupID } = site.starter
  const selection = 'url webhook { id }'
  const { url, webhook } = await operate(site, 'createWebhook', { workspaceID, name: 'Builds' }, selection)
  await ada.goto(`${settings}/webhooks/${webhook.id}`)
  await example('Command').getByText('WEBHOOK_URL').waitFor()
  const body = { target: groupID, text: 'Build 7', uniqueBy: 'build', token: 'hidden', textt: 'x' }
  expect(await post(url, JSON.stringify(body))).toBe(200)

  const posted = calls().filter({ hasText: '1 message posted' })
  await posted.getByText('Fields that were left out: textt').waitFor()
  await posted.getByRole('button', { name: 'Show details' }).press('Enter')
  await posted.getByRole('link', { name: 'Message in a group chat' }).waitFor()
  const sent = posted.getByRole('region', { name: 'Body' })
  expect(await sent.innerText()).toContain('"token": "[removed]"')
  await expectAccessible('a call')

  await posted.getByRole('button', { name: 'Send again' }).click()
  await expectCall('1 message updated', 'Succeeded 200', 'plain URL')
  expect(await calls().count()).toBe(2)
  await posted.getByRole('link', { name: 'Message in a group chat' }).click()
  await ada.getByRole('article').getByText('Build 7').waitFor()
})

test('what was sent to a group that a person cannot see is not shown', async () => {
  const { workspaceID } = site.starter
  const { url, webhook } = await operate(
    site,
    'createWebhook',
    { workspaceID, name: 'Leads' },
    'url webhook { id user { id } }',
  )
  const { group } = await operate(
    site,
    'createGroup',
    { workspaceID, name: 'Others', isPrivate: true },
    'group { id }',
  )
  await operate(site, 'addMembers', { groupID: group.id, userIDs: [webhook.user.id] }, '__typename')
  expect(await post(url, JSON.stringify({ target: group.id, text: 'Hidden' }))).toBe(200)
  await ada.goto(`${settings}/webhooks/${webhook.id}`)
  await calls().getByRole('button', { name: 'Show details' }).click()
  await ada.getByText('The body cannot be shown: it is not stored, or the call went to a group').waitFor()
  expect(await ada.getByRole('button', { name: 'Send again' }).count()).toBe(0)
})
