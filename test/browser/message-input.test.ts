import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, send } from './ask.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Starts a thread of Ada with these messages, and opens it. */
async function openThread(texts: readonly string[], options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visits.signedInAs('ada', options)
  const [text = '', ...others] = texts
  const thread = { recipients: [site.starter.groupID], subject: 'Written by hand' }
  const { threadID } = await send(page, site, { thread, message: { text } })
  for (const other of others) await send(page, site, { threadID, message: { text: other } })
  await page.goto(`/${site.starter.workspaceID}/threads/${threadID}`)
  await page.getByRole('article').last().waitFor()
  return page
}

const field = (page: Page) => page.getByLabel('Message', { exact: true })
const attached = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}` })

/** Pastes texts of these types and a file into the message field. Returns whether the page took the paste. */
async function paste(page: Page, texts: Record<string, string>): Promise<boolean> {
  await field(page).focus()
  return page.evaluate<boolean>(`((texts) => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text)
    clipboardData.items.add(new File(['content'], 'copied.png', { type: 'image/png' }))
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    return !document.activeElement.dispatchEvent(event)
  })(${JSON.stringify(texts)})`)
}

describe('a pasted file is attached', () => {
  test.each<[string, Record<string, string>]>([
    ['with its name as text, as file managers copy it', { 'text/plain': 'copied.png' }],
    ['with an empty text', { 'text/plain': '' }],
    ['with only the HTML of a picture, as browsers copy it', { 'text/html': '<img src="x">' }],
    ['with formatted text that is empty', { 'text/html': '<br>', 'text/plain': ' ' }],
  ])('%s', async (_title, texts) => {
    const page = await openThread(['Paste here'])
    expect(await paste(page, texts)).toBe(true)
    await attached(page, 'copied.png').waitFor()
  })

  test('except beside formatted text, of which spreadsheets also copy a picture', async () => {
    const page = await openThread(['Paste here'])
    expect(await paste(page, { 'text/html': '<td>5</td>', 'text/plain': '5' })).toBe(false)
    expect(await paste(page, { 'text/rtf': '{5}', 'text/plain': '5' })).toBe(false)
    expect(await attached(page, 'copied.png').count()).toBe(0)
  })
})

/** Drops a file on the middle of an element, as a person does. */
async function dropFile(page: Page, selector: string, path: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`There is no ${selector}`)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
}

test('a file that is dropped on the messages or the header is attached', async () => {
  const path = join(site.service.dataDir, 'dropped.txt')
  await writeFile(path, 'dropped')
  const page = await openThread(['Drop here'])
  await dropFile(page, '[aria-label=Messages]', path)
  await attached(page, 'dropped.txt').waitFor()
  await dropFile(page, 'header h1', path)
  await expect.poll(() => attached(page, 'dropped.txt').count()).toBe(2)
  expect(await page.locator('form[data-over]').count()).toBe(0)
})

test('a file that is dropped beside the conversation is ignored, and the page stays', async () => {
  const path = join(site.service.dataDir, 'beside.txt')
  await writeFile(path, 'beside')
  const page = await openThread(['Do not leave'])
  await field(page).fill('A text')
  const url = page.url()
  await dropFile(page, 'nav', path)
  await dropFile(page, '[aria-label=Inbox]', path)
  await page.getByRole('button', { name: 'Preview' }).click()
  expect(page.url()).toBe(url)
  expect(await attached(page, 'beside.txt').count()).toBe(0)
})

test('on a touch screen, Enter starts a new line, and the button sends', async () => {
  const page = await openThread(['Write here'], {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  })
  await field(page).fill('line one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('line two')
  expect(await field(page).inputValue()).toBe('line one\nline two')
  expect(await field(page).getAttribute('enterkeyhint')).toBe('enter')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await messages(page, 'line two').waitFor()
})

test('a text that shows nothing cannot be sent', async () => {
  const page = await openThread(['Write here'])
  const button = page.getByRole('button', { name: 'Send', exact: true })
  await field(page).fill('\u3164 \u2800')
  expect(await button.isDisabled()).toBe(true)
  await field(page).fill('\u3164 a')
  expect(await button.isDisabled()).toBe(false)
})

test.each([800, 420])('in a window of %i px, the emoji picker opens inside the window', async (height) => {
  const texts = Array.from({ length: 20 }, (_, index) => `Message ${index}.`)
  const page = await openThread(texts, { viewport: { width: 1280, height } })
  await page.route('**/emoji-picker-*.js', async (route) => {
    await page.getByRole('dialog', { name: 'Emoji' }).waitFor()
    await route.continue()
  })
  await messages(page, 'Message 19.').hover()
  await page.mouse.wheel(0, -5000)
  const first = messages(page, 'Message 0.')
  await first.hover()
  await first.getByRole('button', { name: /^React to/ }).click()
  const picker = page.getByRole('dialog', { name: 'Emoji' })
  await picker.getByRole('gridcell').first().waitFor()
  const box = await picker.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
})

test('buttons begin a mention and mark code, and the empty field names the thread', async () => {
  const page = await openThread(['Try the buttons'])
  await page.locator('[data-placeholder="Message Written by hand"]').waitFor()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Code')
  await page.keyboard.type('npm test')
  expect(await field(page).inputValue()).toBe('`npm test`')
  await page.keyboard.press('End')
  await press('Mention')
  await page.keyboard.type('Gra')
  await page.getByRole('option', { name: 'Grace' }).click()
  expect(await field(page).inputValue()).toBe('`npm test` @Grace ')
  const codeOf = async (text: string, start: number, end: number) => {
    await field(page).fill(text)
    await field(page).evaluate(
      (input, [from, to]) => Reflect.get(input, 'setSelectionRange').call(input, from, to),
      [start, end],
    )
    await press('Code')
    return field(page).inputValue()
  }
  expect(await codeOf('run `x` now', 4, 7)).toBe('run `` `x` `` now')
  expect(await codeOf('See\none\ntwo\n', 4, 11)).toBe('See\n```\none\ntwo\n```\n')
  expect(await codeOf('See one\n```', 4, 11)).toBe('See \n````\none\n```\n````')
})

test('the list of mentions does not cover the line that says how to cancel an edit', async () => {
  const page = await openThread(['Ask @nobody'])
  await field(page).press('ArrowUp')
  const edited = page.getByLabel('Edited message')
  await edited.fill('Ask @zzz')
  const list = page.getByText('No matches')
  await list.waitFor()
  const [popup, line] = [await list.boundingBox(), await page.getByText('Editing a message.').boundingBox()]
  expect((popup?.y ?? 0) + (popup?.height ?? 0)).toBeLessThanOrEqual(line?.y ?? 0)
})

test('a file beside a picture is only as high as its text', async () => {
  const page = await openThread(['Files'])
  const drawn = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 320, height: 320 })
    return canvas.toDataURL('image/png')
  })()`)
  const picture = Buffer.from(drawn.split(',')[1] ?? '', 'base64')
  await page.getByLabel('Files', { exact: true }).setInputFiles([
    { name: 'photo.png', mimeType: 'image/png', buffer: picture },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ])
  for (const name of ['photo.png', 'notes.txt']) await attached(page, name).waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const link = messages(page, 'photo.png').getByRole('link', { name: 'Download notes.txt' })
  const card = await link.locator('xpath=..').boundingBox()
  expect(card?.height).toBeLessThan(100)
})

test('the inbox and the results of a search show a mention with @', async () => {
  const page = await openThread([`Hey [Grace](skein:${site.starter.userIDs[1]}) lookhere`])
  await page.getByRole('link', { name: /@Grace lookhere/ }).waitFor()
  await page.goto(`/${site.starter.workspaceID}/search?q=lookhere`)
  await page.getByRole('link', { name: /Hey @Grace lookhere/ }).waitFor()
})

describe('the time in the inbox becomes the day', () => {
  /** Opens the inbox at noon of the day of a new message. Returns the time in the row of its thread. */
  async function atNoon(subject: string) {
    const page = await visits.signedInAs('ada')
    const thread = { recipients: [site.starter.groupID], subject }
    const { messageID } = await send(page, site, { thread, message: { text: 'Before midnight' } })
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { createdAt } } }'
    const noon = new Date((await ask(page, site, query, { id: messageID })).node.createdAt)
    noon.setHours(12, 0, 0, 0)
    await page.clock.install({ time: noon })
    await page.goto(`/${site.starter.workspaceID}/inbox`)
    const time = page.getByRole('link', { name: subject }).locator('time')
    expect(await time.innerText()).toMatch(/\d:\d\d/)
    return { page, time }
  }

  test('at midnight', async () => {
    const { page, time } = await atNoon('Open at midnight')
    await page.clock.fastForward('13:00:00')
    await expect.poll(() => time.innerText()).not.toMatch(/:/)
    visits.forgetProblems()
  })

  test('when the page becomes visible on another day', async () => {
    const { page, time } = await atNoon('Asleep at midnight')
    await page.clock.setSystemTime(Date.now() + 24 * 3600_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => time.innerText()).not.toMatch(/:/)
  })
})
