import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { messages, write } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Creates a group of one person, and returns its ID. */
async function newGroup(page: Page, name: string, description?: string): Promise<string> {
  return (await change(page, site, 'createGroup', { name, description }, 'group { id }')).group.id
}

const start = (page: Page, recipients: string[], subject?: string, text = 'First message') =>
  send(page, site, { thread: { recipients, subject }, message: { text } })

const rows = (page: Page) => page.locator('[data-thread-row]')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const current = (page: Page) => page.locator('[data-thread-row][aria-current=page]')

test('the page of a group lists its chat and its threads, and a thread opens beside the list', async () => {
  const ada = await visits.signedInAs('ada')
  const groupID = await newGroup(ada, 'Lighthouse', 'Lamps and lenses')
  const path = `${site.home}/groups/${groupID}`
  await ada.goto(path)
  await row(ada, 'Chat').getByText('No messages yet').waitFor()
  await ada.getByText('The group has no threads yet.').waitFor()
  await start(ada, [groupID], undefined, 'Hello all')
  const first = await start(ada, [groupID], 'New lamp')
  await start(ada, [groupID], 'Old lens')
  await row(ada, 'Old lens').waitFor()
  await send(ada, site, { threadID: first.threadID, message: { text: 'It is bright' } })
  await row(ada, 'It is bright').waitFor()
  const subjects = async () => (await rows(ada).allInnerTexts()).map((text) => text.split('\n')[0])
  await expect.poll(subjects).toEqual(['Chat', 'New lamp', 'Old lens'])
  await ada.getByText('Lamps and lenses').waitFor()
  await messages(ada, 'Hello all').waitFor()
  await current(ada).getByText('Hello all').waitFor()
  expect(await ada.title()).toBe('Lighthouse · Skein')
  // The page of the group already names the group.
  expect(await row(ada, 'New lamp').getByText('Lighthouse').count()).toBe(0)
  await row(ada, 'New lamp').click()
  await ada.waitForURL(`**${path}/threads/${first.threadID}`)
  await ada.reload()
  await messages(ada, 'It is bright').waitFor()
  await current(ada).getByText('New lamp').waitFor()
  await expect.poll(subjects).toEqual(['Chat', 'New lamp', 'Old lens'])
  await ada.getByRole('heading', { name: 'New lamp', level: 1 }).waitFor()
  await ada.goBack()
  await messages(ada, 'Hello all').waitFor()
  await ada.getByRole('heading', { name: 'Lighthouse', level: 1 }).waitFor()
  await ada.getByRole('link', { name: 'New thread' }).click()
  await ada.waitForURL(`**/new?to=${groupID}`)
})

test('a thread that starts from a message of a group opens in the list of the group, and leads back to the message', async () => {
  const ada = await visits.signedInAs('ada')
  const groupID = await newGroup(ada, 'Harbour')
  const { messageID } = await start(ada, [groupID], undefined, 'Who has the key?')
  const thread = { recipients: [], fromMessageID: messageID, subject: 'The key' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'I have it' } })
  await ada.goto(`${site.home}/groups/${groupID}`)
  await messages(ada, 'Who has the key?').getByRole('link', { name: 'The key' }).click()
  await ada.waitForURL(`**/groups/${groupID}/threads/${threadID}`)
  await ada.getByRole('link', { name: 'Started from a message by' }).click()
  await ada.waitForURL(`**/groups/${groupID}/threads/thr_*/${messageID}`)
  await messages(ada, 'Who has the key?').waitFor()
  await current(ada).getByText('Chat', { exact: true }).waitFor()
})

test('the filter “Failed” of a group shows the threads of the group that have failed, and follows their states', async () => {
  const ada = await visits.signedInAs('ada')
  const groupID = await newGroup(ada, 'Canal')
  const post = (uniqueBy: string, state: string) =>
    fetch(site.starter.webhookURL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        target: groupID,
        threadSubject: uniqueBy,
        threadBy: uniqueBy,
        uniqueBy,
        text: 'Level',
        state,
      }),
    })
  await post('Lock 1', 'ok')
  await post('Lock 2', 'failed')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await row(ada, 'Lock 1').waitFor()
  await ada.getByRole('button', { name: 'Failed', exact: true }).click()
  await row(ada, 'Lock 2').waitFor()
  await expect.poll(() => rows(ada).count()).toBe(2)
  await post('Lock 1', 'failed')
  await row(ada, 'Lock 1').waitFor()
  await post('Lock 2', 'ok')
  await row(ada, 'Lock 2').waitFor({ state: 'detached' })
})

test('a thread leaves the list of a group that is removed from its recipients', async () => {
  const ada = await visits.signedInAs('ada')
  const [groupID, otherID] = [await newGroup(ada, 'Meadow'), await newGroup(ada, 'Marsh')]
  const { threadID } = await start(ada, [groupID, otherID], 'Both')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await row(ada, 'Both').waitFor()
  await change(ada, site, 'removeRecipients', { threadID, recipientIDs: [groupID] })
  await row(ada, 'Both').waitFor({ state: 'detached' })
})

test('on a phone, a group shows its list first, and its chat and threads lead back to it', async () => {
  const ada = await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } })
  const groupID = await newGroup(ada, 'Orchard')
  const path = `${site.home}/groups/${groupID}`
  const chat = await start(ada, [groupID], undefined, 'Hello all')
  await start(ada, [groupID], 'Apples')
  await ada.goto(path)
  await row(ada, 'Apples').waitFor()
  await ada.getByRole('heading', { name: 'Orchard', level: 1 }).waitFor()
  await expect.poll(() => ada.title()).toBe('Orchard · Skein')
  await ada.getByRole('navigation', { name: 'Workspace' }).waitFor()
  expect(await messages(ada, 'Hello all').count()).toBe(0)
  expect(await problemsOf(ada, 'a group on a phone')).toEqual([])
  await row(ada, 'Hello all').click()
  await ada.waitForURL(`**${path}/threads/${chat.threadID}`)
  await write(ada, 'From the phone')
  await messages(ada, 'From the phone').waitFor()
  expect(await problemsOf(ada, 'a chat on a phone')).toEqual([])
  await ada.getByRole('link', { name: 'Back to Orchard' }).click()
  await row(ada, 'Apples').click()
  await messages(ada, 'First message').waitFor()
  await ada.getByRole('link', { name: 'Back to Orchard' }).click()
  await ada.getByRole('link', { name: 'Back to Groups' }).click()
  await ada.waitForURL(`**${site.home}/groups`)
})

test('names that are written from right to left keep the edge of the list of a group', async () => {
  const ada = await visits.signedInAs('ada')
  const groupID = await newGroup(ada, 'النشر', 'كل ما يتعلق بالإصدارات')
  await start(ada, [groupID], 'إصدار جديد')
  await start(ada, [groupID], 'A release')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await row(ada, 'إصدار جديد').waitFor()
  const edges = await ada.evaluate(`[...document.querySelectorAll('[data-thread-row] time')].map((time) => {
    const range = document.createRange()
    range.selectNodeContents(time.previousElementSibling)
    return Math.round(range.getBoundingClientRect().left)
  })`)
  expect(new Set(edges as number[]).size).toBe(1)
  for (const colorScheme of ['light', 'dark'] as const) {
    await ada.emulateMedia({ colorScheme })
    expect(await problemsOf(ada, `a group, ${colorScheme}`)).toEqual([])
  }
})

test('the keys of the inbox work in the list of a group', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newGroup(ada, 'Quarry')
  await start(grace, [groupID], 'Granite')
  await start(grace, [groupID], 'Slate')
  await ada.goto(`${site.home}/groups/${groupID}`)
  await row(ada, 'Slate').getByLabel('1 unread').waitFor()
  await ada.keyboard.press('n')
  await ada.getByRole('heading', { name: 'Slate', level: 1 }).waitFor()
  await ada.keyboard.press('n')
  await ada.getByRole('heading', { name: 'Granite', level: 1 }).waitFor()
  await ada.keyboard.press('m')
  await row(ada, 'Granite').getByRole('img', { name: 'muted' }).waitFor()
  await ada.keyboard.press('k')
  await row(ada, 'Slate').and(ada.locator(':focus')).waitFor()
})

test('the ID of the workspace opens the page of the General group', async () => {
  const { workspaceID } = site.starter
  const ada = await visits.signedInAs('ada')
  const general = (
    await operate(site, 'updateGroup', { groupID: workspaceID, description: 'Everyone' }, 'group { id }')
  ).group.id
  await ada.goto(`${site.home}/groups/${workspaceID}`)
  await ada.waitForURL(`**/groups/${general}`)
  await ada.getByText('Everyone').waitFor()
})
