import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const row = (page: Page | Locator, subject: string) =>
  page.locator('[data-thread-row]').filter({ hasText: subject })
const unreadRow = (page: Page, subject: string) => row(page, subject).and(page.locator('[data-unread]'))
const tab = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}( \\d+\\+?)?$`) }).click()
const side = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })

const start = (page: Page, groupID: string, subject: string, text = 'one') =>
  send(page, site, { thread: { recipients: [groupID], subject }, message: { text } })
const reply = (page: Page, threadID: string, text: string) =>
  send(page, site, { threadID, message: { text } })
const mentionOfAda = () => `[Ada](skein:${site.starter.userIDs[0]}), look`

async function newGroup(page: Page, name: string): Promise<string> {
  return (await change(page, site, 'createGroup', { name }, 'group { id }')).group.id
}

/** Opens the menu of a row, and selects an item. */
async function select(page: Page, subject: string, item: string): Promise<void> {
  await row(page, subject).hover()
  await page.getByRole('button', { name: new RegExp(`^Actions for .*${subject}`) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Ada, who has the inbox open, and Grace, who has a group of her own. */
async function twoPeople(groupName: string) {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newGroup(grace, groupName)
  await ada.goto(`${site.home}/inbox`)
  await ada.locator('[data-thread-row]').first().waitFor()
  return { ada, grace, groupID }
}

test('the inbox lists what concerns the person, and a thread enters and leaves with its reason', async () => {
  const { ada, grace, groupID } = await twoPeople('Elsewhere')
  const { threadID } = await start(grace, groupID, 'Other team')
  const { threadID: hereID } = await start(grace, site.starter.groupID, 'Own team')
  await unreadRow(ada, 'Own team').waitFor()
  expect(await row(ada, 'Other team').count()).toBe(0)
  await change(ada, site, 'followThread', { threadID })
  await row(ada, 'Other team').waitFor()
  await tab(ada, 'Followed')
  await row(ada, 'Other team').waitFor()
  expect(await row(ada, 'Own team').count()).toBe(0)
  await change(ada, site, 'unfollowThread', { threadID })
  await row(ada, 'Other team').waitFor({ state: 'detached' })
  await tab(ada, 'For you')
  await row(ada, 'Starter app').waitFor()
  expect(await row(ada, 'Own team').count()).toBe(0)
  await reply(grace, hereID, mentionOfAda())
  await reply(grace, hereID, 'And more')
  await row(ada, 'Own team').getByLabel('mentions you').waitFor()
  expect(await problemsOf(ada, 'the tabs of the inbox')).toEqual([])
})

test('the tabs count unread messages for the person, and threads that have failed', async () => {
  const { ada, grace } = await twoPeople('Beside tabs')
  const shown = async (name: string) => {
    const text = await ada.getByRole('button', { name: new RegExp(`^${name}( [0-9]+)?$`) }).innerText()
    return Number(/[0-9]+/.exec(text)?.[0] ?? 0)
  }
  const [before, failedBefore] = [await shown('For you'), await shown('Failed')]
  const { groupID } = site.starter
  const broken = {
    thread: { recipients: [groupID], subject: 'Broken' },
    message: { text: 'no', state: 'failed' },
  }
  const { threadID } = await send(grace, site, broken)
  await expect.poll(() => shown('Failed')).toBe(failedBefore + 1)
  expect(await shown('For you')).toBe(before)
  await reply(grace, threadID, mentionOfAda())
  await expect.poll(() => shown('For you')).toBe(before + 1)
  await tab(ada, 'Failed')
  await row(ada, 'Broken').waitFor()
  expect(await shown('Failed')).toBe(failedBefore + 1)
  await send(grace, site, { threadID, message: { text: 'yes', state: 'ok' } })
  await expect.poll(() => shown('Failed')).toBe(failedBefore)
  await row(ada, 'Broken').waitFor({ state: 'detached' })
})

test('a muted thread is dimmed and never unread, except for a mention by name in a message of a person', async () => {
  const { ada, grace } = await twoPeople('Muted place')
  const { threadID } = await start(grace, site.starter.groupID, 'Noisy')
  await unreadRow(ada, 'Noisy').waitFor()
  await select(ada, 'Noisy', 'Mute')
  await row(ada, 'Noisy').getByLabel('muted').waitFor()
  await unreadRow(ada, 'Noisy').waitFor({ state: 'detached' })
  await reply(grace, threadID, 'Some more noise')
  await row(ada, 'Noisy').getByText('Some more noise').waitFor()
  expect(await unreadRow(ada, 'Noisy').count()).toBe(0)
  await reply(grace, threadID, mentionOfAda())
  await unreadRow(ada, 'Noisy').getByLabel('mentions you').waitFor()
  await row(ada, 'Noisy').click()
  await ada.getByRole('button', { name: 'Notifications of this thread' }).click()
  await ada.getByRole('menuitem', { name: 'Unmute' }).click()
  await row(ada, 'Noisy').getByLabel('muted').waitFor({ state: 'detached' })
})

test('everything can be marked as read, with a button and a key, and Undo takes it back', async () => {
  const { ada, grace } = await twoPeople('Marked')
  const { threadID } = await start(grace, site.starter.groupID, 'Old news', mentionOfAda())
  await unreadRow(ada, 'Old news').waitFor()
  await side(ada, 'Mentions').getByLabel('unread').waitFor()
  await ada.getByRole('button', { name: 'Mark all as read' }).click()
  await ada.getByText('Everything is marked as read.').waitFor()
  await unreadRow(ada, 'Old news').waitFor({ state: 'detached' })
  await side(ada, 'Mentions').getByLabel('unread').waitFor({ state: 'detached' })
  await side(ada, 'Inbox').getByLabel('unread').waitFor({ state: 'detached' })
  expect(await problemsOf(ada, 'the notice about marking as read')).toEqual([])
  await ada.getByRole('button', { name: 'Undo' }).click()
  await unreadRow(ada, 'Old news').waitFor()
  await side(ada, 'Mentions').getByLabel('unread').waitFor()
  await ada.locator('body').press('Shift+Escape')
  await unreadRow(ada, 'Old news').waitFor({ state: 'detached' })
  await side(ada, 'Inbox').getByLabel('unread').waitFor({ state: 'detached' })
  await reply(grace, threadID, mentionOfAda())
  await unreadRow(ada, 'Old news').waitFor()
  await side(ada, 'Inbox').getByLabel('1 unread').waitFor()
})

test('keys open the next unread thread, mark it as read, and mute it', async () => {
  const { ada, grace } = await twoPeople('Keys')
  for (const subject of ['First', 'Second']) await start(grace, site.starter.groupID, subject)
  await unreadRow(ada, 'First').waitFor()
  await unreadRow(ada, 'Second').waitFor()
  await ada.locator('body').press('n')
  await ada.getByRole('heading', { name: 'Second', level: 1 }).waitFor()
  await row(ada, 'Second').focus()
  await ada.keyboard.press('e')
  await ada.getByRole('heading', { name: 'First', level: 1 }).waitFor()
  await unreadRow(ada, 'Second').waitFor({ state: 'detached' })
  await row(ada, 'First').focus()
  await ada.keyboard.press('m')
  await row(ada, 'First').getByLabel('muted').waitFor()
  await ada.keyboard.press('m')
  await row(ada, 'First').getByLabel('muted').waitFor({ state: 'detached' })
  await ada.keyboard.press('?')
  await ada.getByText('Mute the thread, or end muting it').waitFor()
})

test('the page of mentions lists unread mentions, each leads to its message, and it follows changes', async () => {
  const { ada, grace, groupID } = await twoPeople('Mentioning')
  const { threadID } = await start(grace, groupID, 'Asked', mentionOfAda())
  for (let n = 0; n < 3; n += 1) await reply(grace, threadID, `later ${n}`)
  await side(ada, 'Mentions').getByLabel('unread').waitFor()
  await side(ada, 'Mentions').click()
  const mentions = ada.getByRole('list', { name: 'Mentions' })
  await mentions.getByRole('link').filter({ hasText: 'Asked' }).waitFor()
  await start(grace, groupID, 'Asked again', mentionOfAda())
  await mentions.getByRole('link').filter({ hasText: 'Asked again' }).waitFor()
  expect(await problemsOf(ada, 'the page of mentions')).toEqual([])
  await mentions.getByRole('link').filter({ hasText: 'Asked' }).last().click()
  await messages(ada, '@Ada, look').waitFor()
  expect(new URL(ada.url()).pathname).toMatch(new RegExp(`/threads/${threadID}/msg_`))
  await messages(ada, 'later 2').waitFor()
  const query = 'query ($id: ID!) { thread(id: $id) { unreadMentionCount } }'
  await expect
    .poll(async () => (await ask(ada, site, query, { id: threadID })).thread.unreadMentionCount)
    .toBe(0)
  await side(ada, 'Mentions').click()
  await mentions.getByRole('link').filter({ hasText: 'Asked again' }).waitFor()
  await expect.poll(() => mentions.getByRole('link').filter({ hasText: 'Asked' }).count()).toBe(1)
  await ada.getByText('All', { exact: true }).click()
  await expect.poll(() => mentions.getByRole('link').filter({ hasText: 'Asked' }).count()).toBe(2)
})

test('the sidebar marks groups with unread threads, and a muted group is quiet and can be marked as read', async () => {
  const { ada, grace, groupID } = await twoPeople('Quiet')
  await change(ada, site, 'joinGroup', { groupID })
  await side(ada, 'Quiet').waitFor()
  await start(grace, groupID, 'In the group')
  await side(ada, 'Quiet').getByLabel('unread').waitFor()
  await side(ada, 'Quiet').click()
  await ada.getByRole('button', { name: 'Actions for Quiet' }).click()
  await ada.getByRole('menuitem', { name: 'Mark all as read' }).click()
  await side(ada, 'Quiet').getByLabel('unread').waitFor({ state: 'detached' })
  await ada.getByRole('button', { name: 'Undo' }).click()
  await side(ada, 'Quiet').getByLabel('unread').waitFor()
  await ada.getByRole('button', { name: 'Actions for Quiet' }).click()
  await ada.getByRole('menuitem', { name: 'Mute group' }).click()
  await side(ada, 'Quiet').getByLabel('muted').waitFor()
  await side(ada, 'Inbox').click()
  await row(ada, 'In the group').waitFor({ state: 'detached' })
})

test('the profile lists what is muted and followed, each with a button that ends it', async () => {
  const { ada, grace, groupID } = await twoPeople('Listed')
  const { threadID } = await start(grace, groupID, 'Kept an eye on')
  await change(ada, site, 'joinGroup', { groupID })
  await change(ada, site, 'muteGroup', { groupID })
  for (const name of ['muteThread', 'followThread']) await change(ada, site, name, { threadID })
  await ada.goto(`${site.home}/settings/profile`)
  const muted = ada.getByRole('list', { name: 'Muted' })
  await muted.getByRole('link', { name: 'Kept an eye on' }).waitFor()
  await muted.getByRole('button', { name: 'Unmute Listed' }).click()
  await muted.getByRole('link', { name: 'Listed' }).waitFor({ state: 'detached' })
  const followed = ada.getByRole('list', { name: 'Followed threads' })
  const unfollow = followed.getByRole('button', { name: /^Unfollow .*Kept an eye on/ })
  await unfollow.click()
  await unfollow.waitFor({ state: 'detached' })
  const unmute = muted.getByRole('button', { name: /^Unmute .*Kept an eye on/ })
  await unmute.click()
  await unmute.waitFor({ state: 'detached' })
  expect(await problemsOf(ada, 'what is muted')).toEqual([])
})

test('the threads of a group that the person is not in stay current on the page of the group', async () => {
  const { ada, grace, groupID } = await twoPeople('Watched')
  const { threadID } = await start(grace, groupID, 'Before')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await row(ada, 'Before').waitFor()
  await reply(grace, threadID, 'Something new')
  await row(ada, 'Something new').waitFor()
  await start(grace, groupID, 'Begun since')
  await row(ada, 'Begun since').waitFor()
  await send(grace, site, { thread: { recipients: [groupID] }, message: { text: 'In the chat' } })
  await row(ada, 'Chat').getByText('Grace: In the chat').waitFor()
  await ada.getByRole('button', { name: 'Join' }).click()
  await reply(grace, threadID, 'After joining')
  await row(ada, 'After joining').waitFor()
  await change(ada, site, 'muteGroup', { groupID })
  await ada.getByRole('img', { name: 'Muted', exact: true }).waitFor()
  await reply(grace, threadID, 'After muting')
  await row(ada, 'After muting').waitFor()
})

test('a mention from before the person joined a group stays marked until its thread is opened', async () => {
  const { ada, grace, groupID } = await twoPeople('Joined later')
  await change(ada, site, 'markAllRead', {})
  const { threadID } = await start(grace, groupID, 'Early question', mentionOfAda())
  await reply(grace, threadID, 'Never mind')
  await change(ada, site, 'unfollowThread', { threadID })
  await change(ada, site, 'joinGroup', { groupID })
  const query = 'query ($id: ID!) { thread(id: $id) { unreadCount unreadMentionCount } }'
  const unread = async () => (await ask(ada, site, query, { id: threadID })).thread
  expect(await unread()).toEqual({ unreadCount: 0, unreadMentionCount: 1 })
  await unreadRow(ada, 'Early question').getByLabel('mentions you, 1 unread').waitFor()
  await side(ada, 'Mentions').getByLabel('1 unread').waitFor()
  await row(ada, 'Early question').click()
  await expect.poll(unread).toEqual({ unreadCount: 0, unreadMentionCount: 0 })
  await unreadRow(ada, 'Early question').waitFor({ state: 'detached' })
  await side(ada, 'Mentions').getByLabel('unread').waitFor({ state: 'detached' })
})

test('all that is counted is in “All”, also a mention in a muted group, until it is read and another thread is open', async () => {
  const { ada, grace } = await twoPeople('Host of a muted group')
  const groupID = await newGroup(grace, 'Muted alarms')
  await change(ada, site, 'joinGroup', { groupID })
  await change(ada, site, 'muteGroup', { groupID })
  const chat = (text: string) => send(grace, site, { thread: { recipients: [groupID] }, message: { text } })
  const leftID = await newGroup(grace, 'Left behind')
  await start(grace, leftID, 'Where are you?', mentionOfAda())
  await chat('noise')
  await unreadRow(ada, 'Where are you?').waitFor()
  expect(await row(ada, 'Muted alarms').count()).toBe(0)
  await chat(mentionOfAda())
  await unreadRow(ada, 'Muted alarms').getByLabel('mentions you').waitFor()
  await ada.reload()
  await unreadRow(ada, 'Muted alarms').waitFor()
  expect(await row(ada, 'Where are you?').count()).toBe(1)
  await row(ada, 'Muted alarms').click()
  await ada.getByRole('heading', { name: 'Muted alarms', level: 1 }).waitFor()
  await unreadRow(ada, 'Muted alarms').waitFor({ state: 'detached' })
  expect(await row(ada, 'Muted alarms').count()).toBe(1)
  await row(ada, 'Where are you?').click()
  await ada.getByRole('heading', { name: 'Where are you?', level: 1 }).waitFor()
  await ada.mouse.move(1200, 400)
  await row(ada, 'Muted alarms').waitFor({ state: 'detached' })
})
