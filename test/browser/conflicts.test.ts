import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pressAndConfirm } from './settings-form.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let page: Page

beforeAll(async () => {
  page = await visits.signedInAs('ada')
})

afterEach(() => visits.expectNoProblems())

/** Creates an object of the workspace, and returns its ID. */
async function create(type: 'User' | 'Group' | 'Webhook', input: { name: string; email?: string }) {
  const { workspaceID } = site.starter
  const field = type.toLowerCase()
  return (await operate(site, `create${type}`, { workspaceID, ...input }, `${field} { id }`))[field].id
}

const personIn = (list: string, name: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: name })

/** Returns the texts that a screen reader reads with a field that is not valid. */
async function textsAt(label: string): Promise<string[]> {
  const field = page.getByRole('textbox', { name: label })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  const ids = (await field.getAttribute('aria-describedby'))?.match(/\S+/g) ?? []
  return Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))
}

describe('Settings → People', () => {
  test('an admin deactivates a person and restores them, and sees each change without a reload', async () => {
    await create('User', { name: 'Bob', email: 'bob@example.com' })
    await page.goto(`${site.home}/settings/people`)
    await personIn('People', 'Bob').waitFor()
    const section = page.getByRole('region', { name: 'Deactivated people' })
    expect(await section.count()).toBe(0)
    await pressAndConfirm(page, 'Deactivate Bob')
    await personIn('Deactivated people', 'bob@example.com').waitFor()
    expect(await personIn('People', 'Bob').count()).toBe(0)
    await section.getByRole('button', { name: 'Restore Bob' }).click()
    await personIn('People', 'bob@example.com').getByText('Not signed in yet').waitFor()
    await section.waitFor({ state: 'detached' })
    await page.reload()
    await personIn('People', 'bob@example.com').waitFor()
  })

  test('an admin sees at once that somebody else has deactivated or restored a person', async () => {
    const userID = await create('User', { name: 'Dora', email: 'dora@example.com' })
    await page.goto(`${site.home}/settings/people`)
    await personIn('People', 'Dora').waitFor()
    await operate(site, 'deleteUser', { userID }, 'user { id }')
    await personIn('Deactivated people', 'Dora').waitFor()
    await operate(site, 'restoreUser', { userID }, 'user { id }')
    await personIn('People', 'Dora').waitFor()
    await personIn('Deactivated people', 'Dora').waitFor({ state: 'detached' })
  })

  test('an admin who invites the address of a deactivated person sees why not, and can invite a new person', async () => {
    const userID = await create('User', { name: 'Eve Former', email: 'eve@example.com' })
    await operate(site, 'deleteUser', { userID }, 'user { id }')
    await page.goto(`${site.home}/settings/people`)
    await personIn('Deactivated people', 'Eve Former').waitFor()
    const emails = page.getByLabel('Email addresses')
    const inviteNew = page.getByRole('button', { name: 'Invite a new person' })
    const invite = async () => {
      await emails.fill('Eve@example.com')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      const problem =
        'Email is the address of Eve Former, who was deactivated. Restore this person, or invite a new person.'
      await page.getByText(`Eve@example.com: ${problem}`).waitFor()
      expect(await emails.inputValue()).toBe('Eve@example.com')
    }
    await invite()
    await emails.fill('eva@example.com')
    await inviteNew.waitFor({ state: 'detached' })
    await invite()
    await inviteNew.click()
    await page.getByText('No email was sent. Send this link to the person yourself.').waitFor()
    await page.getByRole('textbox', { name: 'Invitation for Eve@example.com' }).waitFor()
    await personIn('People', 'Eve@example.com').getByText('Not signed in yet').waitFor()
    expect(await inviteNew.count()).toBe(0)
    await page.getByRole('button', { name: 'Restore Eve Former' }).click()
    await personIn('Deactivated people', 'Eve Former')
      .getByText('Email is already the email address of a person in the workspace.')
      .waitFor()
  })
})

describe('a name that is taken is reported at the field', () => {
  const taken = {
    group: 'Name is already the name of a public group.',
    webhook: 'Name is already the name of a webhook.',
  }

  test('when a person creates or renames a group', async () => {
    const groupID = await create('Group', { name: 'Kitchen' })
    await page.goto(`${site.home}/groups/new`)
    await page.getByLabel('Name').fill('BUILDS')
    await page.getByRole('button', { name: 'Create group' }).click()
    expect(await textsAt('Name')).toContain(taken.group)
    await page.goto(`${site.home}/groups/${groupID}`)
    await page.getByRole('button', { name: 'Actions for Kitchen' }).click()
    await page.getByRole('menuitem', { name: 'Edit group' }).click()
    await page.getByLabel('Name').fill('builds')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await textsAt('Name')).toContain(taken.group)
    await page.getByLabel('Name').fill('Builders')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Builders' }).waitFor()
  })

  test('when a person adds or renames a webhook', async () => {
    const webhookID = await create('Webhook', { name: 'Report' })
    await page.goto(`${site.home}/settings/webhooks/new`)
    await page.getByLabel('Name').fill('starter WEBHOOK')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await textsAt('Name')).toContain(taken.webhook)
    await page.goto(`${site.home}/settings/webhooks/${webhookID}`)
    await page.getByLabel('Name', { exact: true }).fill('starter WEBHOOK')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await textsAt('Name')).toContain(taken.webhook)
    await page.getByLabel('Name', { exact: true }).fill('Daily report')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()
  })
})
