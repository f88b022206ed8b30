import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { ask, change, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

type Thread = { page: Page; path: string; messageIDs: string[] }

/** Starts a thread of Ada with these messages, and opens it. */
async function openThread(texts: string[], options: BrowserContextOptions = {}): Promise<Thread> {
  const page = await visits.signedInAs('ada', options)
  const thread = { recipients: [site.starter.groupID], subject: 'To read' }
  const [first = '', ...others] = texts
  const { threadID, messageID } = await send(page, site, { thread, message: { text: first } })
  const messageIDs = [messageID]
  for (const text of others)
    messageIDs.push((await send(page, site, { threadID, message: { text } })).messageID)
  const path = `${site.home}/threads/${threadID}`
  await page.goto(path)
  await page.locator(`[id="${messageIDs.at(-1)}"]`).waitFor()
  return { page, path, messageIDs }
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index + 1}.`).join('\n')
const code = (count: number) => `\`\`\`log\n${lines(count)}\n\`\`\``

/** Returns whether a text is on the part of the page that is on screen. */
function isOnScreen(page: Page, text: string): Promise<boolean> {
  return page.evaluate<boolean>(`((text) => {
    const texts = document.createTreeWalker(document.querySelector('[aria-label=Messages]'), NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const start = texts.currentNode.data.indexOf(text)
      if (start < 0) continue
      const range = document.createRange()
      range.setStart(texts.currentNode, start)
      range.setEnd(texts.currentNode, start + text.length)
      const { left, top, height } = range.getBoundingClientRect()
      return height > 0 && texts.currentNode.parentElement.contains(document.elementFromPoint(left + 1, top + height / 2))
    }
    return false
  })(${JSON.stringify(text)})`)
}

test('addresses open in a new tab and tell nothing, but addresses in code are text, and the API returns no links for them', async () => {
  const text = [
    'Read https://example.com/a?b=1&c=(2). Not `https://code.example`, but [this](https://label.example)',
    '```\nhttps://block.example\n```',
  ].join('\n\n')
  const { page, messageIDs } = await openThread([text])
  const links = await page.evaluate(`[...document.querySelectorAll('article a')].map((link) => (
    { text: link.textContent, href: link.href, target: link.target, rel: link.rel }
  ))`)
  const outside = { target: '_blank', rel: 'noopener noreferrer nofollow' }
  const address = 'https://example.com/a?b=1&c=(2)'
  expect(links).toEqual([
    { text: address, href: address, ...outside },
    { text: 'this', href: 'https://label.example/', ...outside },
  ])
  const { node } = await ask(page, site, 'query ($id: ID!) { node(id: $id) { ... on Message { html } } }', {
    id: messageIDs[0],
  })
  expect(node.html.match(/<a /g)).toHaveLength(1)
})

test('in a text from right to left, an address goes from left to right', async () => {
  const { page } = await openThread(['انظر https://example.com/one/two اليوم'])
  const lefts = await page.evaluate<
    number[]
  >(`(({ firstChild }) => ['https', 'example', 'one', 'two'].map((part) => {
    const range = document.createRange()
    range.setStart(firstChild, firstChild.data.indexOf(part))
    range.setEnd(firstChild, firstChild.data.indexOf(part) + part.length)
    return range.getBoundingClientRect().left
  }))(document.querySelector('article a'))`)
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
})

test('links to threads, messages and groups show the titles that the reader can see, which one request loads', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const { groupID, baseURL } = site.starter
  const start = (recipients: string[], subject: string) =>
    send(ada, site, { thread: { recipients, subject }, message: { text: 'First' } })
  const open = await start([groupID], 'An open plan')
  const { group } = await change(
    ada,
    site,
    'createGroup',
    { name: 'Secrets', isPrivate: true },
    'group { id }',
  )
  const secret = await start([group.id], 'A secret plan')
  const urlOf = (path: string) => `${baseURL}${site.home}/${path}`
  const toThread = urlOf(`threads/${open.threadID}`)
  const toSecret = urlOf(`threads/${secret.threadID}`)
  const parts = [
    toThread,
    `[${toThread}](${toThread})`,
    `[the plan](${toThread})`,
    urlOf(`threads/${open.threadID}/${open.messageID}`),
    urlOf(`groups/${groupID}`),
    toSecret,
    urlOf(`groups/${group.id}`),
    urlOf(`threads/${secret.threadID}/${open.messageID}`),
    urlOf('inbox'),
  ]
  const thread = { recipients: [groupID], subject: 'Many links' }
  const { threadID } = await send(ada, site, { thread, message: { text: parts.slice(0, 5).join('\n') } })
  await send(ada, site, { threadID, message: { text: parts.slice(5).join('\n') } })
  const queries: string[] = []
  grace.on('request', (request) => {
    if (request.postData()?.includes('placesQuery')) queries.push(request.postData() ?? '')
  })
  await grace.goto(`${site.home}/threads/${threadID}`)
  const links = messages(grace, /./).getByRole('link')
  await links.filter({ hasText: 'Message in An open plan' }).waitFor()
  expect(await links.allInnerTexts()).toEqual([
    'An open plan',
    'An open plan',
    'the plan',
    'Message in An open plan',
    'Builds',
    ...parts.slice(5),
  ])
  expect(await links.nth(2).getAttribute('title')).toBe('An open plan')
  expect(queries).toHaveLength(1)

  await change(ada, site, 'updateThread', { threadID: open.threadID, subject: 'A better plan' })
  await links.filter({ hasText: 'Message in A better plan' }).waitFor()
  await grace.evaluate('window.isSamePage = true')
  await links.filter({ hasText: 'Message in' }).click()
  await grace.waitForURL(`**/threads/${open.threadID}/${open.messageID}`)
  await messages(grace, 'First').waitFor()
  expect(await grace.evaluate('window.isSamePage')).toBe(true)
})

test('a block of code can be copied', async () => {
  const { page } = await openThread([`Before\n\n${code(3)}`])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await messages(page, 'Before').getByRole('button', { name: 'Copy code' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Line 1.\nLine 2.\nLine 3.')
})

test('a block of code shows 16 lines, until the person or the browser opens the others', async () => {
  const { page, path, messageIDs } = await openThread([code(16), `Long\n\n${code(120)}`])
  const button = page.getByRole('button', { name: /^Show/ })
  expect(await button.count()).toBe(1)
  expect(await button.innerText()).toBe('Show all 120 lines')
  expect([await isOnScreen(page, 'Line 17.'), await button.getAttribute('aria-expanded')]).toEqual([
    false,
    'false',
  ])
  await button.focus()
  await page.keyboard.press('Enter')
  expect([await isOnScreen(page, 'Line 17.'), await button.getAttribute('aria-expanded')]).toEqual([
    true,
    'true',
  ])
  await page.getByRole('button', { name: 'Show the first 16 lines' }).click()
  expect(await isOnScreen(page, 'Line 17.')).toBe(false)
  // The browser opens the lines for a target in the page as it does for what it finds.
  await page.evaluate(`document.querySelector('[hidden=until-found] > code').id = 'found'`)
  await page.evaluate(`location.hash = 'found'`)
  await page.getByRole('button', { name: 'Show the first 16 lines' }).waitFor()
  await page.goto(`${path}/${messageIDs[1]}`)
  await page.getByRole('button', { name: 'Show the first 16 lines' }).waitFor()
  expect(await problemsOf(page, 'code')).toEqual([])
})

test('texts, numbers and words of code have colors', async () => {
  const { page } = await openThread([
    '```ts\nconst answer = "forty" + 42 // it\'s\n```',
    "```log\n09:12:04 ERROR don't wait in 1840 ms for 'api-2'\n```",
  ])
  const colored = (kind: string) =>
    page.evaluate(`[...(CSS.highlights.get('code-${kind}') ?? [])].map(
      ({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset))`)
  await expect.poll(() => colored('word')).toEqual(['const', 'ERROR'])
  expect(await colored('text')).toEqual(['"forty"', "'api-2'"])
  expect(await colored('number')).toEqual(['42', '1840'])
})

test('a message shows 40 lines, until the person, the browser or a link opens the others', async () => {
  const { page, path, messageIDs } = await openThread([
    lines(40).replaceAll('Line', 'Row'),
    `Start\n${lines(300)}\n[target](https://example.com)`,
    'End',
  ])
  const message = messages(page, 'Start')
  const [more, less] = ['Show more', 'Show less'].map((name) => message.getByRole('button', { name }))
  if (!more || !less) throw new Error('There are two names')
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(1)
  expect([await isOnScreen(page, 'Line 39.'), await isOnScreen(page, 'Line 41.')]).toEqual([true, false])
  await more.click()
  await less.scrollIntoViewIfNeeded()
  expect(await isOnScreen(page, 'Line 300.')).toBe(true)
  await less.click()
  expect(await isOnScreen(page, 'Line 39.')).toBe(true)
  // The browser scrolls to a link that gets the focus, as it does to what it finds in the page. On a slow machine, the
  // list sees that before it has measured the row.
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await message.getByRole('link', { name: 'target' }).focus()
  await less.waitFor()
  await expect.poll(() => isOnScreen(page, 'target')).toBe(true)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.goto(`${path}/${messageIDs[1]}`)
  await less.waitFor()
  await page.goto(`${path}/${messageIDs[2]}`)
  await more.waitFor()
  expect(await problemsOf(page, 'a long message')).toEqual([])
})

test('a long message that contains code opens with the code', async () => {
  const { page } = await openThread([`${code(60)}\n\n${lines(60)}`])
  await page.getByRole('button', { name: 'Show all 60 lines' }).click()
  await page.getByRole('button', { name: 'Show less' }).waitFor()
})

test('when the person opens a part of the last message, the lines that they read stay where they are', async () => {
  const { page } = await openThread([`Above\n\n${code(200)}`])
  const top = () => page.evaluate(`document.querySelector('article').getBoundingClientRect().top`)
  await page.getByRole('button', { name: 'Show all 200 lines' }).click()
  expect(await isOnScreen(page, 'Line 18.')).toBe(true)
  const before = await top()
  // The list would show a message of the person themselves.
  await send(await visits.signedInAs('grace'), site, {
    threadID: new URL(page.url()).pathname.split('/').at(-1),
    message: { text: 'New' },
  })
  await page.getByRole('button', { name: 'Jump to latest (1 new)' }).waitFor()
  expect(await top()).toBe(before)
})

test('a message that continues another one shows its time beside it on hover and with the keyboard', async () => {
  const { page } = await openThread(['First', 'Second'])
  const second = messages(page, 'Second')
  const time = second.locator('time')
  const opacity = () =>
    page.evaluate(`getComputedStyle(document.querySelectorAll('article time')[1]).opacity`)
  expect(await time.getAttribute('title')).toMatch(/:\d\d:\d\d/)
  await page.getByLabel('Message', { exact: true }).hover()
  expect(await opacity()).toBe('0')
  await second.hover()
  expect(await opacity()).toBe('1')
  await page.getByLabel('Message', { exact: true }).hover()
  await second.getByRole('button', { name: /^Actions for/ }).focus()
  expect(await opacity()).toBe('1')
  const [place, text] = [await time.boundingBox(), await second.getByText('Second').boundingBox()]
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0)
})

test('each message of a program names its author', async () => {
  const { page, path } = await openThread(['From Ada'])
  const input = { workspaceID: site.starter.workspaceID, name: 'Monitor' }
  const { url } = await operate(site, 'createWebhook', input, 'url')
  const target = path.split('/').at(-1)
  const headers = { 'content-type': 'application/json' }
  for (const text of ['Alarm 1', 'Alarm 2', 'Alarm 3'])
    await page.request.post(url, { headers, data: { target, text } })
  await messages(page, 'Alarm 3').waitFor()
  expect(await page.getByRole('article').getByText('Monitor', { exact: true }).count()).toBe(3)
})

test('in a wide window, a message is at most 720 px wide', async () => {
  const { page } = await openThread(['word '.repeat(500)], { viewport: { width: 2560, height: 1000 } })
  expect((await page.getByRole('article').boundingBox())?.width).toBe(720)
})

test('the documentation colors and copies its code, and marks where one reads', async () => {
  const { page, context } = await visits.open({ viewport: { width: 1280, height: 800 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/webhooks')
  const code = page.locator('.code').filter({ hasText: 'text/plain' }).first()
  await code.scrollIntoViewIfNeeded()
  await code.getByRole('button', { name: 'Copy' }).click()
  await code.getByRole('button', { name: 'Copied' }).waitFor()
  await code.getByText('Copied', { exact: true }).waitFor()
  expect(await code.getByText('shell', { exact: true }).isVisible()).toBe(false)
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(await code.locator('code').innerText())
  expect(await page.evaluate('[...CSS.highlights.keys()].sort()')).toEqual([
    'code-number',
    'code-text',
    'code-word',
  ])
  const current = page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]')
  await page.getByRole('link', { name: 'Fields of the response', exact: true }).click()
  await current.filter({ hasText: 'Fields of the response' }).waitFor()
  expect(await current.count()).toBe(1)
  expect(await problemsOf(page, 'docs')).toEqual([])
})
