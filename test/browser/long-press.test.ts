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

type Point = { x: number; y: number }

/** Returns the middle of the left edge of an element. */
async function edgeOf(element: Locator): Promise<Point> {
  const { x, y, height } = (await element.boundingBox()) ?? { x: 0, y: 0, height: 0 }
  return { x: x + 4, y: y + height / 2 }
}

/** Touches the page for `holdMs`. If `moveUp` is not 0, the finger first moves up by as many px. */
async function touch({ x, y }: Point, holdMs: number, moveUp = 0): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (distance: number) => [{ x, y: y - distance }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  if (moveUp > 0)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(moveUp) })
  await page.waitForTimeout(holdMs)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

test('a long press opens the menu of a thread, and a tap beside the menu only closes it', async () => {
  // Screen readers and keyboards find the button, which is not on screen.
  const { x = 0, y = 0, width = 0, height = 0 } = (await actions.boundingBox()) ?? {}
  const isShown = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('button') !== null`
  expect(await page.evaluate(isShown)).toBe(false)
  await touch(await edgeOf(row), 800)
  await page.getByRole('menuitem', { name: 'Mark as read' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${site.home}/inbox`)
  expect(await problemsInBothModes(page, 'the menu of a thread on a phone')).toEqual([])
  const below = await edgeOf(page.locator('[data-thread-row]').last())
  await page.touchscreen.tap(below.x, below.y)
  await page.getByRole('menu').waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`${site.home}/inbox`)
  await touch(await edgeOf(row), 800)
  await page.keyboard.press('Escape')
  await actions.and(page.locator(':focus')).waitFor()
  await touch(await edgeOf(row), 800)
  await page.getByRole('menuitem', { name: 'Mark as read' }).tap()
  await row.and(page.locator(':not([data-unread])')).waitFor()
})

test('a finger that scrolls opens no menu', async () => {
  await touch(await edgeOf(row), 800, 60)
  expect(await page.getByRole('menu').count()).toBe(0)
})

test('a long press opens the menu of a message, which copies its text, but not on a button', async () => {
  await row.tap()
  const message = messages(page, 'See')
  await message.waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await touch(await edgeOf(message.getByRole('button', { name: 'Ada', exact: true })), 800)
  await page.getByRole('dialog').waitFor()
  expect(await page.getByRole('menu').count()).toBe(0)
  await page.keyboard.press('Escape')
  await touch(await edgeOf(message.locator('code')), 800)
  await page.getByRole('menuitem', { name: 'Copy text' }).tap()
  await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('See the `code`')
})

test('the menu of a message that is taller than the screen opens beside the finger', async () => {
  const ada = await visits.signedInAs('ada')
  const text = Array.from({ length: 38 }, (_, index) => `Line ${index + 1}`).join('\n')
  const thread = { recipients: [site.starter.groupID], subject: 'A tall message' }
  const { threadID } = await send(ada, site, { thread, message: { text } })
  await page.setViewportSize({ width: 390, height: 500 })
  await page.goto(`${site.home}/threads/${threadID}`)
  const message = messages(page, 'Line 38')
  await message.waitFor()
  await page.mouse.move(200, 250)
  await page.mouse.wheel(0, 300)
  await expect.poll(async () => (await message.boundingBox())?.y).toBeLessThan(-100)
  await touch({ x: 200, y: 250 }, 800)
  const menu = page.getByRole('menu')
  await menu.waitFor()
  const { y = 0, height = 0 } = (await menu.boundingBox()) ?? {}
  // It is below or above the finger, and on screen.
  expect([Math.min(Math.abs(y - 250), Math.abs(y + height - 250)) < 60, y >= 0]).toEqual([true, true])
})
