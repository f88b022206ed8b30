import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { siteOfFile } from './site.ts'
import { messages, write } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Creates a group of one person, and returns its ID. */
async function newGroup(page: Page, name: string): Promise<string> {
  return (await change(page, site, 'createGroup', { name }, 'group { id }')).group.id
}

test('two people who have an empty conversation open see its first messages', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const groupID = await newGroup(ada, 'Not used yet')
  await grace.goto(`${site.home}/groups/${groupID}`)
  await grace.getByText('The group has no threads yet.').waitFor()
  await grace.getByRole('button', { name: 'Join' }).click()
  for (const page of [ada, grace]) {
    await page.goto(`${site.home}/groups/${groupID}`)
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
  }
  await write(ada, 'The very first')
  for (const page of [ada, grace]) await messages(page, 'The very first').waitFor()
  await write(grace, 'The second')
  for (const page of [ada, grace]) await messages(page, 'The second').waitFor()
})

test('the header of a thread shows who wrote last, in the order in which they first wrote', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const thread = { recipients: [site.starter.groupID], subject: 'Faces' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'One' } })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await ada.getByRole('img', { name: 'Last wrote: Ada', exact: true }).waitFor()
  await send(grace, site, { threadID, message: { text: 'Two' } })
  await ada.getByRole('img', { name: 'Last wrote: Ada, Grace', exact: true }).waitFor()
})

test('when a person starts a thread from a message, the message shows a link to the thread to another person', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const thread = { recipients: [site.starter.groupID], subject: 'Has a side question' }
  const { threadID, messageID } = await send(ada, site, { thread, message: { text: 'A long plan' } })
  for (const page of [ada, grace]) await page.goto(`${site.home}/threads/${threadID}`)
  await messages(grace, 'A long plan').waitFor()
  await messages(ada, 'A long plan').hover()
  await messages(ada, 'A long plan')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await ada.getByRole('menuitem', { name: 'Reply in a new thread' }).click()
  await ada.getByLabel('Subject').fill('Side question')
  await ada.getByRole('complementary').getByLabel('Message', { exact: true }).fill('Who pays?')
  await ada.keyboard.press('Enter')
  const link = messages(grace, 'A long plan').getByRole('link')
  await link.filter({ hasText: /^Thread: \S*Side question\S* \(1 message\)$/ }).waitFor()
  const second = { recipients: [], fromMessageID: messageID, subject: 'Another question' }
  const { threadID: secondID } = await send(ada, site, { thread: second, message: { text: 'When?' } })
  await send(ada, site, { threadID: secondID, message: { text: 'Today?' } })
  await link.filter({ hasText: /Another question\S* \(2 messages\)$/ }).waitFor()
  expect(await link.count()).toBe(2)
})

test('the emoji picker adds a reaction, and the next successful change removes the error of a failed reaction', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/groups/${await newGroup(ada, 'Reactions')}`)
  await write(ada, 'React to this')
  const message = messages(ada, 'React to this')
  const react = async (name: string) => {
    await message.hover()
    await message.getByRole('button', { name: /^React to/ }).click()
    await ada.getByLabel('Search emoji').fill(name)
    await ada.getByRole('option', { name, exact: true }).click()
  }
  await react('thumbs up')
  const thumbs = message.getByRole('button', { name: '👍 1, by Ada' })
  await thumbs.waitFor()
  await ada.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('reactionsAddMutation') ? route.abort() : route.continue(),
  )
  await react('hourglass done')
  await message.getByRole('alert').waitFor()
  visits.forgetProblems()
  await ada.unrouteAll()
  await thumbs.click()
  await thumbs.waitFor({ state: 'detached' })
  expect(await message.getByRole('alert').count()).toBe(0)
})

test('a menu whose script cannot be loaded does not change the thread, and "Try again" loads the menu', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/groups/${await newGroup(ada, 'Scripts')}`)
  await write(ada, 'Has a menu')
  const message = messages(ada, 'Has a menu')
  await message.waitFor()
  await ada.getByLabel('Message', { exact: true }).fill('A draft')
  await ada.route('**/message-menu-*.js', (route) => route.abort())
  await message.getByRole('button', { name: /^Actions for/ }).click()
  await message.getByText('The service cannot be reached.').waitFor()
  await ada.getByLabel('Message', { exact: true }).waitFor()
  await ada.unrouteAll()
  await message.getByRole('button', { name: 'Try again' }).click()
  await ada.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  await ada.keyboard.press('Escape')
  await ada.route('**/emoji-picker-*.js', (route) => route.abort())
  await message.hover()
  await message.getByRole('button', { name: /^React to/ }).click()
  const picker = ada.getByRole('dialog', { name: 'Emoji' })
  await picker.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  await ada.unrouteAll()
  await picker.getByRole('button', { name: 'Try again' }).click()
  await picker.getByLabel('Search emoji').waitFor()
  visits.forgetProblems()
})

test('a page whose script cannot be loaded offline loads when the browser is online, without a reload', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.getByRole('link', { name: 'Search' }).waitFor()
  await ada.evaluate('window.isSamePage = true')
  await ada.context().setOffline(true)
  await ada.getByRole('link', { name: 'Search' }).click()
  await ada.getByRole('button', { name: 'Reload the page' }).click()
  await ada.getByRole('button', { name: 'Try again' }).click()
  await ada.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  await ada.context().setOffline(false)
  await ada.getByLabel('Search messages').waitFor()
  expect(await ada.evaluate('window.isSamePage')).toBe(true)
  visits.forgetProblems()
})

test('a page of earlier messages that could not be loaded is requested again', async () => {
  const ada = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject: 'Longer than a page' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'Message 1' } })
  const texts = Array.from({ length: 69 }, (_, index) => `Message ${index + 2}`)
  for (const text of texts) await send(ada, site, { threadID, message: { text } })
  await ada.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('useMessagesPageQuery') ? route.abort() : route.continue(),
  )
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'Message 70').hover()
  const problem = ada.getByText('More messages could not be loaded.')
  await expect
    .poll(async () => {
      await ada.mouse.wheel(0, -2000)
      return problem.count()
    })
    .toBe(1)
  visits.forgetProblems()
  await ada.unrouteAll()
  const request = ada.waitForRequest((sent) => sent.postData()?.includes('useMessagesPageQuery') === true)
  await ada.getByRole('button', { name: 'Try again' }).click()
  await request
  await problem.waitFor({ state: 'detached' })
})

test('the error page of a proxy is reported in a plain sentence, and "Try again" loads the page', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('useThreadQuery')
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<html>502 Bad Gateway</html>' })
      : route.continue(),
  )
  await ada.goto(`${site.home}/groups/${site.starter.groupID}`)
  await ada.getByText('The service is busy or being repaired. Try again in a minute.').waitFor()
  await ada.unrouteAll()
  await ada.getByRole('button', { name: 'Try again' }).click()
  await ada.getByLabel('Message', { exact: true }).waitFor()
  visits.forgetProblems()
})

test('the header says how many recipients it leaves out, and the list marks closed threads, unsent messages and drafts', async () => {
  const ada = await visits.signedInAs('ada')
  const { workspaceID, groupID, privateGroupID, userIDs } = site.starter
  const recipients = [workspaceID, groupID, privateGroupID, ...userIDs]
  const thread = { recipients, subject: 'Unsent in here' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'First message' } })
  await change(ada, site, 'updateThread', { threadID, closed: true })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await ada.getByText(/^\S+(, \S+){4} and 1 more$/).waitFor()
  await ada.getByText('You can still write, and the thread stays closed.').waitFor()
  await ada.route('**/public/graphql', (route) =>
    route.request().postData()?.includes('useSendMutation') ? route.abort() : route.continue(),
  )
  await write(ada, 'Is this sent?')
  await ada.getByText('Sending failed').waitFor()
  // The page that is loaded next tries to send the message again.
  await ada.goto(`${site.home}/inbox`)
  const row = ada.getByRole('link', { name: 'Unsent in here' })
  const mark = row.getByText('Not sent')
  await mark.waitFor()
  await row.getByText('Closed', { exact: true }).waitFor()
  expect(await problemsOf(ada, 'a message that is not sent')).toEqual([])
  visits.forgetProblems()
  await ada.unrouteAll()
  await row.click()
  await ada.getByRole('button', { name: 'Try again' }).click()
  await messages(ada, 'Is this sent?').waitFor()
  await mark.waitFor({ state: 'detached' })
  await ada.getByLabel('Message', { exact: true }).fill('A draft')
  await ada.getByRole('link', { name: 'Inbox' }).click()
  await row.getByText('Draft', { exact: true }).waitFor()
  await row.getByText('A draft', { exact: true }).waitFor()
})

test('a long word in the header leaves no empty space after the name before it', async () => {
  const ada = await visits.signedInAs('ada')
  const recipients = [site.starter.groupID, await newGroup(ada, 'w'.repeat(100))]
  const thread = { recipients, subject: 'Long names' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'First message' } })
  await ada.setViewportSize({ width: 500, height: 800 })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await ada.getByText(/^Builds, w+$/).waitFor()
  const [first, second] = await ada.evaluate<number[]>(`[0, 8].map((start) => {
    const text = [...document.querySelectorAll('header p')].find((p) => p.textContent.startsWith('Builds, w')).lastChild.firstChild
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + 1)
    return range.getBoundingClientRect().top
  })`)
  expect(first).toBeGreaterThan(0)
  expect(second).toBe(first)
})

test('a person who leaves a thread learns that they can still read it through a group, and the inbox says that they left', async () => {
  // The list renders only the rows that are on screen.
  const grace = await visits.signedInAs('grace', { viewport: { width: 1280, height: 3000 } })
  const { groupID, userIDs } = site.starter
  const thread = { recipients: [groupID, userIDs[1]], subject: 'Left by Grace' }
  const { threadID } = await send(grace, site, { thread, message: { text: 'First message' } })
  await grace.goto(`${site.home}/threads/${threadID}`)
  await grace.getByRole('button', { name: 'Thread details' }).click()
  await grace.getByRole('button', { name: 'Leave thread' }).click()
  await grace.getByText('You can still read this thread, because Builds is also a recipient.').waitFor()
  const dialog = grace.getByRole('dialog', { name: 'Leave this thread?' })
  await dialog.getByRole('button', { name: 'Leave thread' }).click()
  const row = grace.getByRole('link', { name: 'Left by Grace' })
  await row.getByText('You left the thread').waitFor()
  await row.click()
  await grace.getByText(/^Grace left the thread/).waitFor()
})

test('a search with only filters asks for a word, and the last word of a search can be the beginning of a word', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/search?attachments=with`)
  await ada.getByText('Enter a word to search for.').waitFor()
  const thread = { recipients: [site.starter.userIDs[1]] }
  await send(ada, site, { thread, message: { text: 'The building is closed' } })
  await ada.goto(`${site.home}/search?q=buildi`)
  await ada.getByRole('link', { name: /in a direct message with \S*Grace/ }).waitFor()
})

test('the rows of the inbox keep their places while the keyboard is used, and a reload sorts them under headings', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const start = async (subject: string) => {
    const thread = { recipients: [site.starter.groupID], subject }
    return (await send(ada, site, { thread, message: { text: 'First message' } })).threadID
  }
  const threadID = await start('Below')
  await start('Above')
  const rows = ada.locator('[data-thread-row]')
  const subjects = async () => (await rows.allInnerTexts()).flatMap((text) => /Below|Above/.exec(text) ?? [])
  await expect.poll(subjects).toEqual(['Above', 'Below'])
  await ada.keyboard.press('j')
  await send(grace, site, { threadID, message: { text: 'A reply that moves the thread' } })
  await rows.getByText('A reply that moves the thread').waitFor()
  expect(await subjects()).toEqual(['Above', 'Below'])
  await ada.reload()
  await ada.getByRole('heading', { name: 'Earlier', level: 2 }).waitFor()
  const list = await ada.getByTestId('virtuoso-item-list').innerText()
  expect(list.match(/^(?:Unread|Earlier)$|Below|Above/gm)).toEqual(['Unread', 'Below', 'Earlier', 'Above'])
  expect(await problemsOf(ada, 'headings of the inbox')).toEqual([])
})

test('a key moves the focus from a row of the inbox to the message field of the open thread', async () => {
  const ada = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject: 'Only keys' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'First message' } })
  await ada.getByRole('link', { name: 'Only keys' }).press('Enter')
  await ada.waitForURL(`**/threads/${threadID}`)
  await messages(ada, 'First message').waitFor()
  await ada.keyboard.press('r')
  await ada.keyboard.type('Typed at once')
  await ada.keyboard.press('Enter')
  await messages(ada, 'Typed at once').waitFor()
  await ada.getByRole('link', { name: 'Only keys' }).press('?')
  await ada.getByRole('row', { name: 'r Reply: move to the message field' }).waitFor()
})

test('a line runs behind the messages of a thread, is loose at its end, and ends in a knot when the thread is closed', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const thread = { recipients: [site.starter.groupID], subject: 'A thread' }
  const { threadID } = await send(grace, site, { thread, message: { text: 'First' } })
  await ada.goto(`${site.home}/threads/${threadID}`)
  await messages(ada, 'First').waitFor()
  await send(grace, site, { threadID, message: { text: 'Second' } })
  await messages(ada, 'Second').waitFor()
  const styleOf = (text: string, part: 'before' | 'after', name: string) =>
    ada.evaluate<string>(`(() => {
      const rows = [...document.querySelectorAll('article')]
      return getComputedStyle(rows.find((row) => row.innerText.includes('${text}')), '::${part}').${name}
    })()`)
  const lineOf = async (text: string) => {
    if ((await styleOf(text, 'before', 'content')) === 'none') return 'none'
    return (await styleOf(text, 'before', 'backgroundImage')) === 'none' ? 'whole' : 'loose'
  }
  expect([await lineOf('First'), await lineOf('Second')]).toEqual(['whole', 'loose'])
  await change(grace, site, 'updateThread', { threadID, closed: true })
  await messages(ada, 'closed the thread').waitFor()
  expect([await lineOf('Second'), await lineOf('closed the thread')]).toEqual(['whole', 'whole'])
  expect(await styleOf('closed the thread', 'after', 'boxShadow')).toContain('inset')
  await ada.goto(`${site.home}/groups/${site.starter.groupID}`)
  await write(ada, 'In the chat')
  await messages(ada, 'In the chat').waitFor()
  expect(await lineOf('In the chat')).toBe('none')
})

test.each([
  ['a wide window', 1280],
  ['a phone', 390],
])('in %s, the message field has the place and the size of its shape', async (_name, width) => {
  const ada = await visits.signedInAs('ada', { viewport: { width, height: 800 } })
  const thread = { recipients: [site.starter.groupID], subject: `Not there yet ${width}` }
  const { threadID } = await send(ada, site, { thread, message: { text: 'Now there' } })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/public/graphql', async (route) => {
    if (route.request().postData()?.includes('useThreadQuery')) await released
    await route.continue()
  })
  await ada.goto(`${site.home}/threads/${threadID}`)
  const shape = await ada.locator('[class*=_composer]').boundingBox()
  release()
  await messages(ada, 'Now there').waitFor()
  const field = ada.locator('[class*=_box]').filter({ has: ada.getByLabel('Message', { exact: true }) })
  expect(await field.boundingBox()).toEqual(shape)
})
