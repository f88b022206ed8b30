import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const rows = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('list', { name: section }).getByRole('link')

const sendTo = (page: Page, recipient: string, text: string, subject?: string) =>
  send(page, site, { thread: { recipients: [recipient], subject }, message: { text } })

test('the sidebar lists the groups of the person by name, and follows joins, leaves and new names', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const create = async (page: Page, name: string): Promise<string> =>
    (await change(page, site, 'createGroup', { name }, 'group { id }')).group.id
  const groupID = await create(ada, 'Wave 10')
  const otherID = await create(grace, 'alpha')
  await create(ada, 'Wave 9')
  const names = () => rows(ada, 'Groups').allInnerTexts()
  await expect.poll(names).toEqual(['General', 'Builds', 'Leads', 'Wave 9', 'Wave 10'])
  await change(ada, site, 'joinGroup', { groupID: otherID })
  await expect.poll(names).toEqual(['General', 'alpha', 'Builds', 'Leads', 'Wave 9', 'Wave 10'])
  await change(ada, site, 'leaveGroup', { groupID: otherID })
  await change(ada, site, 'updateGroup', { groupID, name: 'Anchor' })
  await expect.poll(names).toEqual(['General', 'Anchor', 'Builds', 'Leads', 'Wave 9'])
  await ada.reload()
  await expect.poll(names).toEqual(['General', 'Anchor', 'Builds', 'Leads', 'Wave 9'])
  await rows(ada, 'Groups').filter({ hasText: 'Anchor' }).click()
  await ada.getByRole('heading', { name: 'Anchor', level: 1 }).waitFor()
  await rows(ada, 'Groups').and(ada.locator('[aria-current=page]')).getByText('Anchor').waitFor()
})

test('the sidebar lists DMs with the latest activity first, and counts their messages until they are read', async () => {
  const ada = await visits.signedInAs('ada')
  const [adaID = '', graceID = ''] = site.starter.userIDs
  const [grace, linus] = [await visits.signedInAs('grace'), await visits.signedInAs('linus')]
  await sendTo(ada, graceID, 'Are you there?')
  await sendTo(linus, adaID, 'Good morning')
  for (const text of ['Yes', 'What is it?']) await sendTo(grace, adaID, text)
  const names = async () =>
    (await rows(ada, 'Direct messages').allInnerTexts()).map((text) => text.split('\n')[0])
  await expect.poll(names).toEqual(['Grace', 'Linus', 'Starter app'])
  const row = rows(ada, 'Direct messages').filter({ hasText: 'Grace' })
  await row.getByLabel('2 unread', { exact: true }).waitFor()
  await sendTo(linus, adaID, 'Are you there?')
  await expect.poll(names).toEqual(['Linus', 'Grace', 'Starter app'])
  await row.click()
  await messages(ada, 'What is it?').waitFor()
  await row.getByLabel('unread').waitFor({ state: 'detached' })
  expect(await row.getAttribute('aria-current')).toBe('page')
  await ada.getByRole('heading', { name: 'Direct messages', level: 2 }).waitFor()
})

test('a folded section shows only its unread rows and the current one, and stays folded', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const row = (name: string) => rows(ada, 'Direct messages').filter({ hasText: name })
  const section = ada.getByRole('button', { name: 'Direct messages' })
  await row('Starter app').waitFor()
  await section.click()
  await row('Starter app').waitFor({ state: 'hidden' })
  await sendTo(grace, site.starter.userIDs[0] ?? '', 'Hello Ada')
  await row('Grace').getByLabel('unread').waitFor()
  await ada.reload()
  await row('Grace').getByLabel('unread').waitFor()
  expect(await section.getAttribute('aria-expanded')).toBe('false')
  expect(await row('Starter app').count()).toBe(0)
  expect(await problemsOf(ada, 'a folded section')).toEqual([])
})

test('a row of the inbox is 44 px high, names its group, and has one mark', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const { groupID, userIDs } = site.starter
  const { threadID } = await sendTo(grace, groupID, 'Please look', 'Review')
  await send(grace, site, { threadID, message: { text: `[Ada](skein:${userIDs[0]}), please look` } })
  await sendTo(grace, groupID, 'Nothing urgent', 'Plans')
  await sendTo(grace, userIDs[0] ?? '', 'Lunch?')
  const row = (text: string) => ada.locator('[data-thread-row]').filter({ hasText: text })
  const marks = [
    ['Review', /^mentions you, 2 unread$/, '@'],
    ['Plans', /^1 unread$/, ''],
    ['Lunch?', /^\d+ unread$/, /^\d+$/],
  ] as const
  for (const [text, name, shown] of marks) {
    const mark = row(text).getByRole('img', { name: /unread/ })
    await mark.and(ada.getByLabel(name)).waitFor()
    expect(await mark.innerText()).toEqual(typeof shown === 'string' ? shown : expect.stringMatching(shown))
    expect(await row(text).boundingBox()).toMatchObject({ height: 44 })
  }
  for (const text of ['Review', 'Plans']) await row(text).getByText('Builds', { exact: true }).waitFor()
  await row('Plans').getByText('Grace: Nothing urgent').waitFor()
  // A DM already names the other person.
  await row('Lunch?').getByText('Lunch?', { exact: true }).waitFor()
  expect(await row('Lunch?').getByText('Builds').count()).toBe(0)
})

const pinNames = async (page: Page) =>
  (await rows(page, 'Pinned').allInnerTexts()).map((text) => text.split('\n')[0])

/** Opens the inbox of Ada with exactly these pins. Other tests, also those that failed, may have left some. */
async function adaWithPins(...pinned: object[]): Promise<Page> {
  const ada = await visits.signedInAs('ada')
  const selection = '{ viewer { pins { ... on Group { groupID: id } ... on Thread { threadID: id } } } }'
  const set = (verb: 'pin' | 'unpin', pin: object) =>
    change(ada, site, `${verb}${'groupID' in pin ? 'Group' : 'Thread'}`, pin)
  for (const pin of (await ask(ada, site, selection)).viewer.pins) await set('unpin', pin)
  for (const pin of pinned) await set('pin', pin)
  await ada.goto(`${site.home}/inbox`)
  await rows(ada, 'Direct messages').first().waitFor()
  return ada
}

const dmOf = async (page: Page, userID: string): Promise<string> =>
  (await ask(page, site, 'query ($id: ID!) { user(id: $id) { chat { id } } }', { id: userID })).user.chat.id

/** Something of each kind that Ada can pin: the group Builds, the thread Launch, and her DM with Grace. */
async function pinnable() {
  const grace = await visits.signedInAs('grace')
  const { groupID, userIDs } = site.starter
  const { threadID } = await sendTo(grace, groupID, 'Ready?', 'Launch')
  await sendTo(grace, userIDs[0] ?? '', 'Hello')
  const dmID = await dmOf(grace, userIDs[0] ?? '')
  return { grace, group: { groupID }, thread: { threadID }, dm: { threadID: dmID } }
}

const actOn = async (page: Page, menu: string | RegExp, item: string) => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('the menus of groups, rows and open threads pin, first in the sidebar and nowhere twice', async () => {
  const { thread } = await pinnable()
  const [ada, other] = [await adaWithPins(), await visits.signedInAs('ada')]
  await rows(other, 'Groups').filter({ hasText: 'Builds' }).waitFor()
  await rows(ada, 'Groups').filter({ hasText: 'Builds' }).click()
  await actOn(ada, 'Actions for Builds', 'Pin for me')
  await expect.poll(() => pinNames(ada)).toEqual(['Builds'])
  await ada.goto(`${site.home}/inbox`)
  const row = ada.locator(`[data-thread-row="${thread.threadID}"]`)
  await row.hover()
  await actOn(ada, /^Actions for .*Launch/, 'Pin for me')
  await expect.poll(() => pinNames(ada)).toEqual(['Builds', 'Launch'])
  await rows(ada, 'Direct messages').filter({ hasText: 'Grace' }).click()
  await actOn(ada, 'Actions for this thread', 'Pin for me')
  await expect.poll(() => pinNames(ada)).toEqual(['Builds', 'Launch', 'Grace'])
  // The person's other pages hear of it.
  await expect.poll(() => pinNames(other)).toEqual(['Builds', 'Launch', 'Grace'])
  await expect.poll(() => rows(ada, 'Groups').filter({ hasText: 'Builds' }).count()).toBe(0)
  expect(await rows(ada, 'Direct messages').filter({ hasText: 'Grace' }).count()).toBe(0)
  expect(await rows(ada, 'Pinned').filter({ hasText: 'Grace' }).getAttribute('aria-current')).toBe('page')
  expect(await problemsOf(ada, 'a sidebar with pins')).toEqual([])
})

test('the keyboard and the menu of a pin move it', async () => {
  const { group, thread, dm } = await pinnable()
  const ada = await adaWithPins(group, thread, dm)
  const other = await visits.signedInAs('ada')
  for (const page of [ada, other])
    await expect.poll(() => pinNames(page)).toEqual(['Builds', 'Launch', 'Grace'])
  await rows(ada, 'Pinned').filter({ hasText: 'Grace' }).focus()
  await ada.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => pinNames(ada)).toEqual(['Builds', 'Grace', 'Launch'])
  expect(await rows(ada, 'Pinned').filter({ hasText: 'Grace' }).and(ada.locator(':focus')).count()).toBe(1)
  await rows(ada, 'Pinned').filter({ hasText: 'Builds' }).hover()
  await actOn(ada, 'Actions for the pin Builds', 'Move down')
  await expect.poll(() => pinNames(ada)).toEqual(['Grace', 'Builds', 'Launch'])
  await expect.poll(() => pinNames(other)).toEqual(['Grace', 'Builds', 'Launch'])
})

test('a pin shows what is unread, and without it, a group returns to its section', async () => {
  const { grace, group, thread, dm } = await pinnable()
  const ada = await adaWithPins(group, thread, dm)
  await rows(ada, 'Pinned').filter({ hasText: 'Launch' }).click()
  await ada.getByRole('heading', { name: 'Launch', level: 1 }).waitFor()
  await rows(ada, 'Pinned').and(ada.locator('[aria-current=page]')).getByText('Launch').waitFor()
  await rows(ada, 'Pinned').filter({ hasText: 'Launch' }).getByLabel('unread').waitFor({ state: 'detached' })
  // A page that shows the thread would read the message.
  await ada.goto(`${site.home}/inbox`)
  await send(grace, site, { ...thread, message: { text: 'Still there?' } })
  await rows(ada, 'Pinned').filter({ hasText: 'Launch' }).getByLabel('unread').waitFor()
  await rows(ada, 'Pinned').filter({ hasText: 'Builds' }).hover()
  await actOn(ada, 'Actions for the pin Builds', 'Unpin')
  await rows(ada, 'Groups').filter({ hasText: 'Builds' }).waitFor()
  await ada.reload()
  await expect.poll(() => pinNames(ada)).toEqual(['Launch', 'Grace'])
})

test('on a phone, the page of groups begins with the pins', async () => {
  await adaWithPins({ groupID: site.starter.groupID })
  const phone = await visits.signedInAs('ada', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.getByRole('link', { name: 'Groups', exact: true }).click()
  const pin = phone.getByRole('list', { name: 'Pinned' }).getByRole('link', { name: 'Builds' })
  await pin.waitFor()
  expect(await problemsOf(phone, 'the pins on a phone')).toEqual([])
  await pin.click()
  await phone.getByRole('heading', { name: 'Builds', level: 1 }).waitFor()
  await phone.getByRole('link', { name: 'Groups' }).first().click()
  await phone.getByRole('button', { name: 'Actions for the pin Builds' }).click()
  await phone.getByRole('menuitem', { name: 'Unpin' }).click()
  await pin.waitFor({ state: 'detached' })
})

test('a pinned thread that does not concern the person follows its changes', async () => {
  const grace = await visits.signedInAs('grace')
  const { group } = await change(grace, site, 'createGroup', { name: 'Far away' }, 'group { id }')
  const { threadID } = await sendTo(grace, group.id, 'one', 'Before')
  const ada = await adaWithPins({ threadID })
  await expect.poll(() => pinNames(ada)).toEqual(['Before'])
  await change(grace, site, 'updateThread', { threadID, subject: 'After' })
  await expect.poll(() => pinNames(ada)).toEqual(['After'])
  await send(grace, site, { threadID, message: { text: 'Broken', state: 'failed' } })
  await rows(ada, 'Pinned').getByLabel('Failed').waitFor()
  await change(ada, site, 'unpinThread', { threadID })
  await rows(ada, 'Pinned').filter({ hasText: 'After' }).waitFor({ state: 'detached' })
})

test('drafts of other pages are one row of the sidebar, which opens a list of them', async () => {
  const ada = await visits.signedInAs('ada')
  const { groupID } = site.starter
  const { threadID } = await sendTo(ada, groupID, 'Words', 'Speech')
  const field = ada.getByLabel('Message', { exact: true })
  const drafts = ada.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Drafts' })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await field.fill('Dear **all**')
  // The composer already shows the draft.
  expect(await drafts.count()).toBe(0)
  // So does the composer of the chat on the page of a group.
  await ada.goto(`${site.home}/groups/${groupID}`)
  await drafts.waitFor()
  await field.fill('In the chat')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await field.fill('')
  await drafts.waitFor()
  await ada.goto(`${site.home}/groups/${groupID}`)
  await expect.poll(() => field.inputValue()).toBe('In the chat')
  await drafts.waitFor({ state: 'detached' })
  await field.fill('')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await field.fill('Dear **all**')
  await ada.goto(`${site.home}/new?to=${groupID}`)
  await field.fill('Another one')
  await drafts.click()
  const list = ada.getByRole('list', { name: 'Drafts' }).getByRole('listitem')
  await list.filter({ hasText: 'Speech' }).getByText('Dear all').waitFor()
  await list.filter({ hasText: 'New message to Builds' }).getByText('Another one').waitFor()
  expect(await list.count()).toBe(2)
  expect(await problemsOf(ada, 'the list of drafts')).toEqual([])
  await ada.getByRole('button', { name: 'Discard the draft: New message to Builds' }).click()
  await expect.poll(() => list.count()).toBe(1)
  await list.getByRole('link').click()
  await ada.getByRole('heading', { name: 'Speech', level: 1 }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('Dear **all**')
  await drafts.waitFor({ state: 'detached' })
  await field.fill('')
  // A draft can have only files.
  const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') }
  await ada.locator('input[type=file]').setInputFiles(file)
  await ada.getByText('plan.txt').waitFor()
  expect(await drafts.count()).toBe(0)
  await ada.getByRole('link', { name: 'Inbox' }).first().click()
  await drafts.click()
  await list.filter({ hasText: 'Speech' }).getByText('plan.txt').waitFor()
  await ada.getByRole('button', { name: 'Discard the draft: Speech' }).click()
  await ada.getByText('You have no drafts.').waitFor()
})
