import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allowsLoopback, startReceiver } from '../support/event-receiver.ts'
import { change } from './ask.ts'
import { type DemoWorkspace, seedDemoWorkspace } from './demo-workspace.ts'
import { problemsOf } from './page-problems.ts'
import { isUpdating, writeScreenshot } from './screenshots.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

type View = { view: string; colorScheme: 'light' | 'dark'; width: number; height: number }
const views: View[] = [
  { view: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { view: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { view: 'phone', colorScheme: 'light', width: 390, height: 800 },
]

const receiver = await startReceiver()
const site = siteOfFile(allowsLoopback)
const visits = startVisits(site)
let demo: DemoWorkspace
let page: Page

beforeAll(async () => {
  page = await visits.signedInAs('ada', { locale: 'en-GB', timezoneId: 'Europe/London' })
  const grace = await visits.signedInAs('grace')
  receiver.answer = ({ headers }, response) => {
    response.statusCode = receiver.received.length === 1 ? 503 : 200
    response.end(headers['webhook-id'] ? 'Try later' : '')
  }
  demo = await seedDemoWorkspace(site, { ada: page, grace, receiverURL: receiver.url })
  await grace.context().close()
  visits.expectNoProblems()
})

afterEach(() => visits.expectNoProblems())

/** Checks the open page in the views. If `isUpdating`, also writes its screenshots. */
async function check(name: string, { isLoading = false, shown = views } = {}): Promise<void> {
  const problems: string[] = []
  for (const { view, colorScheme, width, height } of shown) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    problems.push(...(await problemsOf(page, `${name}, ${view}`)))
    if (isUpdating && !isLoading) {
      await page.waitForLoadState('networkidle')
      // On a phone, the own menu comes after the other parts of the bar.
      await page.locator('nav[aria-label="Workspace"] > span:empty').waitFor({ state: 'detached' })
    }
    if (isUpdating) await writeScreenshot(page, `${name}-${view}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  // The title of a conversation arrives with it.
  const known = (problem: string) => isLoading && problem.includes('page-has-heading-one')
  expect(problems.filter((problem) => !known(problem))).toEqual([])
}

/** Checks that the tab has the name of the page, after the number of unread threads. */
async function expectTitle(): Promise<void> {
  const heading = await page.getByRole('heading', { level: 1 }).innerText()
  await expect.poll(() => page.title()).toMatch(/ · Skein$/)
  expect((await page.title()).replace(/^\(\d+\) /, '')).toBe(`${heading} · Skein`)
}

describe('in light and dark mode and on a phone, the page is accessible and no wider than the window:', () => {
  const home = () => `/${site.starter.workspaceID}`
  // Each page with its path and a text that it shows when it is complete.
  test.each<[string, () => string, string]>([
    ['inbox', () => `${home()}/inbox`, 'Welcome back! The nightly build is green again.'],
    // The list beside the thread shows the last message, even while the thread is loading.
    ['thread', () => `${home()}/threads/${demo.alertID}`, 'in the last hour'],
    ['group', () => `${home()}/groups/${site.starter.groupID}`, 'that is much quieter than mail'],
    [
      'group-details',
      () => `${home()}/groups/${site.starter.groupID}?group=${site.starter.groupID}`,
      'linus@example.com',
    ],
    ['groups', () => `${home()}/groups`, 'Messages from the build pipelines.'],
    ['direct-messages', () => `${home()}/dms`, 'I bring coffee'],
    ['search', () => `${home()}/search?q=latency`, 'The latency is already lower'],
    ['new-thread', () => `${home()}/new`, 'Subject'],
    ['settings-profile', () => `${home()}/settings/profile`, 'You have no tokens.'],
    ['settings-workspace', () => `${home()}/settings/workspace`, 'Apps can be created in this workspace'],
    ['settings-people', () => `${home()}/settings/people`, 'linus@example.com'],
    ['settings-apps', () => `${home()}/settings/apps`, 'Posts the results of all builds.'],
    ['settings-new-app', () => `${home()}/settings/apps/new`, 'Public app'],
    ['settings-install-app', () => `${home()}/settings/apps/install`, 'Ask the author of the app.'],
    ['settings-app', () => `${home()}/settings/apps/${demo.appID}`, 'Message sent, Reaction added'],
    ['settings-new-webhook', () => `${home()}/settings/webhooks/new`, 'What the webhook is for.'],
    ['settings-webhook', () => `${home()}/settings/webhooks/${demo.webhookID}`, 'Disable or delete'],
    ['settings-endpoint', () => `${home()}/settings/endpoints/${demo.endpointID}`, 'Show attempts'],
    ['not-found', () => `${home()}/nothing`, 'Page not found'],
    ['account', () => '/account', 'New password'],
    ['consent', () => consentPath(), 'Allow'],
  ])('%s', async (name, path, text) => {
    await page.goto(path())
    // On some pages, the list beside the page has the same text.
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByText(text).first().waitFor()
    if (path().startsWith(home())) await expectTitle()
    await check(name)
  })

  test('sign-in, join', async () => {
    const input = { workspaceID: site.starter.workspaceID, email: 'rosa@example.com' }
    const { invitationURL } = await operate(site, 'inviteUser', input, 'invitationURL')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.goto('/signin')
    await check('sign-in')
    await page.goto(invitationURL)
    await check('join')
    await page.context().addCookies(cookies)
  })

  test('first-visit, caught-up', async () => {
    const firstPage = page
    page = await visits.signedInAs('linus', { locale: 'en-GB', timezoneId: 'Europe/London' })
    await page.goto(`${home()}/inbox`)
    const welcome = page.getByRole('region', { name: 'Welcome' }).filter({ visible: true })
    await welcome.waitFor()
    await check('first-visit')
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await welcome.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('heading', { name: 'All caught up' }).waitFor()
    await check('caught-up')
    await page.context().close()
    page = firstPage
  })

  test('new-group', async () => {
    const { group } = await change(page, site, 'createGroup', { name: 'Release notes' }, 'group { id }')
    await page.goto(`${home()}/groups/${group.id}`)
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
    await check('new-group')
  })

  test('webhook-created', async () => {
    await page.goto(`${home()}/settings/webhooks/new`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Alerts')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Waiting for the first call').waitFor()
    await check('webhook-created')
  })

  test('loading', async () => {
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/public/graphql', async (route) => {
      if (/inboxThreads|useThreadQuery/.test(route.request().postData() ?? '')) await held
      await route.continue()
    })
    await page.goto(`${home()}/threads/${demo.alertID}`, { waitUntil: 'commit' })
    await page.getByText('Loading …').waitFor()
    await check('loading', { isLoading: true })
    release()
    await page.getByText('in the last hour').first().waitFor()
    await page.unrouteAll()
  })

  test('offline', async () => {
    await page.goto(`${home()}/threads/${demo.alertID}`)
    await page.getByText('in the last hour').first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('No connection.').waitFor()
    await check('offline')
    await page.context().setOffline(false)
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    visits.forgetProblems()
  })

  test('composer', async () => {
    await page.goto(`${home()}/threads/${demo.releaseID}`)
    const field = page.getByLabel('Message', { exact: true })
    await field.waitFor()
    await page.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'latency.png', mimeType: 'image/png', buffer: await page.screenshot() },
      { name: 'canary.csv', mimeType: 'text/csv', buffer: Buffer.alloc(18_000, '0') },
    ])
    await page.getByRole('button', { name: 'Remove canary.csv' }).waitFor()
    await field.pressSequentially('Yes. The graph is attached, @Gra')
    await page.getByRole('option', { name: /Grace/ }).click()
    await field.pressSequentially('and @li')
    await page.getByRole('option', { name: /Linus/ }).waitFor()
    const color = `getComputedStyle(document.querySelector('[aria-label=Send]')).backgroundColor`
    expect(await page.evaluate(color)).toBe('rgb(67, 64, 168)')
    await check('composer')
    await field.fill('')
    for (const name of ['latency.png', 'canary.csv'])
      await page.getByRole('button', { name: `Remove ${name}` }).click()
  })

  test('thread in a wide window and with a zoom of 200 %', async () => {
    await page.goto(`${home()}/threads/${demo.alertID}`)
    await page.getByText('in the last hour').first().waitFor()
    await check('wide', { shown: [{ view: 'light', colorScheme: 'light', width: 1920, height: 1080 }] })
    await check('zoom', { shown: [{ view: 'light', colorScheme: 'light', width: 640, height: 400 }] })
  })

  test('docs', async () => {
    await page.goto('/docs/webhooks')
    await check('docs')
  })
})

test('the complete inbox has loaded at most 280 kB of compressed scripts, 40 kB of styles and one font', async () => {
  // A page reports what the pages before it have loaded in the same browser.
  const page = await visits.signedInAs('ada')
  await page.goto(`/${site.starter.workspaceID}/inbox`)
  await page.getByText('Welcome back! The nightly build').first().waitFor()
  const loaded = await page.evaluate<{ name: string; size: number }[]>(
    `performance.getEntriesByType('resource').map(({ name, encodedBodySize: size }) => ({ name, size }))`,
  )
  const sizesOf = (ending: string) =>
    loaded.filter(({ name }) => name.endsWith(ending)).map(({ size }) => size)
  const sumOf = (ending: string) => sizesOf(ending).reduce((sum, size) => sum + size, 0)
  for (const [ending, most] of [
    ['.js', 280_000],
    ['.css', 40_000],
  ] as const) {
    expect(sumOf(ending), ending).toBeGreaterThan(0)
    expect(sumOf(ending), ending).toBeLessThanOrEqual(most)
  }
  // If the page did not use the font that it preloads, it would load a second one.
  expect(sizesOf('.woff2')).toHaveLength(1)
  const families = await page.evaluate<string[]>(
    `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`,
  )
  // The font of emoji is one of the system.
  const downloaded = families.filter((family) => family !== 'Emoji')
  expect(downloaded).toEqual([expect.stringContaining('IBM Plex Sans Variable')])
})

function consentPath(): string {
  const parameters = {
    response_type: 'code',
    client_id: demo.appID,
    redirect_uri: 'https://incidents.example.com/callback',
    scope: 'threads:read threads.messages:write',
  }
  return `/oauth/authorize?${new URLSearchParams(parameters)}`
}
