import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { client, startIdentityProvider } from '../support/identity-provider.ts'
import { freePort } from '../support/process.ts'
import { joinBy, signInBy, signInLink, siteOfFile } from './site.ts'
import { messages, write } from './thread-page.ts'
import { startVisits } from './visits.ts'

const password = 'seven purple ladders hum'
const port = await freePort()
const provider = await startIdentityProvider(`http://localhost:${port}/signin/oidc/callback`)
const site = siteOfFile({
  PORT: String(port),
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_LABEL: 'Example',
})
const visits = startVisits(site)
const inbox = () => `${site.home}/inbox`
afterEach(() => visits.end({ otherOrigins: [provider.issuer] }))

/** Waits until the web app shows the inbox to the person. */
async function inboxOf(page: Page, name: string): Promise<void> {
  await page.waitForURL(`**${inbox()}`)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.getByRole('button', { name: `${name}, your menu` }).waitFor()
}

test('a person sets a password on the account page, signs out of the web app, and signs in with it', async () => {
  const page = await visits.signedInAs('grace')
  await page.getByRole('button', { name: 'Grace, your menu' }).click()
  await page.getByRole('menuitem', { name: 'Account and sessions' }).click()
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password was saved.').waitFor()
  await page.getByRole('button', { name: 'Change the password' }).waitFor()
  await page.goto(inbox())
  await page.getByRole('button', { name: 'Grace, your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/signin')
  await page.getByLabel('Email address').fill('grace@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await inboxOf(page, 'Grace')
})

test('a person signs in to the web app with OpenID Connect', async () => {
  provider.person = { sub: 'linus', email: 'linus@example.com', email_verified: true }
  const { page } = await visits.open()
  await page.goto(inbox())
  await page.waitForURL('**/signin?continue=*')
  await page.getByRole('link', { name: 'Sign in with Example' }).click()
  await inboxOf(page, 'Linus')
  // The web app learns from its first request that nobody is signed in.
  visits.expectNoProblems({ otherOrigins: [provider.issuer], failures: ['POST /public/graphql: 401'] })
})

test("an invited person writes to the admin, and both see each other's messages immediately", async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`/${site.starter.workspaceID}/settings/people`)
  await ada.getByLabel('Email addresses').fill('bob@example.com')
  await ada.getByRole('button', { name: 'Invite' }).click()
  await ada.getByText('No email was sent. Send this link to the person yourself.').waitFor()
  const people = ada.getByRole('list', { name: 'People' })
  await people
    .getByRole('listitem')
    .filter({ hasText: 'bob@example.com' })
    .getByText('Not signed in yet')
    .waitFor()
  await ada.getByRole('button', { name: 'Actions for Bob' }).click()
  await ada.getByRole('menuitem', { name: 'New invitation link' }).click()
  const dialog = ada.getByRole('dialog', { name: 'Invite Bob again' })
  const link = await dialog.getByRole('textbox', { name: 'Invitation for bob@example.com' }).inputValue()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await ada.getByRole('link', { name: 'Inbox' }).click()

  const { page: bob } = await visits.open()
  await joinBy(bob, link, password)
  await inboxOf(bob, 'Bob')
  await bob.getByRole('link', { name: 'New message' }).click()
  await bob.getByRole('combobox', { name: 'To' }).fill('Ada')
  await bob.getByRole('option', { name: 'Ada' }).click()
  await bob.getByRole('textbox', { name: 'Message' }).fill('Hello Ada, thank you for the **invitation**.')
  await bob.getByRole('button', { name: 'Send' }).click()
  await messages(bob, 'thank you for the invitation').waitFor()

  await ada.getByRole('link', { name: /^Bob .*thank you for the/ }).click()
  await messages(ada, 'Hello Ada, thank you for the invitation.').waitFor()
  await write(ada, 'Welcome, Bob')
  await messages(bob, 'Welcome, Bob').waitFor()
  await write(bob, 'I found the inbox')
  await messages(ada, 'I found the inbox').waitFor()
  for (const page of [ada, bob]) {
    const words = async () => {
      const texts = await page.getByRole('article').allInnerTexts()
      return texts.map((text) => /thank you|Welcome|inbox/.exec(text)?.[0])
    }
    await expect.poll(words).toEqual(['thank you', 'Welcome', 'inbox'])
  }
})

test('a person without a password is asked to set one, in the inbox and before they sign out', async () => {
  const page = await visits.signedInAs('linus')
  const notice = page.getByRole('complementary', { name: 'Password' })
  await notice.getByText('Set a password, so that you can sign in again after you sign out.').waitFor()
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Linus, your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect(await notice.count()).toBe(0)
  const question = page.getByRole('dialog', { name: 'Sign out without a password?' })
  await question.getByRole('link', { name: 'Set a password' }).click()
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await inboxOf(page, 'Linus')
  const confirmation = page.getByText('Your password was saved.')
  await confirmation.waitFor()
  await page.reload()
  await inboxOf(page, 'Linus')
  expect(await confirmation.count()).toBe(0)
  await page.evaluate("localStorage.setItem('skein:draft:', 'A draft')")
  await page.evaluate("sessionStorage.setItem('skein:files:', '1')")
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/signin')
  expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0])
})

test('a person can sign out without setting a password, and another tab shows the sign-in page at once', async () => {
  const page = await visits.signedInAs('ada')
  const other = await page.context().newPage()
  // Without a connection, the service cannot tell the other tab that the session has ended.
  await other.routeWebSocket(/graphql/, () => {})
  await other.goto(inbox())
  await inboxOf(other, 'Ada')
  await page.getByRole('button', { name: 'Ada, your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/signin')
  await other.waitForURL('**/signin?continue=*')
})

test('a page that the browser shows again after a sign-out, as it was, shows no messages', async () => {
  const { page } = await visits.open()
  await signInBy(page, await signInLink(site, 'ada@example.com'))
  await inboxOf(page, 'Ada')
  // The page stays, as in the cache of the browser for “Back”.
  await page.route('**/signin', (route) => route.fulfill({ status: 204 }))
  const stays = page.waitForResponse('**/signin')
  await page.getByRole('button', { name: 'Ada, your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await stays
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await page.waitForURL('**/signin?continue=*')
  visits.expectNoProblems({ failures: ['POST /public/graphql: 401'] })
})

test('the colors that a person chose stay after they sign out', async () => {
  const { page } = await visits.open({ colorScheme: 'light' })
  await signInBy(page, await signInLink(site, 'ada@example.com'))
  await page.goto(`${site.home}/settings/profile`)
  await page.getByText('Dark', { exact: true }).click()
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  await expect.poll(paper).toBe('rgb(34, 33, 31)')
  await page.getByRole('button', { name: 'Ada, your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/signin')
  expect(await paper()).toBe('rgb(34, 33, 31)')
  await signInBy(page, await signInLink(site, 'ada@example.com'))
  await inboxOf(page, 'Ada')
  expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
})

test('a page whose live connection is refused stays open, and says that it is not connected', async () => {
  const { page } = await visits.open()
  await signInBy(page, await signInLink(site, 'grace@example.com'))
  await page.routeWebSocket(/graphql/, (socket) => void socket.close({ code: 4403, reason: 'Refused' }))
  await page.goto(inbox())
  await page.getByText('No connection.').waitFor()
  expect(new URL(page.url()).pathname).toBe(inbox())
})

test('after a sign-out on the account page, another tab shows the sign-in page when the person returns to it', async () => {
  const { page, context } = await visits.open()
  await signInBy(page, await signInLink(site, 'linus@example.com'))
  const other = await context.newPage()
  // Without a connection, the service cannot tell the other tab that the session has ended.
  await other.routeWebSocket(/graphql/, () => {})
  await other.goto(inbox())
  await inboxOf(other, 'Linus')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/signin')
  expect(new URL(other.url()).pathname).toBe(inbox())
  // In this browser, every page has the focus.
  await other.evaluate("dispatchEvent(new Event('focus'))")
  await other.waitForURL('**/signin?continue=*')
  visits.expectNoProblems({ failures: ['POST /public/graphql: 401'] })
})

test.each([
  390, 1280,
])('in a window of %i px, the inbox explains the product until the person closes the text', async (width) => {
  const { page } = await visits.open({ viewport: { width, height: 844 } })
  await signInBy(page, await signInLink(site, 'grace@example.com'))
  const welcome = page.getByRole('region', { name: 'Welcome' })
  await welcome.getByRole('link', { name: 'Send a message' }).click()
  await page.getByRole('heading', { name: 'New message' }).waitFor()
  await page.goBack()
  await welcome.getByRole('button', { name: 'Dismiss' }).click()
  await welcome.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  expect(await welcome.count()).toBe(0)
})

test('a person who came more than a week ago does not see the welcome in a new browser', async () => {
  const { page } = await visits.open()
  await page.clock.setFixedTime(Date.now() + 8 * 24 * 60 * 60 * 1000)
  await signInBy(page, await signInLink(site, 'grace@example.com'))
  await page.getByText('Select a thread to read it.').filter({ visible: true }).waitFor()
})
