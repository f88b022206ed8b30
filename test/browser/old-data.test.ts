import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { send } from './ask.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const isLate = (page: Page) => page.getByText('The service does not answer. Trying again…')

/** Refuses a query as a busy service does. Returns a function that returns how often it was refused. */
async function refuse(page: Page, query: string): Promise<() => number> {
  let refused = 0
  await page.route('**/public/graphql', (route) => {
    if (!route.request().postData()?.includes(`query ${query}`)) return route.continue()
    refused += 1
    const error = { message: 'The database is unavailable.', extensions: { code: 'UNAVAILABLE' } }
    return route.fulfill({ status: 503, json: { errors: [error] } })
  })
  return () => refused
}

const settings = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()

test('a page that cannot be loaded again keeps what it shows, and is not asked for after the person has left it', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/settings/people`)
  await ada.getByText('grace@example.com').waitFor()
  await settings(ada, 'Profile')
  await ada.getByLabel('Name').waitFor()
  const refused = await refuse(ada, 'peoplePageQuery')
  await settings(ada, 'People')
  await isLate(ada).waitFor()
  await ada.getByText('grace@example.com').waitFor()
  await expect.poll(refused).toBeGreaterThan(2)
  await settings(ada, 'Profile')
  await isLate(ada).waitFor({ state: 'hidden' })
  const before = refused()
  await setTimeout(5000)
  expect(refused()).toBe(before)
  await settings(ada, 'People')
  await isLate(ada).waitFor()
  await ada.unrouteAll()
  await isLate(ada).waitFor({ state: 'hidden' })
  visits.forgetProblems()
})

test('a thread that was open before says without a connection that it could not be loaded, and is shown later', async () => {
  const ada = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject: 'Once open' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'Read before' } })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'Read before').waitFor()
  await ada.getByRole('link', { name: 'Search' }).first().click()
  await ada.getByRole('heading', { name: 'Search' }).waitFor()
  await ada.context().setOffline(true)
  await ada.goBack()
  await ada.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  await ada.getByRole('button', { name: 'Try again' }).waitFor()
  await ada.context().setOffline(false)
  await messages(ada, 'Read before').waitFor()
  visits.forgetProblems()
})

test('a second export of the same entries says that it has failed', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/settings/audit`)
  const button = ada.getByRole('button', { name: 'Export as JSON lines' })
  const saved = ada.waitForEvent('download')
  await button.click()
  await saved
  await refuse(ada, 'exportButtonQuery')
  await button.click()
  await ada.getByText('The entries could not be loaded. Try again.').waitFor()
  expect(await isLate(ada).count()).toBe(0)
  visits.forgetProblems()
})
