import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page, Route } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { operate, signInBy, signInLink, siteOfFile } from './site.ts'
import { messages, write } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Starts a thread of Ada with the group Builds, and returns its path. */
async function newThread(subject: string): Promise<string> {
  const thread = { recipients: [site.starter.groupID], subject }
  const page = await visits.signedInAs('ada')
  const { threadID } = await send(page, site, { thread, message: { text: 'First message' } })
  return `${site.home}/threads/${threadID}`
}

/** Passes the requests that send a message to a function, with the text of the message. */
function routeSends(page: Page, handle: (route: Route, text: string) => unknown): Promise<unknown> {
  return page.route('**/public/graphql', (route) => {
    const body = route.request().postData() ?? ''
    return body.includes('useSendMutation')
      ? handle(route, JSON.parse(body).variables.input.message.text)
      : route.continue()
  })
}

/** Returns the keys under which the browser of a page stores messages that are not sent. */
function outboxKeys(page: Page): Promise<string[]> {
  return page.evaluate("Object.keys(localStorage).filter((key) => key.includes('outbox'))")
}

test('a person who opens a link signs in, and then sees the linked page', async () => {
  const { page } = await visits.open()
  const path = await newThread('Before signing in')
  await page.goto(path)
  await page.waitForURL('**/signin?continue=*')
  await signInBy(page, await signInLink(site, 'grace@example.com'))
  await page.waitForURL(`**${path}`)
  await messages(page, 'First message').waitFor()
  // The web app learns from its first request that nobody is signed in.
  visits.expectNoProblems({ failures: ['POST /public/graphql: 401'] })
})

test('an admin adds a webhook, runs the command that the page shows, and sees the message', async () => {
  const page = await visits.signedInAs('ada')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Apps' }).click()
  await page.getByRole('link', { name: 'Add webhook' }).click()
  await page.getByLabel('Name').fill("Ada's pipeline")
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByText('Waiting for the first call').waitFor()
  const command = (await page.getByRole('region', { name: 'Command', exact: true }).innerText()).trim()
  expect(command).toMatch(/^curl /)
  await promisify(execFile)('bash', ['-c', command])
  const link = page.getByRole('link', { name: 'Show it in its thread' })
  await link.click()
  await page.waitForURL('**/threads/thr_*/msg_*')
  await messages(page, "Ada's pipeline").first().waitFor()
})

test("two people see each other's messages immediately, and what they missed while the page was closed", async () => {
  const path = await newThread('Live')
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  await Promise.all([ada.goto(path), grace.goto(path)])
  await messages(grace, 'First message').waitFor()
  await messages(ada, 'First message').waitFor()
  await write(ada, 'Hello **Grace**')
  await messages(grace, 'Hello Grace').waitFor()
  await write(grace, 'Hello Ada')
  await messages(ada, 'Hello Ada').waitFor()
  await grace.goto('about:blank')
  for (let number = 1; number <= 3; number += 1) {
    await write(ada, `While you were away ${number}`)
    await messages(ada, `While you were away ${number}`).waitFor()
  }
  await grace.goto(path)
  await messages(grace, 'While you were away 3').waitFor()
  expect(await messages(grace, 'While you were away').count()).toBe(3)
})

test('the pages of a hidden group and of a group that does not exist look the same', async () => {
  const input = { workspaceID: site.starter.workspaceID, name: 'Hidden', isPrivate: true }
  const hidden = (await operate(site, 'createGroup', input, 'group { id }')).group.id
  const page = await visits.signedInAs('grace')
  const textAt = async (groupID: string) => {
    await page.goto(`${site.home}/groups/${groupID}`)
    await page.getByRole('heading', { name: 'Group not found' }).waitFor()
    return page.getByRole('main').innerText()
  }
  expect(await textAt(hidden)).toBe(await textAt('grp_000000000000000000000000000'))
})

test("the pages of a hidden workspace and of a workspace that does not exist look the same, and link to the person's own workspace", async () => {
  const hidden = (await operate(site, 'createWorkspace', { name: 'Others' }, 'workspace { id }')).workspace.id
  const page = await visits.signedInAs('grace')
  const textAt = async (workspaceID: string) => {
    await page.goto(`/${workspaceID}/inbox`)
    await page.getByRole('heading', { name: 'Workspace not found' }).waitFor()
    await page.getByRole('link', { name: 'Skein starter' }).waitFor()
    return page.locator('body').innerText()
  }
  expect(await textAt(hidden)).toBe(await textAt('wks_000000000000000000000000000'))
  await page.getByRole('link', { name: 'Skein starter' }).click()
  await page.waitForURL(`**${site.home}/inbox`)
  visits.expectNoProblems({ failures: ['POST /public/graphql: 403'] })
})

test('a page shows "Workspace not found" if the person was deactivated, and a background request is refused', async () => {
  const { workspaceID } = site.starter
  const input = { workspaceID, name: 'Leaver', email: 'leaver@example.com' }
  const { user } = await operate(site, 'createUser', input, 'user { id }')
  const page = await visits.signedInAs('leaver')
  await page.goto(`${site.home}/new`)
  const recipients = page.getByRole('combobox', { name: 'To' })
  await recipients.waitFor()
  await operate(site, 'deleteUser', { userID: user.id }, 'user { id }')
  await recipients.fill('gra')
  await page.getByRole('heading', { name: 'Workspace not found' }).waitFor()
  visits.forgetProblems()
})

test('a draft with a completed mention survives a reload, and its thread is unread for the mentioned person until they open it', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/new?to=${site.starter.groupID}`)
  const to = ada.getByRole('combobox', { name: 'To' })
  await to.press('Backspace')
  await ada.getByRole('main').getByText('Builds', { exact: true }).waitFor({ state: 'detached' })
  await to.fill('Builds')
  await ada.getByRole('option', { name: 'Builds' }).click()
  await ada.getByLabel('Subject').fill('Mentioned')
  await ada.getByLabel('Message', { exact: true }).fill('Please look, @Gra')
  await ada.getByRole('option', { name: 'Grace' }).click()
  await ada.reload()
  await ada.getByLabel('Message', { exact: true }).press('Enter')
  await messages(ada, 'Please look, @Grace').waitFor()
  const grace = await visits.signedInAs('grace')
  await grace.getByRole('button', { name: /^For you/ }).click()
  const row = grace.getByRole('link', { name: 'Mentioned' })
  await row.getByRole('img', { name: 'mentions you, 1 unread' }).waitFor()
  await row.click()
  await messages(grace, 'Please look, @Grace').locator('.mention[data-own]').waitFor()
  expect(await problemsOf(grace, 'a mention of the person')).toEqual([])
  await row.getByLabel('unread').waitFor({ state: 'detached' })
  await grace.getByRole('link', { name: 'Inbox' }).click()
  await grace.getByRole('button', { name: /^For you/ }).click()
  await row.waitFor({ state: 'detached' })
})

test('a member is asked for confirmation before leaving a group', async () => {
  const page = await visits.signedInAs('ada')
  await page.goto(`${site.home}/groups/${site.starter.privateGroupID}`)
  const leave = async (answer: string) => {
    await page.locator('header').getByRole('button', { name: 'Actions for Leads' }).click()
    await page.getByRole('menuitem', { name: 'Leave group' }).click()
    await page.getByRole('dialog').getByRole('button', { name: answer }).click()
  }
  await leave('Cancel')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Leads' }).waitFor()
  const chat = { recipients: [site.starter.privateGroupID] }
  const { threadID } = await send(page, site, { thread: chat, message: { text: 'In the chat' } })
  await page.goto(`${site.home}/threads/${threadID}`)
  await page.getByRole('link', { name: 'All threads of the group' }).click()
  await page.getByRole('button', { name: '2 members' }).click()
  const members = page.getByRole('complementary', { name: 'Group details' })
  await members.getByText(/^Grace/).waitFor()
  expect(await problemsOf(page, 'members of a group, beside its chat')).toEqual([])
  await page.keyboard.press('Escape')
  await members.waitFor({ state: 'detached' })
  await leave('Cancel')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await leave('Leave group')
  await page.waitForURL(`**${site.home}/groups`)
})

test('after a jump to the end, each event arrives once, and the last of many messages is shown', async () => {
  const path = await newThread('Busy')
  const post = async (text: string) => {
    const body = JSON.stringify({ target: path.split('/').at(-1), text })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(site.starter.webhookURL, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
  }
  const postMany = async (texts: string[]) => {
    while (texts.length > 0) await Promise.all(texts.splice(0, 10).map(post))
  }
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)
  await postMany(numbered('Earlier', 100))
  const grace = await visits.signedInAs('grace')
  const cursors: string[] = []
  grace.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const cursor = JSON.parse(String(payload)).payload?.data?.threadEvents?.cursor
      if (cursor) cursors.push(cursor)
    }),
  )
  await grace.goto(path)
  await grace.getByRole('button', { name: /^Jump to latest/ }).click()
  await messages(grace, /Earlier (91|100)(?!\d)/)
    .first()
    .waitFor()
  await postMany(numbered('Burst', 200))
  await post('The last one')
  await messages(grace, 'The last one').waitFor()
  // The last message can be in a page of messages that loads before the event of the message arrives.
  await expect.poll(() => new Set(cursors).size).toBe(201)
  expect(cursors).toHaveLength(201)
})

test('a mention shows one notification across all tabs, and none while its thread is open', async () => {
  const path = await newThread('Notified')
  const ada = await visits.signedInAs('ada')
  // The browser shows one notification for each tag.
  const shown = new Map<string, string>()
  await ada.evaluate("localStorage.setItem('skein-notifications', 'true')")
  await ada.context().exposeFunction('record', (tag: string, text: string) => shown.set(tag, text))
  await ada.context().addInitScript(() => {
    class Recorded {
      static permission = 'granted'
      constructor(title: string, { body, tag }: { body: string; tag: string }) {
        Reflect.get(globalThis, 'record')(tag, `${title}: ${body}`)
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Recorded })
  })
  const other = await ada.context().newPage()
  await Promise.all([ada.goto(`${site.home}/groups`), other.goto(`${site.home}/search`)])
  await Promise.all([ada, other].map((tab) => tab.getByRole('link', { name: 'Inbox' }).waitFor()))
  const grace = await visits.signedInAs('grace')
  await grace.goto(path)
  const mention = async (name: string) => {
    await grace.getByLabel('Message', { exact: true }).fill(`@${name}`)
    await grace.getByRole('option', { name }).first().click()
    await grace.getByLabel('Message', { exact: true }).press('Enter')
    await messages(grace, `@${name}`).first().waitFor()
  }
  // The label of a mention can be anything. Readers see the name.
  await write(grace, `[Linus](skein:${site.starter.userIDs[0]})`)
  await expect.poll(() => [...shown.values()]).toEqual(['Grace · Notified: @Ada'])
  await ada.goto(path)
  await messages(ada, '@Ada').waitFor()
  await ada.getByRole('link', { name: 'Notified' }).getByText('Grace: @Ada').waitFor()
  // The page receives this message only after it has connected.
  await write(grace, 'Still there?')
  await messages(ada, 'Still there?').waitFor()
  await mention('General')
  // Now this tab has told the other tab that it shows the message.
  await ada.getByRole('link', { name: 'Notified' }).getByText('Grace: @General').waitFor()
  await ada.goto(`${site.home}/groups`)
  await ada.getByRole('heading', { name: 'Groups' }).waitFor()
  await mention('Builds')
  await expect
    .poll(() => [...shown.values()])
    .toEqual(['Grace · Notified: @Ada', 'Grace · Notified: @Builds'])
  const both = `mutation ($first: SendMessageInput!, $second: SendMessageInput!) {
    first: sendMessage(input: $first) { __typename }
    second: sendMessage(input: $second) { __typename }
  }`
  const threadID = path.split('/').at(-1)
  await ask(grace, site, both, {
    first: { threadID, message: { text: `Hello [Ada](skein:${site.starter.userIDs[0]})` } },
    second: { threadID, message: { text: 'Together with it' } },
  })
  await expect.poll(() => [...shown.values()].slice(2)).toEqual(['Grace · Notified: Hello @Ada'])
  // While a thread is open on the page of its group, the chat of the group is not on the screen.
  const { groupID, userIDs } = site.starter
  await ada.goto(`${site.home}/groups/${groupID}/threads/${threadID}`)
  await messages(ada, 'Together with it').waitFor()
  await send(grace, site, { threadID, message: { text: `Seen, [Ada](skein:${userIDs[0]})` } })
  await messages(ada, 'Seen, @Ada').waitFor()
  const chat = { recipients: [groupID] }
  await send(grace, site, { thread: chat, message: { text: `Not seen, [Ada](skein:${userIDs[0]})` } })
  await expect.poll(() => [...shown.values()].slice(3)).toEqual(['Grace · Builds: Not seen, @Ada'])
})

test('an edit is kept until it is saved, and the subject of a thread that is started from a message is the text of the message', async () => {
  const path = await newThread('Edited')
  const page = await visits.signedInAs('ada')
  await page.goto(path)
  const message = messages(page, 'First message')
  await message.waitFor()
  await page.getByLabel('Message', { exact: true }).press('ArrowUp')
  await page.getByLabel('Edited message').waitFor()
  await page.keyboard.type('!')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(', edited')
  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByRole('heading', { name: 'Groups' }).waitFor()
  await page.goBack()
  await page.getByLabel('Message', { exact: true }).press('ArrowUp')
  await page.keyboard.press('Enter')
  await messages(page, 'First message, edited').waitFor()
  await page.getByLabel('Message', { exact: true }).and(page.locator(':focus')).waitFor()
  await message.hover()
  await message.getByRole('button', { name: /^Reply to/ }).click()
  const reply = page.getByRole('complementary', { name: 'Reply in a new thread' })
  await reply.getByText('The thread goes to Builds.').waitFor()
  expect(await reply.getByLabel('Subject').inputValue()).toBe('First message, edited')
  await reply.getByLabel('Subject').fill('Its own subject')
  await page.keyboard.press('Escape')
  await reply.waitFor({ state: 'detached' })
  await message.hover()
  await message.getByRole('button', { name: /^Reply to/ }).click()
  await reply.getByLabel('Message', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('In its own thread')
  await page.keyboard.press('Enter')
  await messages(page, 'In its own thread').waitFor()
  await page.getByRole('heading', { name: 'Its own subject', level: 1 }).waitFor()
})

test('a person who saves an edit of a deleted message learns that it was deleted, and keeps the text', async () => {
  const path = await newThread('Deleted during an edit')
  const page = await visits.signedInAs('ada')
  const threadID = path.split('/').at(-1)
  await page.goto(path)
  await messages(page, 'First message').waitFor()
  const { messageID } = await send(page, site, { threadID, message: { text: 'Soon deleted' } })
  await messages(page, 'Soon deleted').waitFor()
  await page.getByLabel('Message', { exact: true }).press('ArrowUp')
  await page.keyboard.type(', edited')
  await change(page, site, 'deleteMessage', { messageID })
  await messages(page, 'Soon deleted').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByText('This message was deleted. Copy your text if you still need it.').waitFor()
  expect(await page.getByLabel('Edited message').inputValue()).toBe('Soon deleted, edited')
})

test('a part of the page that failed while the browser was offline loads when it is online again', async () => {
  await newThread('Opened offline')
  const page = await visits.signedInAs('ada')
  const row = page.getByRole('link', { name: 'Opened offline' })
  await row.waitFor()
  await page.context().setOffline(true)
  await row.click()
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  visits.forgetProblems()
  await page.context().setOffline(false)
  await messages(page, 'First message').waitFor()
  visits.forgetProblems()
})

test('a message whose response was lost is edited after a reload, and arrives once', async () => {
  const path = await newThread('Response lost')
  const page = await visits.signedInAs('ada')
  const field = page.getByLabel('Message', { exact: true })
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  const failures = page.getByText('Sending failed')
  await page.goto(path)
  await page.route('**/public/graphql', async (route) => {
    if (!route.request().postData()?.includes('useSendMutation')) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await write(page, 'One')
  await write(page, 'Two')
  await expect.poll(() => failures.count()).toBe(2)
  await page.unrouteAll()
  await edit.first().click()
  await edit.click()
  await page.getByText('Send or remove what is in the field first.').waitFor()
  await page.reload()
  await field.press('End')
  await page.keyboard.type(', edited')
  await page.keyboard.press('Enter')
  await messages(page, 'One, edited').waitFor()

  await edit.click()
  await page.getByText('You are editing a message that may have arrived.').waitFor()
  await field.fill('')
  await field.fill('Another')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await messages(page, 'Another').waitFor()
  await field.and(page.locator(':focus')).waitFor()
  expect(await messages(page, /One|Two|Another/).allInnerTexts()).toEqual([
    expect.stringContaining('One, edited'),
    expect.stringContaining('Two'),
    expect.stringContaining('Another'),
  ])
  visits.forgetProblems()
})

test('text that is typed while an edit is being saved is kept, and saving it ends the edit in all tabs', async () => {
  const path = await newThread('Slow edit')
  const page = await visits.signedInAs('ada')
  const other = await page.context().newPage()
  const field = (tab: Page) => tab.getByLabel('Edited message')
  for (const tab of [page, other]) {
    await tab.goto(path)
    await messages(tab, 'First message').waitFor()
    await tab.getByLabel('Message', { exact: true }).press('ArrowUp')
    await field(tab).waitFor()
  }
  let answer = () => {}
  await page.route('**/public/graphql', async (route) => {
    if (!route.request().postData()?.includes('editComposerMutation')) return route.continue()
    const response = await route.fetch()
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    await route.fulfill({ response })
  })
  await field(page).fill('Edited')
  await field(page).press('Enter')
  await messages(other, 'Edited').waitFor()
  await field(page).pressSequentially(' again')
  answer()
  await page.unrouteAll({ behavior: 'wait' })
  await messages(page, 'Edited').waitFor()
  expect(await field(page).inputValue()).toBe('Edited again')
  await expect.poll(() => field(other).inputValue()).toBe('Edited again')
  await field(page).press('Enter')
  for (const tab of [page, other]) {
    await messages(tab, 'Edited again').waitFor()
    await field(tab).waitFor({ state: 'detached' })
  }
})

test('a new thread that may have arrived keeps its subject, and is listed with the messages that are not sent', async () => {
  const page = await visits.signedInAs('ada')
  const field = page.getByLabel('Message', { exact: true })
  const failure = page.getByText('Sending failed')
  const listed = page.getByRole('link', { name: 'Your messages' })
  await page.goto(`${site.home}/new?to=${site.starter.groupID}`)
  await page.getByLabel('Subject').fill('First subject')
  await page.route('**/public/graphql', async (route) => {
    if (!route.request().postData()?.includes('useSendMutation')) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await write(page, 'It may have arrived')
  await failure.waitFor()
  await page.unrouteAll()
  await page.goto(`${site.home}/groups`)
  await listed.click()
  await page.getByRole('heading', { name: 'Not sent' }).waitFor()
  await failure.waitFor()
  expect(await problemsOf(page, 'messages that are not sent')).toEqual([])
  await page.getByRole('link', { name: 'Open the page where you wrote this' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Subject').fill('Another subject')
  await field.press('Enter')
  await page.getByText('Restore its recipients and its subject').waitFor()
  await page.getByLabel('Subject').fill('First subject')
  await field.fill('It arrived once')
  await field.press('Enter')
  await page.getByRole('heading', { name: 'First subject', level: 1 }).waitFor()
  await messages(page, 'It arrived once').waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  expect(await listed.count()).toBe(0)
  visits.forgetProblems()
})

test('all tabs show the same draft, and an emoji replaces the selected text', async () => {
  const path = await newThread('Two tabs')
  const page = await visits.signedInAs('ada')
  const other = await page.context().newPage()
  await Promise.all([page.goto(path), other.goto(path)])
  const [field, otherField] = [page, other].map((tab) => tab.getByLabel('Message', { exact: true }))
  await field?.focus()
  await otherField?.fill('Shared draft :)')
  await expect.poll(() => field?.inputValue()).toBe('Shared draft :)')
  for (let press = 1; press <= 2; press += 1) await field?.press('Shift+ArrowLeft')
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await page.getByLabel('Search emoji').fill('rocket')
  await page.getByRole('option', { name: 'rocket', exact: true }).click()
  await expect.poll(() => otherField?.inputValue()).toBe('Shared draft 🚀')
  await field?.press('Enter')
  await messages(other, 'Shared draft').waitFor()
  expect(await otherField?.inputValue()).toBe('')
})

test('after a reload, a message that was being sent is shown as not sent, and arrives once when it is sent again or edited', async () => {
  const path = await newThread('Reloaded')
  const page = await visits.signedInAs('ada')
  await page.goto(path)
  const failures = page.getByText('Sending failed')
  for (const text of ['First delivered', 'Second delivered']) {
    await routeSends(page, (route) => route.fetch())
    await write(page, text)
    await messages(page, text).waitFor()
    await page.reload()
    await failures.waitFor()
    await page.getByRole('link', { name: 'Reloaded' }).getByText('Not sent').waitFor()
    await page.unrouteAll()
    if (text === 'First delivered') await page.getByRole('button', { name: 'Try again' }).click()
    else {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.keyboard.type(', edited')
      await page.keyboard.press('Enter')
      await messages(page, 'Second delivered, edited').waitFor()
    }
    await failures.waitFor({ state: 'detached' })
    await expect.poll(() => outboxKeys(page)).toEqual([])
    expect(await messages(page, text).count()).toBe(1)
  }

  let attempts = 0
  await routeSends(page, () => {
    attempts += 1
  })
  await write(page, 'Not delivered')
  await expect.poll(() => attempts).toBe(1)
  await page.reload()
  await failures.waitFor()
  await page.reload()
  await failures.waitFor()
  expect(attempts).toBe(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await messages(page, 'Not delivered').waitFor()
  visits.forgetProblems()
})

test('a message of a closed tab is shown as not sent in another tab, and arrives once when it is sent again', async () => {
  const path = await newThread('Closed tab')
  const page = await visits.signedInAs('ada')
  const other = await page.context().newPage()
  await Promise.all([page.goto(path), other.goto(path)])
  await other.getByLabel('Message', { exact: true }).waitFor()
  const keys: string[] = []
  page.context().on('request', (request) => {
    const body = request.postData() ?? ''
    if (body.includes('useSendMutation')) keys.push(JSON.parse(body).variables.input.message.uniqueBy)
  })
  await routeSends(page, (route) => route.fetch())
  await write(page, 'Being sent')
  await messages(other, 'Being sent').waitFor()
  await other.getByText('Sending…').waitFor()
  expect(await other.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.close({ runBeforeUnload: true })
  await other.getByText('Sending failed').waitFor()
  expect(keys).toHaveLength(1)
  await other.getByRole('button', { name: 'Try again' }).click()
  await other.getByText('Sending failed').waitFor({ state: 'detached' })
  await expect.poll(() => outboxKeys(other)).toEqual([])
  expect(await messages(other, 'Being sent').count()).toBe(1)
  expect(keys).toEqual([keys[0], keys[0]])
  visits.forgetProblems()
})

test('a message that is discarded in one tab is neither shown nor sent by another tab', async () => {
  const path = await newThread('Gone elsewhere')
  const page = await visits.signedInAs('ada')
  await page.goto(path)
  const held: Route[] = []
  await routeSends(page, (route, text) => (text === 'Refused' ? route.abort() : void held.push(route)))
  await write(page, 'Refused')
  await page.getByText('Sending failed').waitFor()
  for (const text of ['Held', 'Behind it', 'Last']) await write(page, text)
  await expect.poll(() => held.length).toBe(1)
  const [inbox, other] = [await page.context().newPage(), await page.context().newPage()]
  await inbox.goto(`${site.home}/inbox`)
  const row = inbox.getByRole('link', { name: 'Gone elsewhere' })
  await row.getByText('Not sent').waitFor()
  await other.goto(path)
  const discard = other.getByRole('button', { name: 'Discard', exact: true })
  await expect.poll(() => discard.count()).toBe(4)
  for (const rest of [3, 2, 1]) {
    await discard.first().click()
    await expect.poll(() => discard.count()).toBe(rest)
  }
  await expect.poll(() => page.getByText('Sending…').count()).toBe(1)
  expect(await page.getByText('Sending failed').count()).toBe(0)
  // The message that was discarded does not return when its request fails.
  await held[0]?.abort()
  await expect.poll(() => held.length).toBe(2)
  await held[1]?.continue()
  await messages(page, 'Last').waitFor()
  await row.getByText('Not sent').waitFor({ state: 'detached' })
  expect(await outboxKeys(other)).toEqual([])
  expect(await messages(page, /Refused|Held|Behind it/).count()).toBe(0)
  visits.forgetProblems()
})

test('messages that another tab edits while they are being sent keep their new text', async () => {
  const path = await newThread('Edited elsewhere')
  const page = await visits.signedInAs('ada')
  await page.goto(path)
  const held: Route[] = []
  await routeSends(page, (route) => void held.push(route))
  for (const text of ['Held', 'Behind it']) await write(page, text)
  await expect.poll(() => held.length).toBe(1)
  const other = await page.context().newPage()
  await other.goto(path)
  const failures = other.getByText('Sending failed')
  const refused: string[] = []
  await routeSends(other, (route, text) => {
    refused.push(text)
    return route.abort()
  })
  for (const text of ['Held, edited', 'Behind it, edited']) {
    await expect.poll(() => failures.count()).toBe(2)
    await other.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await other.keyboard.type(', edited')
    await other.keyboard.press('Enter')
    await expect.poll(() => refused).toContain(text)
  }
  await expect.poll(() => failures.count()).toBe(2)
  for (const index of [0, 1]) {
    await expect.poll(() => held.length).toBe(index + 1)
    await held[index]?.continue()
  }
  // The other tab replaced the first message while the page was sending it, and the second one before.
  await messages(other, 'Behind it, edited').waitFor()
  await expect.poll(() => failures.count()).toBe(1)
  await messages(other, 'Held').waitFor()
  await other.unrouteAll()
  await other.getByRole('button', { name: 'Try again' }).click()
  await messages(other, 'Held, edited').waitFor()
  await expect.poll(() => outboxKeys(other)).toEqual([])
  expect(await messages(other, /Held|Behind it/).count()).toBe(2)
  visits.forgetProblems()
})

test('without space in the storage of the browser, the page keeps a draft and a message that is not sent', async () => {
  const path = await newThread('No storage')
  const page = await visits.signedInAs('ada')
  await page.addInitScript("Storage.prototype.setItem = () => { throw new Error('QuotaExceededError') }")
  await page.goto(path)
  await routeSends(page, (route) => route.abort())
  await write(page, 'Only in memory')
  await page.getByText('Sending failed').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('A draft')
  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByRole('heading', { name: 'Groups' }).waitFor()
  await page.unrouteAll()
  await page.goBack()
  await page.getByRole('button', { name: 'Try again' }).click()
  await messages(page, 'Only in memory').waitFor()
  await page.getByText('Sending…').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('A draft')
  visits.forgetProblems()
})

test('after a reload, a notice says how many files to attach again, and another tab has no notice', async () => {
  const path = await newThread('With files')
  const page = await visits.signedInAs('ada')
  await page.goto(path)
  const files = (...names: string[]) =>
    names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
  const field = page.getByLabel('Files', { exact: true })
  await field.setInputFiles(files('one.txt', 'two.txt'))
  await page.getByRole('button', { name: 'Remove two.txt' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(path)
  await other.getByLabel('Message', { exact: true }).waitFor()
  expect(await other.getByText('not kept').count()).toBe(0)
  await page.reload()
  await page.getByText('2 files were not kept.').waitFor()
  await field.setInputFiles(files('one.txt'))
  await page.getByText('1 file was not kept.').waitFor()
  await page.locator('form').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Remove one.txt' }).click()
  await page.reload()
  await page.getByLabel('Message', { exact: true }).waitFor()
  expect(await page.getByText('not kept').count()).toBe(0)
})

test('a failed message is sent again to its original recipient, and does not change the next message', async () => {
  const page = await visits.signedInAs('ada')
  await page.goto(`${site.home}/new`)
  const to = page.getByRole('combobox', { name: 'To' })
  const choose = async (name: string) => {
    await to.fill(name)
    await page.getByRole('option', { name }).click()
  }
  await choose('Grace')
  await page.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('useSendMutation') ? route.abort() : route.continue(),
  )
  await write(page, 'Only for Grace')
  await page.getByText('Sending failed').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('Without one, it goes to your direct messages.').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Sending failed').waitFor()
  await page.unrouteAll()
  await page.reload()
  await choose('Builds')
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('For Builds')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Only for Grace').waitFor({ state: 'detached' })
  await field.press('Enter')
  await messages(page, 'For Builds').waitFor()
  await page.getByRole('heading', { name: 'Builds' }).waitFor()
  await page.getByRole('link', { name: 'New direct message' }).click()
  await page.getByRole('link', { name: /^Grace .*Only for/ }).click()
  await messages(page, 'Only for Grace').waitFor()
  visits.forgetProblems()
})

test('when replies are turned off, unsent text is kept, and can be copied', async () => {
  const path = await newThread('Turned off')
  const ada = await visits.signedInAs('ada')
  const threadID = path.split('/').at(-1)
  const setRepliesOff = (repliesOff: boolean) => change(ada, site, 'updateThread', { threadID, repliesOff })
  const grace = await visits.signedInAs('grace')
  await grace.goto(path)
  await grace.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('useSendMutation') ? route.abort() : route.continue(),
  )
  const field = grace.getByLabel('Message', { exact: true })
  await write(grace, `[Linus](skein:${site.starter.userIDs[0]}), are you there?`)
  await grace.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await field.fill('A draft of Grace')
  await setRepliesOff(true)
  await grace.getByText('Replies are turned off. Only Ada can write here.').waitFor()
  expect(await field.count()).toBe(0)
  await grace.getByText('@Ada, are you there?').waitFor()
  const draft = grace.getByRole('region', { name: 'Draft' })
  await draft.getByText('A draft of Grace').waitFor()
  expect(await grace.getByRole('button', { name: 'Copy text' }).count()).toBe(2)
  expect(await problemsOf(grace, 'replies turned off')).toEqual([])
  await grace.getByRole('button', { name: 'Try again' }).click()
  await grace.getByText('Sending failed').waitFor()
  await setRepliesOff(false)
  expect(await field.inputValue()).toBe('A draft of Grace')
  visits.forgetProblems()
})

test("a draft belongs to its author, and one person's page does not write as another person", async () => {
  const path = await newThread('Two people, one browser')
  const { page } = await visits.open()
  const context = page.context()
  await signInBy(page, await signInLink(site, 'ada@example.com'))
  await page.goto(path)
  await page.getByLabel('Message', { exact: true }).fill('A draft of Ada')
  const other = await context.newPage()
  await signInBy(other, await signInLink(site, 'grace@example.com'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Grace, your menu' }).waitFor()
  await page.goto(path)
  await messages(page, 'First message').waitFor()
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('')
  expect(await messages(page, 'A draft of Ada').count()).toBe(0)
  visits.forgetProblems()
})
