import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** A change this long after an answer cannot be in it. */
const settledMs = 2500

const row = (page: Page, subject: string) => page.locator('[data-thread-row]').filter({ hasText: subject })
const side = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const mentionOfAda = () => `[Ada](skein:${site.starter.userIDs[0]}), look`

/** Returns the names of the operations that asked for the numbers, or for the dots of groups, since the call. */
function startCounting(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const operation = request.postData() ?? ''
    if (/unread \{|hasUnread/.test(operation) && !operation.includes('mutation '))
      asked.push(/query (\w+)/.exec(operation)?.[1] ?? '')
  })
  return asked
}

/** Returns what the sidebar shows: a number, a dot with the number of threads, or nothing. */
async function shownBeside(page: Page, name: string): Promise<number> {
  const labels = await side(page, name)
    .locator('[aria-label$=unread]')
    .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-label')))
  return Number(/^\d+/.exec(labels[0] ?? '')?.[0] ?? 0)
}

const hasDot = async (page: Page, group: string) => (await side(page, group).getByLabel('unread').count()) > 0

/** Ada, who has the inbox open since a while, and Grace, who writes. Ada has read everything. */
async function quietInbox(groupName: string) {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const { group } = await change(grace, site, 'createGroup', { name: groupName }, 'group { id }')
  await change(ada, site, 'joinGroup', { groupID: group.id })
  const start = (subject: string, text = 'one') =>
    send(grace, site, { thread: { recipients: [group.id], subject }, message: { text } })
  const reply = (threadID: string, text: string) => send(grace, site, { threadID, message: { text } })
  const { threadID } = await start(`Known in ${groupName}`)
  await change(ada, site, 'markAllRead', {})
  await ada.goto(`${site.home}/inbox`)
  await row(ada, `Known in ${groupName}`).waitFor()
  await side(ada, groupName).waitFor()
  await setTimeout(settledMs)
  return { ada, grace, threadID, start, reply, asked: startCounting(ada) }
}

test('the page counts the changes of known and of new threads without a request', async () => {
  const { ada, threadID, start, reply, asked } = await quietInbox('Counted')
  for (let n = 0; n < 5; n += 1) await reply(threadID, `more ${n}`)
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(1)
  await expect.poll(() => hasDot(ada, 'Counted')).toBe(true)
  for (const subject of ['New', 'Newer']) await start(subject)
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(3)
  await reply(threadID, mentionOfAda())
  await reply(threadID, mentionOfAda())
  await expect.poll(() => shownBeside(ada, 'Mentions')).toBe(2)
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(2)
  await row(ada, 'Known in Counted').click()
  await expect.poll(() => shownBeside(ada, 'Mentions')).toBe(0)
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(2)
  await ada.keyboard.press('Escape')
  await row(ada, 'Newer').focus()
  await ada.keyboard.press('m')
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(1)
  expect(await hasDot(ada, 'Counted')).toBe(true)
  await row(ada, 'New').last().click()
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(0)
  await expect.poll(() => hasDot(ada, 'Counted')).toBe(false)
  expect(asked).toEqual([])
})

test('the page counts messages in DMs without a request, and what is read in another window', async () => {
  const { ada, grace, asked } = await quietInbox('Beside a DM')
  const [adaID = ''] = site.starter.userIDs
  const query = 'query ($id: ID!) { user(id: $id) { chat { id } } }'
  const { id } = (await ask(grace, site, query, { id: adaID })).user.chat
  for (let n = 0; n < 3; n += 1) await send(grace, site, { threadID: id, message: { text: `hello ${n}` } })
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(3)
  await change(ada, site, 'markRead', { threadID: id })
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(0)
  expect(asked).toEqual([])
})

test('after a gap, the page asks once, and counts on from the answer', async () => {
  const { ada, threadID, start, reply, asked } = await quietInbox('Interrupted')
  await ada.context().setOffline(true)
  await ada.getByText('No connection.').waitFor()
  await reply(threadID, mentionOfAda())
  await start('Missed')
  await ada.context().setOffline(false)
  await expect.poll(() => shownBeside(ada, 'Mentions')).toBe(1)
  await row(ada, 'Missed').waitFor()
  await setTimeout(2 * settledMs)
  expect(asked.filter((name) => name === 'workspaceLayoutQuery')).toHaveLength(1)
  expect(asked).not.toContain('countRequestsQuery')
  const before = asked.length
  await reply(threadID, mentionOfAda())
  await start('After the gap')
  await expect.poll(() => shownBeside(ada, 'Mentions')).toBe(2)
  await row(ada, 'After the gap').waitFor()
  await ada.getByRole('button', { name: 'Mark all as read' }).waitFor()
  expect(asked).toHaveLength(before)
  const { viewer } = await ask(ada, site, '{ viewer { unread { threads directMessages mentions } } }')
  expect(viewer.unread).toEqual({ threads: 3, directMessages: 0, mentions: 2 })
  visits.forgetProblems()
})

test('the page asks if a message arrives in a thread that it has not loaded', async () => {
  const { ada, grace, threadID, reply } = await quietInbox('Not loaded')
  await ada.goto(`${site.home}/settings/profile`)
  await side(ada, 'Not loaded').waitFor()
  await setTimeout(settledMs)
  const asked = startCounting(ada)
  await reply(threadID, 'one more')
  await expect.poll(() => shownBeside(ada, 'Inbox')).toBe(1)
  expect(asked).toEqual(['countRequestsQuery'])
  expect(grace.url()).toContain(site.home)
})

test('if the service is too busy when the page loads again, the page keeps what it shows, and tries again', async () => {
  const { ada, start } = await quietInbox('Still here')
  const late = {
    message: 'The request exceeded the time limit of 30 s and was stopped. Send a smaller request.',
    extensions: { code: 'TIMEOUT' },
  }
  let refused = 0
  await ada.context().setOffline(true)
  const isLost = ada.getByText('No connection.')
  const isBusy = ada.getByText('The service does not answer. Trying again…')
  await isLost.waitFor()
  await ada.route('**/public/graphql', (route) => {
    refused += 1
    return route.fulfill({ status: 503, json: { errors: [late] } })
  })
  await start('Meanwhile')
  await ada.context().setOffline(false)
  // The live connection is back, and each part of the page has been loaded in vain.
  await expect.poll(() => refused).toBeGreaterThan(4)
  await row(ada, 'Known in Still here').waitFor()
  expect(await ada.getByText(/could not be loaded|Send a smaller request/).count()).toBe(0)
  await isBusy.waitFor()
  expect(await isLost.count()).toBe(0)
  await ada.unrouteAll()
  await isBusy.waitFor({ state: 'hidden' })
  await row(ada, 'Meanwhile').waitFor()
  visits.forgetProblems()
})
