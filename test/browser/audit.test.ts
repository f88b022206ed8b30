import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let ada: Page
let path: string

beforeAll(async () => {
  path = `${site.home}/settings/audit`
  ada = await visits.signedInAs('ada')
})

afterEach(() => visits.expectNoProblems())

const entries = () => ada.getByRole('list', { name: 'Audit log' }).getByRole('listitem')

test('an admin finds a change by its kind, its day and its author, and saves what is shown', async () => {
  const { workspaceID } = site.starter
  await operate(site, 'createGroup', { workspaceID, name: 'Kitchen' }, 'group { id }')
  await ada.goto(path)
  await entries().filter({ hasText: 'Group created: Kitchen' }).getByText('The operator').waitFor()
  await entries().filter({ hasText: 'Sign-in' }).first().getByText('127.0.0.1').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await ada.emulateMedia({ colorScheme })
    expect(await problemsOf(ada, `${colorScheme} audit log`)).toEqual([])
  }
  await ada.getByLabel('Show', { exact: true }).selectOption('Group created')
  await expect.poll(() => entries().count()).toBe(3)
  await ada.getByLabel('To', { exact: true }).fill('2020-01-31')
  await ada.getByText('There are no entries to show.').waitFor()
  await ada.getByLabel('To', { exact: true }).fill('')
  await ada.getByLabel('Show', { exact: true }).selectOption('Sign-in')
  await ada.getByRole('button', { name: 'Show only these, of ada@example.com' }).first().click()
  await ada.getByRole('button', { name: 'Only ada@example.com' }).waitFor()
  await ada.getByLabel('Show', { exact: true }).selectOption('All entries')
  const [download] = await Promise.all([
    ada.waitForEvent('download'),
    ada.getByRole('button', { name: 'Export as JSON lines' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: 'signIn', outcome: 'done', actor: { name: 'ada@example.com', means: 'link' } },
  ])
})

test('a member has no page of the audit log', async () => {
  const grace = await visits.signedInAs('grace')
  await grace.goto(`${site.home}/settings/profile`)
  await grace.getByRole('navigation', { name: 'Settings' }).getByText('Apps').waitFor()
  expect(await grace.getByRole('navigation', { name: 'Settings' }).getByText('Audit log').count()).toBe(0)
  await grace.goto(path)
  await grace.getByRole('heading', { name: 'Page not found' }).waitFor()
})
