import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from './ask.ts'
import { problemsInBothModes } from './page-problems.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

let page: Page
let row: Locator
let actions: Locator
beforeEach(async ({ task }) => {
  const ada = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject: task.id }
  await send(ada, site, { thread, message: { text: 'See the `code`' } })
  page = await visits.signedInAs('grace', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(`${site.home}/inbox`)
  row = page.locator('[data-thread-row]').filter({ hasText: task.id })
  actions = page.getByRole('button', { name: `Actions for ${task.id}` })
  await actions.waitFor()
})

/** Puts a finger on an element, and takes it away after `holdMs`. Before that, it moves up by `moveUp` px. */
async function touch(element: Locator, holdMs: number, moveUp = 0): Promise<void> {
  const { x, y, height } = (await element.boundingBox()) ?? { x: 0, y: 0, height: 0 }
  const session = await page.context().newCDPSession(page)
  const at = (distance: number) => [{ x: x + 4, y: y + height / 2 - distance }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  if (moveUp > 0)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(moveUp) })
  await page.waitForTimeout(holdMs)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

test('a long press opens the menu of a thread, and a tap opens the thread', async () => {
  // Screen readers and keyboards find the button, which is not on screen.
  const { x = 0, y = 0, width = 0, height = 0 } = (await actions.boundingBox()) ?? {}
  const isShown = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('button') !== null`
  expect(await page.evaluate(isShown)).toBe(false)
  await touch(row, 800)
  await page.getByRole('menuitem', { name: 'Mark as read' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${site.home}/inbox`)
  expect(await problemsInBothModes(page, 'the menu of a thread on a phone')).toEqual([])
  await page.getByRole('menuitem', { name: 'Mark as read' }).tap()
  await row.and(page.locator(':not([data-unread])')).waitFor()
  await touch(row, 50)
  await messages(page, 'See').waitFor()
})

test('a finger that scrolls opens no menu', async () => {
  await touch(row, 800, 60)
  expect(await page.getByRole('menu').count()).toBe(0)
})

test('a long press opens the menu of a message, which copies its text, but not on a button', async () => {
  await row.tap()
  const message = messages(page, 'See')
  await message.waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await touch(message.getByRole('button', { name: 'Ada', exact: true }), 800)
  await page.getByRole('dialog').waitFor()
  expect(await page.getByRole('menu').count()).toBe(0)
  await page.keyboard.press('Escape')
  await touch(message.locator('code'), 800)
  await page.getByRole('menuitem', { name: 'Copy text' }).tap()
  await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('See the `code`')
})
