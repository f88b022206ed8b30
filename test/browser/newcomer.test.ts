import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { stopClock } from './stopped-clock.ts'
import { messages, write } from './thread-page.ts'
import { startVisits } from './visits.ts'

// What a newcomer of a busy team stumbled over.

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const field = (page: Page) => page.getByLabel('Message', { exact: true })
const focused = (page: Page) => page.locator(':focus')
const start = (page: Page, subject: string) =>
  send(page, site, {
    thread: { recipients: [site.starter.groupID], subject },
    message: { text: `About ${subject}` },
  })

test('the button that sends is inside the frame of a reply in the third column', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'Frames')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'About Frames').hover()
  await ada.getByRole('button', { name: /^Reply to message by Ada/ }).click()
  const column = ada.getByRole('complementary', { name: 'Reply in a new thread' })
  const sends = await column.getByRole('button', { name: 'Send' }).boundingBox()
  const frame = await column.locator('form').boundingBox()
  expect((sends?.x ?? 0) + (sends?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0))
})

test('Escape leaves the message field, so that the keys are shortcuts again', async () => {
  const ada = await visits.signedInAs('ada')
  await start(ada, 'Below')
  const { threadID } = await start(ada, 'Above')
  await ada.goto(`${site.home}/threads/${threadID}`)
  const below = ada.locator('[data-thread-row]').filter({ hasText: 'Below' })
  await below.waitFor()
  await field(ada).fill('Half a')
  await ada.keyboard.press('Escape')
  await ada.keyboard.press('j')
  await below.and(focused(ada)).waitFor()
  expect(await field(ada).inputValue()).toBe('Half a')
})

test('after the key for the next unread thread, the keys are for that thread', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  for (const subject of ['Third', 'Second', 'First']) await start(grace, subject)
  const row = (subject: string) => ada.locator('[data-thread-row]').filter({ hasText: `About ${subject}` })
  await ada.goto(`${site.home}/inbox`)
  await row('Third').waitFor()
  await row('First').press('Enter')
  await messages(ada, 'About First').waitFor()
  await ada.keyboard.press('n')
  await messages(ada, 'About Second').waitFor()
  await row('Second').and(focused(ada)).waitFor()
  await ada.keyboard.press('m')
  await row('Second').and(ada.locator('[data-muted]')).waitFor()
  await row('Third').and(ada.locator('[data-unread]')).waitFor()
})

test('the list of keys has the one that answers beside the one that opens', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.locator('[data-thread-row]').first().press('?')
  const keyboard = ada.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keyboard.getByText('Reply: move to').waitFor()
  const keys = await keyboard.locator('kbd').allInnerTexts()
  expect(keys[keys.indexOf('Enter') + 1]).toBe('r')
})

test('after a preview, the field has the focus, and Enter sends', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'Previews')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await field(ada).fill('Is it **bold**?')
  await ada.getByRole('button', { name: 'Preview', exact: true }).click()
  await ada.getByRole('button', { name: 'Write' }).click()
  await field(ada).and(focused(ada)).waitFor()
  await ada.keyboard.press('Enter')
  await messages(ada, 'Is it bold?').waitFor()
})

test('the fields of a new direct message and of a new group have the focus', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.getByRole('link', { name: 'New direct message' }).click()
  await ada.getByRole('combobox', { name: 'New direct message' }).and(focused(ada)).waitFor()
  await ada.keyboard.type('gra')
  await ada.getByText('1 match. Enter chooses Grace.').waitFor({ state: 'attached' })
  await ada.keyboard.press('Enter')
  await ada.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
  await ada.goto(`${site.home}/groups/new`)
  await ada.getByLabel('Name').and(focused(ada)).waitFor()
  await ada.keyboard.type('New here')
  await ada.keyboard.press('Enter')
  await ada.getByRole('button', { name: '1 member · Add people' }).click()
  await ada.getByRole('combobox', { name: 'Add people' }).waitFor()
})

test('the menu of the person shows the keyboard shortcuts', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.getByRole('button', { name: 'Ada, your menu' }).click()
  await ada.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to the inbox').waitFor()
})

test('what was found, and what is followed, names the group of its thread', async () => {
  const ada = await visits.signedInAs('ada')
  await start(ada, 'Quokkas')
  await ada.goto(`${site.home}/search?q=Quokkas`)
  await ada
    .getByRole('link', { name: /Quokkas/ })
    .getByText('Builds', { exact: true })
    .waitFor()
  await ada.goto(`${site.home}/settings/profile`)
  const followed = ada.getByRole('list', { name: 'Followed threads' }).getByRole('listitem')
  await followed.filter({ hasText: 'Quokkas' }).getByText('Builds', { exact: true }).waitFor()
})

test('a mention that was opened leads back to the mentions', async () => {
  const [grace, phone] = [
    await visits.signedInAs('grace'),
    await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } }),
  ]
  const thread = { recipients: [site.starter.groupID], subject: 'Called' }
  await send(grace, site, { thread, message: { text: `[Ada](skein:${site.starter.userIDs[0]}), look` } })
  await phone.goto(`${site.home}/mentions`)
  await phone.getByRole('list', { name: 'Mentions' }).getByRole('link').first().click()
  await messages(phone, 'look').waitFor()
  await phone.getByRole('link', { name: 'Mentions' }).first().click()
  await phone.getByRole('heading', { name: 'Mentions', level: 1 }).waitFor()
})

test('a result of a search that was opened leads back to the results', async () => {
  const phone = await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } })
  await start(phone, 'Walruses')
  await phone.goto(`${site.home}/search?q=walruses&order=best`)
  await phone.getByRole('link', { name: /About Walruses/ }).click()
  await messages(phone, 'About Walruses').waitFor()
  await phone.getByRole('link', { name: 'Back to Search' }).click()
  await phone.waitForURL(`**${site.home}/search?q=walruses&order=best`)
  await phone.getByRole('link', { name: /About Walruses/ }).waitFor()
})

test('the history of the browser has each search', async () => {
  const ada = await visits.signedInAs('ada')
  const words = ada.getByRole('searchbox', { name: 'Search messages' })
  await ada.goto(`${site.home}/search?q=alpha`)
  for (const word of ['beta', 'gamma']) {
    await words.fill(word)
    await words.press('Enter')
    await ada.waitForURL(`**/search?q=${word}`)
  }
  for (const word of ['beta', 'alpha']) {
    await ada.goBack()
    await ada.waitForURL(`**/search?q=${word}`)
    await expect.poll(() => words.inputValue()).toBe(word)
  }
})

test('a subject that was found is marked in the title of the result, and is not a part of its text', async () => {
  const ada = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject: 'Offsite & <ideas> — 2027' }
  await send(ada, site, { thread, message: { text: 'Done.' } })
  await ada.goto(`${site.home}/search?q=offsite`)
  const result = ada.getByRole('link', { name: /Offsite/ })
  await result.locator('mark').waitFor()
  expect(await result.locator('mark').allInnerTexts()).toEqual(['Offsite'])
  expect((await result.innerText()).replaceAll('\n', ' ')).toMatch(
    /^Ada\s+in Offsite & <ideas> — 2027\s[^—]*\sDone\.$/,
  )
})

test('the items of a list are apart where a message is shown on one line', async () => {
  const ada = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject: 'Lists' }
  await send(ada, site, { thread, message: { text: 'Three pangolins:\n\n- tall\n- small\n- old' } })
  const line = 'Three pangolins: • tall • small • old'
  await ada.goto(`${site.home}/inbox`)
  await ada.locator('[data-thread-row]').getByText(line).waitFor()
  await ada.goto(`${site.home}/search?q=pangolins`)
  await ada.getByRole('main').getByRole('link', { name: line }).waitFor()
})

test('the tab of the inbox stays after a reload, also while a thread is open, and is in the history', async () => {
  const ada = await visits.signedInAs('ada')
  await start(ada, 'Followed by Ada')
  const tab = (name: string) => ada.getByRole('button', { name: new RegExp(`^${name}`), pressed: true })
  const choose = (name: string) => ada.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await ada.goto(`${site.home}/inbox`)
  await tab('All').waitFor()
  await choose('For you')
  await ada.waitForURL(`**${site.home}/inbox?tab=personal`)
  await ada.reload()
  await tab('For you').waitFor()
  await ada.locator('[data-thread-row]').filter({ hasText: 'Starter app' }).click()
  await messages(ada, 'Only the app and I').waitFor()
  await ada.reload()
  await tab('For you').waitFor()
  await choose('Followed')
  await ada.locator('[data-thread-row]').filter({ hasText: 'Followed by Ada' }).waitFor()
  await ada.reload()
  await tab('Followed').waitFor()
  await messages(ada, 'Only the app and I').waitFor()
  await ada.goBack()
  await tab('For you').waitFor()
  await choose('All')
  await ada.waitForURL(`**${site.home}/inbox`)
})

test('the tab “Failed” has its number before it is opened, in a long inbox too', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const { group } = await change(grace, site, 'createGroup', { name: 'Many alerts' }, 'group { id }')
  await change(grace, site, 'addMembers', { groupID: group.id, userIDs: site.starter.userIDs.slice(0, 1) })
  const failed = { text: 'no', state: 'failed' }
  for (let sent = 0; sent < 55; sent += 1)
    await send(grace, site, { thread: { recipients: [group.id], subject: `Alert ${sent}` }, message: failed })
  await ada.goto(`${site.home}/inbox`)
  await ada.locator('[data-thread-row]').filter({ hasText: 'Alert 54' }).waitFor()
  await ada.getByRole('button', { name: 'Failed 50+', exact: true }).click()
  await ada.locator('[data-thread-row]').filter({ hasText: 'Alert 54' }).waitFor()
  await ada.getByRole('button', { name: 'Failed 50+', exact: true }).waitFor()
})

test('a low window has one line above a thread, and an arrow that leads back', async () => {
  const ada = await visits.signedInAs('ada', { viewport: { width: 640, height: 400 } })
  const { threadID } = await start(ada, 'Low windows')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'About Low windows').waitFor()
  const list = await ada.getByRole('region', { name: 'Messages' }).boundingBox()
  expect(list?.y).toBeLessThanOrEqual(45)
  expect(await problemsOf(ada, 'a thread in a low window')).toEqual([])
  await ada.getByRole('link', { name: 'Inbox' }).first().click()
  await ada.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
})

test('the details of a group say what muting leaves in the inbox', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/groups/${site.starter.groupID}`)
  await ada.getByRole('button', { name: 'Group details' }).click()
  const details = ada.getByRole('complementary', { name: 'Group details' })
  await details.getByText('Muting takes the threads of the group out of your inbox').waitFor()
  expect(await problemsOf(ada, 'the details of a group')).toEqual([])
})

test('a person whose browser blocks notifications reads how to allow them, or that it has none', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.getByRole('button', { name: 'Ada, your menu' }).click()
  await ada.getByRole('menuitem', { name: 'Notifications are blocked' }).click()
  const section = ada.getByRole('region', { name: 'Notifications' })
  await section.getByText('This browser blocks them. To allow them, select the icon').waitFor()
  expect(await problemsOf(ada, 'blocked notifications')).toEqual([])
  await ada.context().addInitScript('delete globalThis.Notification')
  await ada.reload()
  await section.getByText('This browser does not support them.').waitFor()
  expect(await section.getByRole('button').count()).toBe(0)
  await ada.getByRole('button', { name: 'Ada, your menu' }).click()
  await ada.getByRole('menuitem', { name: 'Notifications are not supported' }).click()
  // This browser always blocks them.
  await ada.context().addInitScript(() => {
    const allowed = {
      permission: 'default',
      requestPermission: async () => {
        allowed.permission = 'granted'
        return allowed.permission
      },
    }
    Object.assign(globalThis, { Notification: allowed })
  })
  await ada.reload()
  await section.getByText('They are off in this browser.').waitFor()
  await section.getByRole('button', { name: 'Turn on notifications' }).click()
  await section.getByText('They are on in this browser.').waitFor()
})

test('the documentation in the menu is what a person needs', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.getByRole('button', { name: 'Ada, your menu' }).click()
  await ada.getByRole('menuitem', { name: 'Documentation' }).click()
  await ada.getByRole('heading', { name: 'Web app', level: 1 }).waitFor()
  expect(await ada.getByRole('heading', { level: 2 }).first().innerText()).toBe('First steps')
})

test('the menu of a thread says what muting, following and pinning do', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'Explained')
  await ada.goto(`${site.home}/threads/${threadID}`)
  const expectHint = (item: string, hint: string) =>
    ada.getByRole('menuitem', { name: item, exact: true }).getByText(hint).waitFor()
  await ada.getByRole('button', { name: 'Notifications of this thread' }).click()
  await expectHint('Mute', 'Only a mention of your name reaches you.')
  await expectHint('Unfollow', 'It leaves your inbox, unless it is there for another reason.')
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'Actions for this thread' }).click()
  await expectHint('Pin for me', 'It is listed first in the sidebar, where only you see it.')
  expect(await problemsOf(ada, 'the menu of a thread')).toEqual([])
  await ada.goto(`${site.home}/groups/${site.starter.groupID}`)
  await ada.getByRole('button', { name: 'Notifications of this thread' }).click()
  const hint = 'This mutes only the chat. To mute all threads of the group, use “Mute group”.'
  await ada.getByRole('menuitem', { name: 'Mute', exact: true }).getByText(hint).waitFor()
})

test('a group that a person can join has a button in its row', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  await change(grace, site, 'createGroup', { name: 'Open house' })
  await ada.goto(`${site.home}/groups`)
  await ada.getByRole('button', { name: 'Join Open house' }).click()
  const row = ada.getByRole('main').getByRole('link', { name: /^Open house/ })
  await row.getByText('Joined', { exact: true }).waitFor()
  expect(await problemsOf(ada, 'groups')).toEqual([])
})

test('a missing recipient or subject is said at its field, which takes the focus', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/new`)
  await field(ada).fill('To nobody')
  await field(ada).press('Enter')
  const to = ada.getByRole('combobox', { name: 'To' })
  await to.and(focused(ada)).waitFor()
  await ada.getByText('Choose at least one recipient.').waitFor()
  await ada.getByText('With a subject, the message begins a new thread.', { exact: true }).waitFor()
  await to.fill('gra')
  await ada.getByRole('option', { name: 'Grace' }).click()
  await ada.getByText('Without one, it goes to your direct messages.').waitFor()
  await to.fill('buil')
  await ada.getByRole('option', { name: 'Builds' }).click()
  await field(ada).press('Enter')
  const subject = ada.getByLabel('Subject')
  await subject.and(focused(ada)).waitFor()
  await ada.getByText('A message to several recipients needs a subject.').waitFor()
  expect(await problemsOf(ada, 'a missing subject')).toEqual([])
  await subject.fill('Now complete')
  await ada.getByText('needs a subject').waitFor({ state: 'detached' })
})

test('a recipient who does not exist comes before a missing subject', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/new?to=${site.starter.groupID}&to=usr_00000000000000000000000000`)
  await ada.getByText('does not exist, or you cannot see it. Remove it.').waitFor()
  await field(ada).fill('To whom?')
  await field(ada).press('Enter')
  await ada.getByRole('combobox', { name: 'To' }).and(focused(ada)).waitFor()
})

test('the welcome waits for a person who opens a link to a thread first, and ends at a thread of the inbox', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'A link')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'About A link').waitFor()
  await ada.goto(`${site.home}/inbox`)
  const welcome = ada.getByRole('region', { name: 'Welcome' })
  await welcome.waitFor()
  await ada.locator('[data-thread-row]').first().click()
  await ada.waitForURL('**/threads/*')
  await welcome.waitFor({ state: 'hidden' })
  await ada.goBack()
  const later = ada.getByRole('heading', { name: /^(All caught up|No thread is open)$/ })
  await later.waitFor()
  await ada.reload()
  await later.waitFor()
  expect(await welcome.count()).toBe(0)
})

test.each([
  [390, 844],
  [640, 400],
])('in a window of %i x %i px, the button that sends is at the bottom of a new message', async (width, height) => {
  const ada = await visits.signedInAs('ada', { viewport: { width, height } })
  await ada.goto(`${site.home}/new`)
  const send = await ada.getByRole('button', { name: 'Send' }).boundingBox()
  const frame = await ada.locator('form').boundingBox()
  if (!send || !frame) throw new Error('The form or its button is not visible')
  const below = frame.y + frame.height - send.y - send.height
  expect(below).toBeGreaterThanOrEqual(0)
  expect(below).toBeLessThan(16)
})

test('Enter waits for the people while a search shows only a program of an earlier one', async () => {
  const ada = await visits.signedInAs('ada')
  const { workspaceID } = site.starter
  await operate(site, 'createWebhook', { workspaceID, name: 'Graphs' }, 'webhook { id }')
  const { threadID } = await start(ada, 'Waits')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const withoutGrace = (_key: string, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => one?.name !== 'Grace') : value
  await ada.route('**/public/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON()
    if (!/query (directory|nearby)Query/.test(query)) return route.continue()
    const response = await route.fetch()
    if (variables.search !== 'gra')
      return route.fulfill({ response, json: JSON.parse(await response.text(), withoutGrace) })
    await answered
    return route.fulfill({ response })
  })
  await ada.clock.install()
  await ada.goto(`${site.home}/threads/${threadID}`)
  await field(ada).focus()
  await ada.keyboard.type('@g')
  await ada.getByRole('option', { name: /^Graphs/ }).waitFor()
  const asked = ada.waitForRequest((request) => request.postDataJSON()?.variables?.search === 'gra')
  await ada.keyboard.type('ra')
  await asked
  // Enter waits for the search for a second at most.
  await stopClock(ada)
  await ada.keyboard.press('Enter')
  expect(await field(ada).inputValue()).toBe('@gra')
  answer()
  await ada.getByRole('option', { name: /^Grace/ }).waitFor()
  expect(await field(ada).inputValue()).toBe('@gra')
  await ada.clock.resume()
  await ada.keyboard.press('Enter')
  expect(await field(ada).inputValue()).toBe('@Grace ')
})

test('without a connection, the messages that are not sent are listed', async () => {
  const ada = await visits.signedInAs('ada')
  const { threadID } = await start(ada, 'Tunnels')
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'About Tunnels').waitFor()
  await ada.context().setOffline(true)
  await write(ada, 'From the tunnel')
  await ada.getByRole('link', { name: 'Your messages' }).click()
  await ada.getByRole('heading', { name: 'Not sent', level: 1 }).waitFor()
  await ada.getByRole('main').getByText('From the tunnel').waitFor()
  await ada.getByText('The message is sent when the connection is restored.').waitFor()
  await ada.context().setOffline(false)
  await ada.getByText('All your messages are sent.').waitFor()
  visits.forgetProblems()
})

test('the search says where groups and people are found', async () => {
  const ada = await visits.signedInAs('ada')
  const main = ada.getByRole('main')
  for (const [link, heading] of [
    ['Groups', 'Groups'],
    ['Settings → People', 'People'],
  ] as const) {
    await ada.goto(`${site.home}/search?q=lunch`)
    await main.getByRole('link', { name: link, exact: true }).click()
    await main.getByRole('heading', { name: heading }).first().waitFor()
  }
})

test('the profile says which muted row is the chat of a group', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const { group } = await change(grace, site, 'createGroup', { name: 'Loud' }, 'group { id chat { id } }')
  await change(ada, site, 'joinGroup', { groupID: group.id })
  await change(ada, site, 'muteThread', { threadID: group.chat.id })
  await ada.goto(`${site.home}/settings/profile`)
  const muted = ada.getByRole('list', { name: 'Muted' }).getByRole('listitem')
  await muted.filter({ hasText: 'Loud' }).getByText('Group chat', { exact: true }).waitFor()
})

test('on a phone, the link that leads back is high enough for a thumb', async () => {
  const phone = await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } })
  const { threadID } = await start(phone, 'Thumbs')
  await phone.goto(`${site.home}/threads/${threadID}`)
  await messages(phone, 'About Thumbs').waitFor()
  const back = await phone.getByRole('link', { name: 'Back to Inbox' }).boundingBox()
  expect(back?.height).toBeGreaterThanOrEqual(32)
})

test('a message that is the last one opens without the button that jumps to the latest', async () => {
  const [grace, phone] = [
    await visits.signedInAs('grace'),
    await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } }),
  ]
  const { threadID } = await start(grace, 'Long ago')
  for (let sent = 0; sent < 40; sent += 1)
    await send(grace, site, { threadID, message: { text: `Line ${sent}` } })
  const last = await send(grace, site, { threadID, message: { text: 'The very last' } })
  await phone.addInitScript(`
    new MutationObserver(() => {
      if (document.body?.innerText.includes('Jump to latest')) window.hasJump = true
    }).observe(document, { childList: true, subtree: true })
  `)
  await phone.goto(`${site.home}/threads/${threadID}/${last.messageID}`)
  await messages(phone, 'The very last').waitFor()
  await phone.waitForTimeout(1000)
  expect(await phone.evaluate('window.hasJump')).toBeUndefined()
  await messages(phone, 'The very last').hover()
  await phone.mouse.wheel(0, -1500)
  await phone.getByRole('button', { name: 'Jump to latest' }).waitFor()
})

test('a name from right to left is beside its picture in the details of a group', async () => {
  const { workspaceID } = site.starter
  const name = 'נועה בן־דוד'
  await operate(site, 'inviteUser', { workspaceID, name, email: 'noa@example.com' }, 'user { id }')
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/groups/${workspaceID}`)
  await ada.getByRole('button', { name: 'Group details' }).click()
  await ada.getByText('noa@example.com').waitFor()
  const startOf = (text: string) =>
    ada.evaluate<number>(`(() => {
      const range = document.createRange()
      range.selectNodeContents(document.evaluate('//main//*[text()="${text}"]', document).iterateNext())
      return range.getBoundingClientRect().left
    })()`)
  expect(Math.abs((await startOf(name)) - (await startOf('noa@example.com')))).toBeLessThan(3)
})

test('a long address ends before the edge of the list of names', async () => {
  const { workspaceID } = site.starter
  const email = `${'a-very-long-address-'.repeat(3)}@subsidiary.of.a.company.example.com`
  await operate(site, 'inviteUser', { workspaceID, name: 'Zebedee', email }, 'user { id }')
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/dms`)
  await ada.getByRole('combobox', { name: 'New direct message' }).fill('Zeb')
  const option = ada.getByRole('option', { name: /Zebedee/ })
  await option.waitFor()
  const [row, list] = [
    await option.boundingBox(),
    await ada.locator('.mantine-Select-dropdown').boundingBox(),
  ]
  if (!row || !list) throw new Error('The list is not shown.')
  const [before, after] = [row.x - list.x, list.x + list.width - (row.x + row.width)]
  expect(before).toBeGreaterThan(0)
  expect(Math.abs(before - after)).toBeLessThan(1)
})

test('a muted group is marked in the list of groups on a phone', async () => {
  const phone = await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } })
  const { group } = await change(phone, site, 'createGroup', { name: 'Quiet please' }, 'group { id }')
  await phone.goto(`${site.home}/groups`)
  const row = phone.getByRole('main').getByRole('link', { name: /^Quiet please/ })
  await row.waitFor()
  expect(await row.getByRole('img', { name: 'muted' }).count()).toBe(0)
  await change(phone, site, 'muteGroup', { groupID: group.id })
  await phone.reload()
  await row.getByRole('img', { name: 'muted' }).waitFor()
  expect(await problemsOf(phone, 'a muted group')).toEqual([])
})

test('people are listed by name, and found by the beginning of a name or an address', async () => {
  const ada = await visits.signedInAs('ada')
  const { workspaceID } = site.starter
  await operate(site, 'inviteUser', { workspaceID, name: 'Bea', email: 'z-bea@example.com' }, 'user { id }')
  await ada.goto(`${site.home}/settings/people`)
  const people = ada.getByRole('list', { name: 'People', exact: true })
  const names = async () =>
    (await people.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0] ?? '')
  await people.getByText('Bea', { exact: true }).waitFor()
  const all = await names()
  expect(all.slice(0, 2)).toEqual(['Ada', 'Bea'])
  expect(all).toEqual(all.toSorted((one, other) => one.localeCompare(other)))
  const filter = ada.getByLabel('Filter people')
  for (const [words, found] of [
    ['gra', ['Grace']],
    ['z-bea', ['Bea']],
    ['nobody at all', []],
    ['', all],
  ] as const) {
    await filter.fill(words)
    await expect.poll(names).toEqual(found)
  }
  expect(await problemsOf(ada, 'the filter of people')).toEqual([])
})
