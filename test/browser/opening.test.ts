import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const unreadLine = (page: Page) => page.getByRole('heading', { name: 'New', exact: true })

/** Creates a group of Ada and the other person with one message by Ada, and returns its ID. */
async function newChat(ada: Page, other: Page, name: string): Promise<string> {
  const groupID = (await change(ada, site, 'createGroup', { name }, 'group { id }')).group.id
  await change(other, site, 'joinGroup', { groupID })
  await send(ada, site, { thread: { recipients: [groupID] }, message: { text: `Welcome to ${name}` } })
  return groupID
}

/** Sends 40 messages, so that the first and the last one are not on the screen at the same time. */
async function sendMany(page: Page, recipientID: string): Promise<void> {
  const say = (text: string) => send(page, site, { thread: { recipients: [recipientID] }, message: { text } })
  await say('The first.')
  await Promise.all(Array.from({ length: 38 }, (_, index) => say(`Number ${index + 2}.`)))
  await say('The last.')
}

test('a group opens at its first unread message if the person returns to it with the history of the browser', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const firstID = await newChat(ada, grace, 'Herons')
  await newChat(ada, grace, 'Otters')
  await ada.goto(`${site.home}/groups/${firstID}`)
  await messages(ada, 'Welcome to Herons').waitFor()
  await ada.getByRole('link', { name: 'Browse and create groups' }).click()
  await ada
    .getByRole('main')
    .getByRole('link', { name: /Otters/ })
    .click()
  await messages(ada, 'Welcome to Otters').waitFor()
  await sendMany(grace, firstID)
  await ada.evaluate('history.go(-2)')
  await unreadLine(ada).waitFor()
  await messages(ada, 'The first.').waitFor()
  expect(await messages(ada, 'The last.').count()).toBe(0)
})

test('messages that arrive while the workspace loads slowly are shown as new', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newChat(ada, grace, 'Kingfishers')
  const chat = 'query ($id: ID!) { group(id: $id) { chat { id } } }'
  const threadID = (await ask(ada, site, chat, { id: groupID })).group.chat.id
  let release: () => void = () => {}
  const sent = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/public/graphql', async (route) => {
    if (route.request().postData()?.includes('workspaceLayoutQuery')) await sent
    await route.continue()
  })
  const loaded = ada.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('useThreadQuery')),
  )
  await ada.goto(`${site.home}/threads/${threadID}`)
  await loaded
  await sendMany(grace, groupID)
  // After two seconds, the page no longer uses the result that was loaded early.
  await expect.poll(() => ada.evaluate('performance.now()')).toBeGreaterThan(5000)
  release()
  await unreadLine(ada).waitFor()
  await messages(ada, 'The first.').waitFor()
})

test('a jump to the latest message shows no other messages in between', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newChat(ada, grace, 'Cranes')
  for (let times = 0; times < 3; times += 1) await sendMany(grace, groupID)
  await ada.goto(`${site.home}/groups/${groupID}`)
  await unreadLine(ada).waitFor()
  await messages(ada, 'The first.').first().waitFor()
  await ada.evaluate(`globalThis.seen = new Set()
    const note = () => {
      for (const row of document.querySelectorAll('article'))
        if (row.checkVisibility({ visibilityProperty: true })) globalThis.seen.add(Number(row.dataset.position))
      requestAnimationFrame(note)
    }
    note()`)
  await ada.getByRole('button', { name: /^Jump to latest/ }).click()
  await ada.getByRole('button', { name: /^Jump to latest/ }).waitFor({ state: 'detached' })
  const seen = (await ada.evaluate('[...globalThis.seen].sort((one, other) => one - other)')) as number[]
  expect(seen.filter((position) => position > 50 && position < 80)).toEqual([])
})

test('a link opens at its message although the list scrolls before its rows have their height', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newChat(ada, grace, 'Egrets')
  await sendMany(grace, groupID)
  const query = 'query ($id: ID!) { group(id: $id) { chat { id messages { nodes { id text } } } } }'
  const { chat } = (await ask(ada, site, query, { id: groupID })).group
  const { id } = chat.messages.nodes.find(({ text }: { text: string }) => text === 'The last.')
  await ada.addInitScript(`
    const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight')
    const isHidden = (list) => list.querySelector('[data-testid="virtuoso-item-list"]')?.style.visibility === 'hidden'
    Object.defineProperty(Element.prototype, 'scrollHeight', {
      get() {
        const isLow = this.dataset?.virtuosoScroller && isHidden(this)
        return isLow ? this.offsetHeight : get.call(this)
      },
    })
  `)
  await ada.goto(`${site.home}/threads/${chat.id}/${id}`)
  await messages(ada, 'The last.').waitFor()
  expect(await messages(ada, 'The first.').count()).toBe(0)
})

test('a group opens at a message that called again, and the message is read once it was shown', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newChat(ada, grace, 'Bitterns')
  await sendMany(grace, groupID)
  const query = 'query ($id: ID!) { group(id: $id) { chat { id unreadCount messages { nodes { id } } } } }'
  const chat = async () => (await ask(ada, site, query, { id: groupID })).group.chat
  const { id: threadID, messages: sent } = await chat()
  await change(ada, site, 'markRead', { threadID }, 'thread { id }')
  const edit = { messageID: sent.nodes[1].id, text: 'The first is worse.', notify: 'always' }
  await change(grace, site, 'editMessage', edit, 'message { id }')
  expect((await chat()).unreadCount).toBe(1)
  await ada.goto(`${site.home}/groups/${groupID}`)
  await unreadLine(ada).waitFor()
  await messages(ada, 'The first is worse.').waitFor()
  expect(await messages(ada, 'The last.').count()).toBe(0)
  await expect.poll(async () => (await chat()).unreadCount).toBe(0)
})

test('while every script, stylesheet and font is loading, the page shows its sheets in the colors that the person has chosen', async () => {
  const page = await visits.signedInAs('ada', { colorScheme: 'light', viewport: { width: 390, height: 844 } })
  await page.context().addCookies([{ name: 'color-scheme', value: 'dark', url: site.starter.baseURL }])
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const heldTypes = new Set<string>()
  await page.route('**/console/*', async (route) => {
    heldTypes.add(route.request().resourceType())
    await held
    await route.continue()
  })
  await page.goto(`${site.home}/inbox`, { waitUntil: 'commit' })
  const opening = page.locator('.opening')
  const styleOf = (name: string) =>
    opening.evaluate((sheet, property) => Reflect.get(globalThis, 'getComputedStyle')(sheet)[property], name)
  await expect.poll(() => styleOf('backgroundColor')).toBe('rgb(26, 25, 23)')
  const shapes = `getComputedStyle(document.querySelector('.opening'), '::before')`
  expect(await page.evaluate(`${shapes}.backgroundImage`)).toContain('repeating-linear-gradient')
  const top = await page.evaluate<string>(`${shapes}.top`)
  expect(await opening.boundingBox()).toMatchObject({ width: 390, height: 844 })
  await expect
    .poll(() => [...heldTypes].sort())
    .toEqual(expect.arrayContaining(['font', 'script', 'stylesheet']))
  const painted = () =>
    page.evaluate<number>(
      `performance.getEntriesByType('paint').filter(({ name }) => name === 'first-paint').length`,
    )
  await expect.poll(painted).toBe(1)
  release()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await opening.waitFor({ state: 'detached' })
  const row = page.locator('[data-thread-row]').first()
  expect((await row.boundingBox())?.y).toBe(Number.parseFloat(top))
})
