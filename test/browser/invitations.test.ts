import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, change } from './ask.ts'
import { pressAndConfirm } from './settings-form.ts'
import { joinBy, operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
const password = 'seven purple ladders hum'
let ada: Page

beforeAll(async () => {
  ada = await visits.signedInAs('ada', { permissions: ['clipboard-read', 'clipboard-write'] })
})

afterEach(() => visits.expectNoProblems())

const emails = () => ada.getByLabel('Email addresses')
const row = (list: string, text: string) =>
  ada.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: text })
const clipboard = () => ada.evaluate<string>('navigator.clipboard.readText()')
const linkFor = (email: string) => ada.getByRole('textbox', { name: `Invitation for ${email}` }).inputValue()

/** Invites somebody under Settings → People, and returns the link. */
async function invite(email: string): Promise<string> {
  await ada.goto(`${site.home}/settings/people`)
  await emails().fill(email)
  await ada.getByRole('button', { name: 'Invite', exact: true }).click()
  return linkFor(email)
}

describe('Settings → People', () => {
  test('an admin invites several people at once, and corrects the address that fails', async () => {
    await ada.goto(`${site.home}/settings/people`)
    await emails().fill('Joan Miller <joan@example.com>, sam.hill@example.com\nno-address')
    await ada.getByRole('button', { name: 'Invite 3 people' }).click()
    await ada.getByText('no-address: Email must be an email address, such as ada@example.com.').waitFor()
    expect(await emails().inputValue()).toBe('no-address')
    const [joan, sam] = [await linkFor('joan@example.com'), await linkFor('sam.hill@example.com')]
    await ada.getByText('Copied to the clipboard.').waitFor()
    expect(await clipboard()).toBe(`joan@example.com ${joan}\nsam.hill@example.com ${sam}`)
    await row('People', 'Joan Miller').getByText('Not signed in yet').waitFor()
    await row('People', 'Sam Hill').getByText('Not signed in yet').waitFor()
    await emails().fill('max@example.com')
    await ada.getByText('no-address').waitFor({ state: 'detached' })
    await ada.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await linkFor('max@example.com')
    await expect.poll(clipboard).toBe(link)
    expect(await emails().inputValue()).toBe('')
    await row('Invitations', 'max@example.com')
      .getByText(/^Invited by Ada on .+\. Expires on .+\.$/)
      .waitFor()
  })

  test('a new link replaces the earlier one, and a revoked link says that it was revoked', async () => {
    const first = await invite('tom@example.com')
    await ada.getByRole('button', { name: 'New link for tom@example.com' }).click()
    const dialog = ada.getByRole('dialog', { name: 'Invite Tom again' })
    const second = await dialog.getByRole('textbox').inputValue()
    await expect.poll(clipboard).toBe(second)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await pressAndConfirm(ada, 'Revoke the invitation of tom@example.com')
    await row('Invitations', 'tom@example.com').waitFor({ state: 'detached' })
    await row('People', 'tom@example.com').waitFor({ state: 'detached' })
    const { page } = await visits.open()
    await page.goto(first)
    await page
      .getByText('This link is not valid. It may have expired, or it was already used or replaced.')
      .waitFor()
    await page.goto(second)
    await page.getByText('This invitation was revoked by an admin.').waitFor()
    const opened = [first, second].map((link) => `GET ${new URL(link).pathname}: 403`)
    visits.expectNoProblems({ failures: opened })
  })

  test('shows at once that a person has joined, who chose their name and a password on one page', async () => {
    const link = await invite('rosa@example.com')
    await row('People', 'rosa@example.com').getByText('Not signed in yet').waitFor()
    const { page } = await visits.open()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Skein starter' }).waitFor()
    await page.getByText('Ada invited you as rosa@example.com.').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Rosa')
    await page.getByLabel('Your name').fill('Rosa Parks')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('button', { name: 'Rosa Parks, your menu' }).waitFor()
    expect(await page.getByRole('complementary', { name: 'Password' }).count()).toBe(0)
    await row('Invitations', 'rosa@example.com').waitFor({ state: 'detached' })
    await row('People', 'Rosa Parks').waitFor()
    expect(await row('People', 'Rosa Parks').getByText('Not signed in yet').count()).toBe(0)
    await ada.getByRole('button', { name: 'Actions for Rosa Parks' }).click()
    await ada.getByRole('menuitem', { name: 'Copy ID for programs' }).waitFor()
    expect(await ada.getByRole('menuitem', { name: 'Mail a sign-in link' }).count()).toBe(0)
    await ada.keyboard.press('Escape')
  })
})

test('a person whom somebody else adds to a group is told so once, with a link to the group', async () => {
  const { page } = await visits.open()
  await joinBy(page, await invite('vera@example.com'), password)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const { me } = await ask(page, site, '{ me { id } }')
  const { group } = await change(
    ada,
    site,
    'createGroup',
    { name: 'Design', isPrivate: true },
    'group { id }',
  )
  await change(ada, site, 'addMembers', { groupID: group.id, userIDs: [me.id] })
  const notice = page.getByText('Ada added you to Design.')
  await notice.getByRole('link', { name: 'Design' }).click()
  await page.getByRole('heading', { name: 'Design' }).waitFor()
  expect(await notice.count()).toBe(0)
  const byOperator = async (name: string) => {
    const input = { workspaceID: site.starter.workspaceID, name }
    return (await operate(site, 'createGroup', input, 'group { id }')).group.id
  }
  await change(page, site, 'joinGroup', { groupID: await byOperator('Joined') })
  const groupID = await byOperator('Other')
  await operate(site, 'addMembers', { groupID, userIDs: [me.id] }, 'group { id }')
  await page.getByText('You were added to Other.').waitFor()
  // The person joined the group Joined themselves.
  expect(await page.getByText(/added (you )?to/).count()).toBe(1)
  await page.getByRole('button', { name: 'Dismiss: Other' }).click()
  await page.getByText('You were added to Other.').waitFor({ state: 'detached' })
})
