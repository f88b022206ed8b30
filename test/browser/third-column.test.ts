import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { problemsInBothModes } from './page-problems.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const phone = { viewport: { width: 390, height: 844 } }
const column = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const focused = (page: Page) => page.locator(':focus')

const start = (page: Page, subject: string, recipients = [site.starter.groupID]) =>
  send(page, site, { thread: { recipients, subject }, message: { text: `About ${subject}` } })

async function newGroup(page: Page, name: string): Promise<string> {
  return (await change(page, site, 'createGroup', { name }, 'group { id }')).group.id
}

test('the details of a thread open beside it, have the focus, and return it when Escape closes them', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'Anchors')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'About Anchors').waitFor()
  await button(ada, 'Thread details').press('Enter')
  const details = column(ada, 'Thread details')
  await details.and(focused(ada)).waitFor()
  await details.getByRole('region', { name: 'Recipients' }).getByText('Builds').waitFor()
  expect(await ada.getByRole('dialog').count()).toBe(0)
  expect(await messages(ada, 'About Anchors').isVisible()).toBe(true)
  expect(await details.boundingBox()).toMatchObject({ x: 1008, width: 272 })
  expect(await problemsInBothModes(ada, 'details')).toEqual([])
  await ada.keyboard.press('Tab')
  await details.getByRole('button', { name: 'Close' }).and(focused(ada)).waitFor()
  await details.getByRole('combobox', { name: 'Add recipients' }).fill('gra')
  await ada.getByRole('option', { name: 'Grace' }).waitFor()
  await ada.keyboard.press('Escape')
  await ada.getByRole('option', { name: 'Grace' }).waitFor({ state: 'hidden' })
  await details.waitFor()
  await ada.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  await button(ada, 'Thread details').and(focused(ada)).waitFor()
  await ada.waitForURL(`**/threads/${threadID}`)
})

test('the details stay open when the person opens another thread, and the history of the browser closes them', async () => {
  const ada = await visits.signedInAs('ada')
  const first = await start(ada, 'Buoys')
  await start(ada, 'Ropes')
  await ada.goto(`${site.home}/threads/${first.threadID}`)
  await button(ada, 'Thread details').click()
  const subject = column(ada, 'Thread details').getByLabel('Subject')
  await expect.poll(() => subject.inputValue()).toBe('Buoys')
  await ada.locator('[data-thread-row]').filter({ hasText: 'Ropes' }).click()
  await messages(ada, 'About Ropes').waitFor()
  await expect.poll(() => subject.inputValue()).toBe('Ropes')
  await ada.reload()
  await expect.poll(() => subject.inputValue()).toBe('Ropes')
  await ada.goBack()
  await expect.poll(() => subject.inputValue()).toBe('Buoys')
  await ada.goBack()
  await column(ada, 'Thread details').waitFor({ state: 'detached' })
  await messages(ada, 'About Buoys').waitFor()
  await ada.goForward()
  await column(ada, 'Thread details').getByRole('button', { name: 'Close' }).click()
  await column(ada, 'Thread details').waitFor({ state: 'detached' })
  await ada.waitForURL(`**/threads/${first.threadID}`)
})

test('below 1200 px, details take the place of the conversation, and open details close when the window gets so narrow', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'Cables')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await button(ada, 'Thread details').click()
  const details = column(ada, 'Thread details')
  await details.waitFor()
  await ada.setViewportSize({ width: 1100, height: 800 })
  await details.waitFor({ state: 'detached' })
  await messages(ada, 'About Cables').waitFor()
  await button(ada, 'Thread details').click()
  await details.and(focused(ada)).waitFor()
  await messages(ada, 'About Cables').waitFor({ state: 'hidden' })
  await ada.locator('[data-thread-row]').filter({ hasText: 'Cables' }).waitFor()
  expect(await problemsInBothModes(ada, 'details at 1100 px')).toEqual([])
  await details.getByRole('button', { name: 'Close' }).click()
  await messages(ada, 'About Cables').waitFor()
  await button(ada, 'Thread details').and(focused(ada)).waitFor()
})

test.each([
  ['a phone', 390, 844],
  ['200 % zoom', 640, 400],
])('on %s, details are a page that the button and the history lead back from', async (name, width, height) => {
  const ada = await visits.signedInAs('ada', { viewport: { width, height } })
  const groupID = await newGroup(ada, `الرصيف ${width}`)
  await send(ada, site, { thread: { recipients: [groupID] }, message: { text: 'Hello all' } })
  await ada.goto(`${site.home}/groups/${groupID}`)
  await ada.getByRole('button', { name: '1 member · Add people' }).click()
  const details = column(ada, 'Group details')
  await details.getByText('Ada', { exact: true }).waitFor()
  expect(await details.boundingBox()).toEqual({ x: 0, y: 0, width, height })
  expect(await problemsInBothModes(ada, `details on ${name}`)).toEqual([])
  await ada.goBack()
  await ada.getByRole('button', { name: '1 member · Add people' }).and(focused(ada)).waitFor()
  await ada.locator('[data-thread-row]').filter({ hasText: 'Hello all' }).click()
  await messages(ada, 'Hello all').waitFor()
  await button(ada, 'Group details').click()
  await details.getByRole('button', { name: 'Back' }).click()
  await messages(ada, 'Hello all').waitFor()
  expect(await problemsInBothModes(ada, `a chat on ${name}`)).toEqual([])
})

test('on a phone, the details of a thread and of a chat have the buttons that the header has no room for', async () => {
  const ada = await visits.signedInAs('ada', phone)
  const groupID = await newGroup(ada, 'Quay')
  const { threadID } = await start(ada, 'Ropes', [groupID])
  await send(ada, site, { thread: { recipients: [groupID] }, message: { text: 'Hello all' } })
  const { group } = await ask(ada, site, `{ group(id: "${groupID}") { chat { id } } }`)
  for (const [id, details] of [
    [threadID, 'Thread details'],
    [group.chat.id, 'Group details'],
  ]) {
    await ada.goto(`${site.home}/threads/${id}`)
    await button(ada, details).click()
    const tools = column(ada, details)
    await tools.getByRole('button', { name: 'Notifications of this thread' }).click()
    await ada.getByRole('menuitem', { name: /^Mute/ }).click()
    await tools.getByRole('button', { name: 'Actions for this thread' }).click()
    await ada.getByRole('menuitem', { name: 'Pin for me' }).click()
    expect(await problemsInBothModes(ada, `${details} with buttons`)).toEqual([])
    const states = () => ask(ada, site, `{ thread(id: "${id}") { isMuted isPinned } }`)
    await expect.poll(states).toEqual({ thread: { isMuted: true, isPinned: true } })
  }
})

test('a person edits a group beside its chat with the keyboard, and mutes it in its details', async () => {
  const ada = await visits.signedInAs('ada')
  const groupID = await newGroup(ada, 'Pier')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await button(ada, 'Actions for Pier').press('Enter')
  await ada.getByRole('menuitem', { name: 'Edit group' }).press('Enter')
  const edit = column(ada, 'Edit group')
  await edit.and(focused(ada)).waitFor()
  expect(await problemsInBothModes(ada, 'editing a group')).toEqual([])
  await edit.getByLabel('Name').fill('Long pier')
  await edit.getByLabel('Description').fill('For ships')
  await edit.getByRole('button', { name: 'Save' }).press('Enter')
  await edit.waitFor({ state: 'detached' })
  await ada.getByRole('heading', { name: 'Long pier', level: 1 }).waitFor()
  await button(ada, 'Actions for Long pier').and(focused(ada)).waitFor()
  await button(ada, 'Group details').click()
  const details = column(ada, 'Group details')
  await details.getByText('For ships').waitFor()
  await details.getByRole('button', { name: 'Mute group' }).click()
  await details.getByRole('button', { name: 'Unmute group' }).waitFor()
  await ada.getByRole('img', { name: 'Muted', exact: true }).waitFor()
  expect(await problemsInBothModes(ada, 'details of a group')).toEqual([])
})

test('a reply in a new thread stays open while its message leaves the screen, and opens in the list of the group', async () => {
  const ada = await visits.signedInAs('ada')
  const groupID = await newGroup(ada, 'Dock')
  const say = (text: string) => send(ada, site, { thread: { recipients: [groupID] }, message: { text } })
  await say('The question')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await messages(ada, 'The question').hover()
  await messages(ada, 'The question')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await ada.getByRole('menuitem', { name: 'Reply in a new thread' }).click()
  const reply = column(ada, 'Reply in a new thread')
  await reply.getByLabel('Message', { exact: true }).and(focused(ada)).waitFor()
  await ada.keyboard.type('An answer')
  await Promise.all(Array.from({ length: 40 }, (_, index) => say(`Number ${index}`)))
  await messages(ada, 'The question').waitFor({ state: 'detached' })
  expect(await problemsInBothModes(ada, 'a reply')).toEqual([])
  await reply.getByLabel('Message', { exact: true }).press('Enter')
  await ada.waitForURL(`**/groups/${groupID}/threads/thr_*`)
  await messages(ada, 'An answer').waitFor()
  await reply.waitFor({ state: 'detached' })
})

test('messages that arrive under the details of a narrow window are read only after these have closed', async () => {
  const [ada, grace] = [await visits.signedInAs('ada', phone), await visits.signedInAs('grace')]
  const { threadID } = await start(ada, 'Tides')
  const unread = async () =>
    (await ask(ada, site, 'query ($id: ID!) { thread(id: $id) { unreadCount } }', { id: threadID })).thread
      .unreadCount
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'About Tides').waitFor()
  await button(ada, 'Thread details').click()
  await column(ada, 'Thread details').getByText('Builds').waitFor()
  await send(grace, site, { threadID, message: { text: 'High water' } })
  await ada.locator('article').filter({ hasText: 'High water' }).waitFor({ state: 'attached' })
  // The page marks what is on screen as read after one second.
  await ada.evaluate('new Promise((resolve) => setTimeout(resolve, 2500))')
  expect(await unread()).toBe(1)
  await column(ada, 'Thread details').getByRole('button', { name: 'Back' }).click()
  await expect.poll(unread).toBe(0)
})
