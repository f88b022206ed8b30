import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startCallbackServer } from './callback-server.ts'
import { problemsOf } from './page-problems.ts'
import { operate, type Site, signInBy, signInLink, startSite, stopSite } from './site.ts'
import { originsOf, type WatchedContext, watchedContext } from './watched-context.ts'

let site: Site
let app: Awaited<ReturnType<typeof startCallbackServer>>
let watched: WatchedContext
let page: Page
/** The paths of the pages, by their names. */
let paths: Record<string, string>

const longName = `<b>${'Supercalifragilistic'.repeat(4)}</b>`
/** Requests that the service refuses with a page that says why. */
const refused = new Set([
  'GET /signin/link/wrong: 403',
  'GET /oauth/authorize: 400',
  'POST /account/password: 400',
])
/** With scripts turned off, Chromium reports each script of a page as if a policy blocked it. */
const isWithoutScripts = (failure: string) => /\.js: csp$/.test(failure)
const codeChallenge = 'a'.repeat(43)

beforeAll(async () => {
  // No mail server listens here. The sign-in page offers to send mail if an address is set.
  site = await startSite({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'skein@example.com' })
  app = await startCallbackServer()
  const { workspaceID } = site.starter
  const other = (await operate(site, 'createWorkspace', { name: longName }, 'workspace { id }')).workspace.id
  const input = { workspaceID: other, name: 'Ada', email: 'ada@example.com' }
  const userID = (await operate(site, 'createUser', input, 'user { id }')).user.id
  await operate(site, 'updateMember', { groupID: other, userID, role: 'admin' }, 'memberEdge { role }')
  const register = async (name: string, isListed: boolean) =>
    (await operate(site, 'createApp', { workspaceID, name, isListed, redirectURIs: [app.url] }, 'clientID'))
      .clientID
  const [own, listed] = [await register('Calendar', false), await register(longName, true)]
  paths = {
    account: '/account',
    'app, one workspace': authorize(own),
    'app, two workspaces': authorize(listed),
    'as a person, one workspace': authorize(own, { act_as: 'user' }),
    'as a person, two workspaces': authorize(listed, { act_as: 'user' }),
    'wrong link': '/signin/link/wrong',
    'wrong authorization': '/oauth/authorize',
  }
})

afterAll(async () => {
  app?.close()
  await stopSite(site)
})

afterEach(async () => {
  const { context, complaints, failures } = watched
  await context.close()
  const unexpected = failures.filter((failure) => !refused.has(failure) && !isWithoutScripts(failure))
  expect({ complaints, unexpected }).toEqual({ complaints: [], unexpected: [] })
})

function authorize(clientID: string, more: Record<string, string> = {}, redirectURI = app.url): string {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientID,
    redirect_uri: redirectURI,
    scope: 'workspaces:read threads:read',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...more,
  })
  return `/oauth/authorize?${parameters}`
}

async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? -1
}

async function open(options: Parameters<typeof watchedContext>[1] = {}): Promise<void> {
  watched = await watchedContext(site.browser, { baseURL: site.starter.baseURL, ...options })
  page = watched.page
}

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('in %s colors, %i px wide', (colorScheme, width) => {
  test('the pages are accessible and no wider than the window', async () => {
    await open({ colorScheme, viewport: { width, height: 800 } })
    const problems: string[] = []
    const visit = async (name: string, path: string) => {
      await page.goto(path)
      problems.push(...(await problemsOf(page, name)))
    }
    await visit('sign in', '/signin')
    await page.getByRole('button', { name: 'Mail me a sign-in link' }).waitFor()
    await visit('link', await signInLink(site, 'ada@example.com'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    for (const [name, path] of Object.entries(paths)) await visit(name, path)
    await page.goto('/account')
    await page.getByLabel('New password').fill('aaaaaaaaaaaa')
    await page.getByRole('button', { name: 'Set the password' }).click()
    const reason = page.getByRole('alert')
    await reason.waitFor()
    // The reason stands between what the person entered and the button that they pressed.
    const button = page.getByRole('button', { name: 'Set the password' })
    const parts = await Promise.all([page.getByLabel('New password'), reason, button].map(topOf))
    expect(parts).toEqual(parts.toSorted((one, other) => one - other))
    problems.push(...(await problemsOf(page, 'refused password')))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInBy(page, await signInLink(site, 'grace@example.com'))
    await visit('no workspace', paths['app, two workspaces'] ?? '')
    await page.getByText('Only an admin can install an app').waitFor()
    expect(problems).toEqual([])
    expect(originsOf(watched.requested)).toEqual([site.starter.baseURL])
  })
})

test('a person signs in and allows an app using only the keyboard, without scripts', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(await signInLink(site, 'ada@example.com'))
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('Tab', 'Tab', 'Enter')
  await page.waitForURL('**/inbox')
  await page.goto(paths['app, two workspaces'] ?? '')
  expect(await page.title()).toBe(longName)
  // These keys go to the menu, the workspace and the button Allow.
  await press('Tab', 'Tab', 'ArrowDown', 'Tab', 'Enter')
  await page.waitForURL(`${app.url}?code=*`)
})

test('without scripts, the documentation names the language of its code, and offers no copies', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto('/docs/webhooks')
  const code = page.locator('.code').first()
  expect(await code.getByText('shell', { exact: true }).isVisible()).toBe(true)
  expect(await code.locator('button').isVisible()).toBe(false)
})

test('an app with a private-use scheme gets the code, and the policy allows the redirect', async () => {
  await open()
  await signInBy(page, await signInLink(site, 'ada@example.com'))
  const redirectURI = 'com.example.app:/callback'
  const input = { workspaceID: site.starter.workspaceID, name: 'Phone', redirectURIs: [redirectURI] }
  const { clientID } = await operate(site, 'createApp', input, 'clientID')
  await page.goto(authorize(clientID, {}, redirectURI))
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Allow' }).click()
  // Chromium follows the redirect, but has no program for the scheme. A policy that forbids the redirect would block
  // the submission of the form.
  expect((await failed).url()).toMatch(/^com\.example\.app:\/callback\?code=/)
})
