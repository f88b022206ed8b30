import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { isUpdating, writeScreenshot } from './screenshots.ts'
import { operate, siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const subject = 'The build fails on every second commit since the certificate was renewed. '
  .repeat(4)
  .slice(0, 250)
const groupName = 'Platform-Infrastructure-And-Reliability-Engineering-Europe-1'
const personName = 'Maximiliana-Theodora of Hohenlohe-Langenburg and Waldeck the 2nd'.slice(0, 60)
const webhookName =
  'Certificates and their renewals in all data centers of Europe, America and Asia, day and night'
let [threadID, groupID] = ['', '']

beforeAll(async () => {
  const { workspaceID } = site.starter
  const max = { workspaceID, name: personName, email: 'max@example.com' }
  await operate(site, 'inviteUser', max, 'user { id }')
  await operate(site, 'inviteUser', { ...max, name: 'נועה בן־דוד', email: 'noa@example.com' }, 'user { id }')
  await operate(site, 'createWebhook', { workspaceID, name: webhookName }, 'webhook { id }')
  const [ada, writer] = [await visits.signedInAs('ada'), await visits.signedInAs('max')]
  groupID = (await change(ada, site, 'createGroup', { name: groupName }, 'group { id }')).group.id
  await change(writer, site, 'joinGroup', { groupID })
  const start = (subject: string, text: string) =>
    send(writer, site, { thread: { recipients: [groupID], subject }, message: { text } })
  await start('בדיקה של כיוון: '.repeat(6), 'שלום לכולם, הבנייה נכשלה ב־main')
  const code = `\`\`\`js\nconst long = "${'x'.repeat(300)}"\n\`\`\``
  threadID = (await start(subject, `${'Unbroken'.repeat(40)}\n\n${code}`)).threadID
  await visits.end()
})

const open = async (page: Page) => {
  await page.goto(`${site.home}/threads/${threadID}`)
  await messages(page, 'Unbroken').waitFor()
}
const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => Reflect.get(globalThis, 'getComputedStyle')(element)[name], property)

test.each([
  [320, 640],
  [640, 400],
  [1000, 700],
  [2560, 1300],
])('with long names, no page is wider than a window of %i x %i px', async (width, height) => {
  const page = await visits.signedInAs('ada', { viewport: { width, height } })
  for (const [path, shows] of [
    ['inbox', subject],
    [`groups/${groupID}`, groupName],
    [`threads/${threadID}`, personName],
    ['search?q=certificate', personName],
    ['settings/people', personName],
    ['settings/apps', 'Starter app'],
  ] as const) {
    await page.goto(`${site.home}/${path}`)
    await page.getByRole('main').getByText(shows).first().waitFor()
    const root = 'document.documentElement'
    expect(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`)).toBe(0)
    const ends = `[...document.querySelectorAll('main time')].map((time) => time.getBoundingClientRect().right)`
    for (const end of await page.evaluate<number[]>(ends)) expect(end).toBeLessThanOrEqual(width)
    if (!path.startsWith('threads')) continue
    const composer = await page.locator('form').boundingBox()
    expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBeLessThanOrEqual(height)
    // The subject in the empty field is cut, and does not make the field higher. The measure of a conversation is 720 px.
    expect(composer?.height).toBeLessThan(120)
    expect(composer?.width).toBeLessThanOrEqual(720)
  }
})

test('long names are accessible in light and dark mode and on a phone', async () => {
  const page = await visits.signedInAs('ada', { locale: 'en-GB' })
  await open(page)
  for (const [view, colorScheme, width] of [
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['phone', 'light', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    expect(await problemsOf(page, `long names, ${view}`)).toEqual([])
    if (isUpdating) await writeScreenshot(page, `long-names-${view}`)
  }
})

test('a text that is cut has a title with the whole text, and another has none', async () => {
  const page = await visits.signedInAs('ada')
  await open(page)
  const heading = page.getByRole('heading', { name: subject })
  await heading.hover()
  expect(await heading.getAttribute('title')).toBe(subject)
  const row = page.locator('[data-thread-row]').filter({ hasText: 'certificate' })
  await row.getByText(subject).hover()
  expect(await row.getByText(subject).getAttribute('title')).toBe(subject)
  await page.goto(`${site.home}/settings/apps`)
  const program = page.getByRole('list', { name: 'Webhooks' }).getByRole('link', { name: webhookName })
  await program.hover()
  expect(await program.getAttribute('title')).toBe(webhookName)
  const other = page.getByRole('navigation').getByText('Builds', { exact: true })
  await other.hover()
  expect(await other.getAttribute('title')).toBeNull()
})

test('with forced colors, one sees what is unread, what is open, and the thread', async () => {
  const page = await visits.signedInAs('ada', { forcedColors: 'active' })
  await open(page)
  const canvas = await styleOf(page, 'body', 'backgroundColor')
  expect(await styleOf(page, '[data-thread-row][aria-current]', 'outlineStyle')).toBe('solid')
  expect(await styleOf(page, '[aria-pressed="true"]', 'outlineStyle')).toBe('solid')
  expect(await styleOf(page, 'article', 'borderTopColor')).toBe(canvas)
  expect(await page.evaluate('CSS.highlights.size')).toBe(0)
  const dot = page.locator('[data-thread-row][data-unread] [class*="_dot"]').first()
  const background = await dot.evaluate(
    (one) => Reflect.get(globalThis, 'getComputedStyle')(one).backgroundColor,
  )
  expect(background).not.toBe(canvas)
})

test('without pictures, rows and messages keep their places, and show initials and the name of the file', async () => {
  const page = await visits.signedInAs('ada')
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 600, height: 300 } })
  const picture = { name: 'view.png', mimeType: 'image/png', buffer }
  await page.goto(`${site.home}/settings/profile`)
  await page.locator('input[type=file]').setInputFiles(picture)
  await page.getByRole('button', { name: 'Change the picture' }).waitFor()
  const thread = { recipients: [groupID], subject: 'Views' }
  const { threadID } = await send(page, site, { thread, message: { text: 'Look' } })
  await page.goto(`${site.home}/threads/${threadID}`)
  await page.getByLabel('Files', { exact: true }).setInputFiles(picture)
  await page.getByRole('button', { name: 'Remove view.png' }).waitFor()
  await page.getByLabel('Message', { exact: true }).press('Enter')
  await messages(page, '').locator('img[alt="view.png"]').waitFor()
  await send(page, site, { threadID, message: { text: 'Nice' } })
  await messages(page, 'Nice').waitFor()
  const places = () =>
    page.evaluate(`[...document.querySelectorAll('[data-thread-row], article')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x, y, width, height].map(Math.round).join()
    })`)
  await page.reload()
  await page.locator('img[alt="view.png"]').waitFor()
  await page.locator('[data-thread-row]').filter({ hasText: 'Views' }).waitFor()
  await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
  const before = await places()
  await page.route('**/*', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.continue(),
  )
  await page.reload()
  await messages(page, 'view.png').waitFor()
  await page.locator('[data-thread-row]').filter({ hasText: 'Views' }).waitFor()
  await expect.poll(() => page.locator('img').count()).toBe(0)
  expect(await page.locator('article [data-initials="A"]').count()).toBeGreaterThan(0)
  visits.forgetProblems()
  expect(await places()).toEqual(before)
})
