import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { signInLink, siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const row = (page: Page, subject: string) => page.locator('[data-thread-row]').filter({ hasText: subject })
const side = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const button = (page: Page, name: string) => page.getByRole('button', { name })
const hasFocus = async (target: Locator) =>
  (await target.count()) > 0 && (await target.first().evaluate((element) => element.matches(':focus')))

/** Presses a key until an element has the focus. */
async function moveTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.first().waitFor()
  for (let presses = 0; !(await hasFocus(target)); presses += 1) {
    if (presses === 80) throw new Error(`${key} does not reach ${target}`)
    await page.keyboard.press(key)
  }
}

/** Opens the menu of a button, and selects an item. The focus must return to the button. */
async function select(page: Page, menu: string, item: string): Promise<void> {
  await moveTo(page, button(page, menu))
  await page.keyboard.press('Enter')
  await moveTo(page, page.getByRole('menuitem', { name: item, exact: true }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(button(page, menu))).toBe(true)
}

test('without a mouse, a person signs in, reads, mutes, pins, and opens mentions and details', async () => {
  const grace = await visits.signedInAs('grace')
  const { page: ada } = await visits.open()
  const { group } = await change(grace, site, 'createGroup', { name: 'Workbench' }, 'group { id }')
  await change(grace, site, 'addMembers', { groupID: group.id, userIDs: site.starter.userIDs.slice(0, 1) })
  const start = (subject: string, text: string) =>
    send(grace, site, { thread: { recipients: [group.id], subject }, message: { text } })
  await start('Asked', `[Ada](skein:${site.starter.userIDs[0]}), may I?`)
  await start('First', 'one')
  await start('Second', 'two')

  await ada.goto(await signInLink(site, 'ada@example.com'))
  await moveTo(ada, button(ada, 'Sign in'))
  await ada.keyboard.press('Enter')
  await row(ada, 'Second').and(ada.locator('[data-unread]')).waitFor()
  await ada.keyboard.press('n')
  await heading(ada, 'Second').waitFor()
  await row(ada, 'Second').and(ada.locator('[data-unread]')).waitFor({ state: 'detached' })
  await moveTo(ada, row(ada, 'First'), 'j')
  await ada.keyboard.press('e')
  await row(ada, 'First').and(ada.locator('[data-unread]')).waitFor({ state: 'detached' })
  await heading(ada, 'Asked').waitFor()

  await ada.keyboard.press('g')
  await ada.keyboard.press('m')
  await heading(ada, 'Mentions').waitFor()
  const mention = ada.getByRole('list', { name: 'Mentions' }).getByRole('link')
  await moveTo(ada, mention)
  await ada.keyboard.press('Enter')
  await messages(ada, 'may I?').waitFor()
  await side(ada, 'Mentions').getByLabel('unread').waitFor({ state: 'detached' })

  await moveTo(ada, button(ada, 'Thread details'))
  await ada.keyboard.press('Enter')
  const details = ada.getByRole('complementary', { name: 'Thread details' })
  await expect.poll(() => hasFocus(details)).toBe(true)
  await ada.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  expect(await hasFocus(button(ada, 'Thread details'))).toBe(true)

  await moveTo(ada, side(ada, 'Workbench'), 'Shift+Tab')
  await ada.keyboard.press('Enter')
  await heading(ada, 'Workbench').waitFor()
  await select(ada, 'Actions for Workbench', 'Mute group')
  await side(ada, 'Workbench').getByLabel('muted').waitFor()
  await select(ada, 'Actions for Workbench', 'Pin for me')
  const pins = ada.getByRole('navigation', { name: 'Workspace' }).getByRole('list', { name: 'Pinned' })
  await pins.getByRole('link', { name: 'Workbench' }).waitFor()
})
