import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { problemsInBothModes } from './page-problems.ts'
import { isUpdating, writeScreenshot } from './screenshots.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const buttons = [
  { id: 'acknowledge', label: 'Acknowledge', style: 'primary' },
  { id: 'stop', label: 'Stop the deploy', style: 'danger', confirm: 'Everything that runs is stopped.' },
  { label: 'Log', url: 'https://ci.example.com/12' },
]

/** Opens a new thread with a message that has the buttons, as two people. */
async function openDeploy(phone?: Parameters<typeof visits.signedInAs>[1]) {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace', phone)]
  const thread = { recipients: [site.starter.groupID], subject: 'Deploy' }
  const { threadID, messageID } = await send(ada, site, {
    thread,
    message: { text: 'Deploy 12 failed', buttons },
  })
  for (const page of [ada, grace]) await page.goto(`${site.home}/threads/${threadID}`)
  const edit = (changes: object) =>
    change(ada, site, 'editMessage', { messageID, ...changes }, 'message { id }')
  return { ada, grace, edit }
}

const button = (page: Page, name: string) =>
  messages(page, 'Deploy 12').getByRole('button', { name, exact: true })

type Fate = 'goes on' | 'is lost' | 'loses its answer'

/** Holds the presses of a page until the function that it returns decides about them. */
async function holdPresses(page: Page) {
  let go: (fate: Fate) => void = () => {}
  const decided = new Promise<Fate>((resolve) => {
    go = resolve
  })
  await page.route('**/public/graphql', async (route) => {
    const isPress = route.request().postData()?.includes('usePressesMutation')
    const fate = isPress ? await decided : 'goes on'
    if (fate === 'loses its answer') await route.fetch()
    return fate === 'goes on' ? route.continue() : route.abort()
  })
  return go
}

test('a press by keyboard shows everyone at once who pressed and when, and the program then changes the message', async () => {
  const { ada, grace, edit } = await openDeploy()
  await button(grace, 'Acknowledge').focus()
  await grace.keyboard.press('Enter')
  for (const page of [ada, grace]) {
    const line = messages(page, 'Deploy 12').getByText(/^\S*Grace\S* pressed Acknowledge$/)
    await line.waitFor()
    expect(await line.locator('xpath=..').locator('time').getAttribute('datetime')).toMatch(/^\d{4}-/)
  }
  expect(await button(grace, 'Acknowledge').getAttribute('aria-pressed')).toBe('true')
  expect(await grace.evaluate('document.activeElement.textContent')).toBe('Acknowledge')
  expect(await button(ada, 'Acknowledge').getAttribute('aria-pressed')).toBe('false')
  await button(ada, 'Acknowledge').click()
  await messages(grace, 'Deploy 12')
    .getByText(/^\S*Grace\S*, \S*Ada\S* pressed Acknowledge$/)
    .waitFor()
  await edit({ text: 'Deploy 12 is done', buttons: [] })
  for (const page of [ada, grace]) {
    await messages(page, 'Deploy 12 is done').waitFor()
    await button(page, 'Acknowledge').waitFor({ state: 'detached' })
  }
})

test('a button with a question presses only after the answer, and a button with a URL is a link', async () => {
  const { grace, edit } = await openDeploy()
  await button(grace, 'Stop the deploy').click()
  const dialog = grace.getByRole('dialog')
  await dialog.getByText('Everything that runs is stopped.').waitFor()
  await grace.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => grace.evaluate('document.activeElement.textContent')).toBe('Stop the deploy')
  expect(await button(grace, 'Stop the deploy').getAttribute('aria-pressed')).toBe('false')
  await button(grace, 'Stop the deploy').click()
  await dialog.getByRole('button', { name: 'Stop the deploy' }).click()
  await messages(grace, 'Deploy 12')
    .getByText(/pressed Stop the deploy$/)
    .waitFor()
  const link = messages(grace, 'Deploy 12').getByRole('link', { name: 'Log' })
  expect(await link.getAttribute('href')).toBe('https://ci.example.com/12')
  const url = `${site.starter.baseURL}/docs`
  await edit({ buttons: [{ label: 'Docs', url, confirm: 'Open the docs?' }] })
  await messages(grace, 'Deploy 12').getByRole('link', { name: 'Docs' }).click()
  await dialog.getByText('Open the docs?').waitFor()
  const opened = grace.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Docs' }).click()
  await (await opened).waitForURL(url)
})

test('a press that waits, fails or is refused says so, and a repeated press counts once', async () => {
  const { ada, grace, edit } = await openDeploy()
  const fail = await holdPresses(grace)
  await button(grace, 'Acknowledge').click()
  await expect.poll(() => button(grace, 'Acknowledge').getAttribute('aria-busy')).toBe('true')
  fail('is lost')
  await messages(grace, 'Deploy 12').getByRole('alert').waitFor()
  visits.forgetProblems()
  await grace.unrouteAll()
  await button(grace, 'Acknowledge').click()
  await messages(ada, 'Deploy 12')
    .getByText(/^\S*Grace\S* pressed Acknowledge$/)
    .waitFor()
  expect(await messages(grace, 'Deploy 12').getByRole('alert').count()).toBe(0)
  const lose = await holdPresses(grace)
  await button(grace, 'Stop the deploy').click()
  await grace.getByRole('dialog').getByRole('button', { name: 'Stop the deploy' }).click()
  lose('loses its answer')
  await expect.poll(() => button(grace, 'Stop the deploy').getAttribute('aria-pressed')).toBe('true')
  expect(await messages(grace, 'Deploy 12').getByRole('alert').count()).toBe(0)
  visits.forgetProblems()
  await button(ada, 'Stop the deploy').click()
  const dialog = ada.getByRole('dialog')
  await dialog.waitFor()
  const other = { id: 'stop', label: 'Delete everything', style: 'danger' }
  await edit({ buttons: [buttons[0], other] })
  await dialog.waitFor({ state: 'detached' })
  const goOn = await holdPresses(ada)
  await button(ada, 'Delete everything').click()
  await button(ada, 'Acknowledge').click()
  await edit({ buttons: [{ id: 'again', label: 'Deploy again' }] })
  goOn('goes on')
  const refusals = messages(ada, 'Deploy 12').getByRole('alert')
  for (const label of ['Acknowledge', 'Delete everything'])
    await refusals.filter({ hasText: `${label}: The program changed its buttons` }).waitFor()
  await button(ada, 'Deploy again').waitFor()
})

test('buttons fit on a phone, and have no problems for screen readers', async () => {
  const { grace, edit } = await openDeploy({ viewport: { width: 320, height: 640 }, hasTouch: true })
  await button(grace, 'Acknowledge').tap()
  await messages(grace, 'Deploy 12')
    .getByText(/pressed Acknowledge$/)
    .waitFor()
  if (isUpdating) {
    await grace.setViewportSize({ width: 1280, height: 420 })
    await writeScreenshot(grace, 'buttons', grace.getByRole('main'))
    await grace.setViewportSize({ width: 320, height: 640 })
  }
  const label = `Stop ${'deployment '.repeat(3)}`.padEnd(40, 'W')
  const long = { id: 'long', label, confirm: `Really? ${'x'.repeat(290)}` }
  await edit({ buttons: Array.from({ length: 5 }, (_, n) => ({ ...long, id: `long-${n}` })) })
  const last = messages(grace, 'Deploy 12').getByRole('button', { name: label }).nth(4)
  const overflow = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
    scrollWidth - clientWidth
  const name = last.locator('bdi')
  expect(await name.evaluate(overflow)).toBeGreaterThan(0)
  // A text that ends with "…" gets a title when the pointer is over it.
  await name.hover()
  await expect.poll(() => name.getAttribute('title')).toBe(label)
  expect(await problemsInBothModes(grace, 'long buttons')).toEqual([])
  await last.tap()
  const dialog = grace.getByRole('dialog')
  await dialog.getByText('Really?').waitFor()
  expect(await dialog.evaluate(overflow)).toBe(0)
})
