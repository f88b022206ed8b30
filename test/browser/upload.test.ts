import { createHash, randomFillSync } from 'node:crypto'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const name = 'recording.bin'
const maxBytes = 64 * 1024 * 1024
const bytes = randomFillSync(Buffer.alloc(maxBytes))
const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: randomFillSync(Buffer.alloc(100)) }
const site = siteOfFile({
  MAX_FILE_BYTES: String(maxBytes),
  MAX_ATTACHMENTS: '2',
  MAX_TEXT_CHARACTERS: '100',
})
const visits = startVisits(site)
let path: string
let page: Page
let thread: string

beforeAll(async () => {
  path = join(site.service.dataDir, name)
  await writeFile(path, bytes)
  page = await visits.signedInAs('ada')
  const input = { recipients: [site.starter.groupID], subject: 'Recording' }
  const { threadID } = await send(page, site, {
    thread: input,
    message: { text: 'Please send the recording' },
  })
  thread = `${site.home}/threads/${threadID}`
})

afterAll(() => rm(path, { force: true }))
afterEach(() => visits.expectNoProblems())

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** The percentage that the page shows, or null if it shows none. */
const progressShown = `(() => {
  const value = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')
  return value == null ? null : Number(value)
})()`

/** Limits the bytes per second that the page can send. */
async function limitUploads(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const unlimited = { offline: false, latency: 0, downloadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { ...unlimited, uploadThroughput })
}

/** Opens the inbox, and then the thread again, in the same page. */
async function leaveAndReturn(condition?: Promise<unknown>): Promise<void> {
  await page.getByRole('link', { name: 'Inbox' }).click()
  await page.getByLabel('Message', { exact: true }).waitFor({ state: 'detached' })
  await condition
  await page.getByRole('link', { name: 'Recording' }).click()
  await page.getByLabel('Message', { exact: true }).waitFor()
}

test('a person cancels the upload of a file of 64 MB, uploads it again and sends it, and it downloads intact', async () => {
  await page.goto(thread)
  await messages(page, 'Please send').waitFor()
  const files = page.getByLabel('Files', { exact: true })
  const progress = page.getByRole('progressbar', { name: `Upload of ${name}` })
  const part = () => page.evaluate<number | null>(progressShown)
  const sendButton = page.getByRole('button', { name: 'Send', exact: true })

  await limitUploads(page, 8 * 1024 * 1024)
  await files.setInputFiles(path)
  await expect.poll(part, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
  expect(await part()).toBeLessThan(100)
  await leaveAndReturn()
  expect(await part()).toBeGreaterThan(0)
  expect(await sendButton.isDisabled()).toBe(true)
  await page.getByRole('button', { name: `Cancel the upload of ${name}` }).click()
  await progress.waitFor({ state: 'detached' })
  expect(await page.getByText(name).count()).toBe(0)

  await limitUploads(page, 32 * 1024 * 1024)
  await files.setInputFiles(path)
  const parts = new Set<number>()
  const done = page.getByRole('button', { name: `Remove ${name}` })
  while ((await done.count()) === 0) {
    const shown = await part()
    if (shown !== null) parts.add(shown)
  }
  expect([...parts]).toEqual([...parts].toSorted((a, b) => a - b))
  expect(parts.size).toBeGreaterThan(2)
  await files.setInputFiles(notes)
  const isUploaded = page.waitForResponse(
    (response) => response.request().postData()?.includes('uploadFileCreateMutation') ?? false,
  )
  await leaveAndReturn(isUploaded)
  await page.getByRole('button', { name: `Remove ${notes.name}` }).waitFor()
  expect(await done.count()).toBe(1)
  await page.getByLabel('Message', { exact: true }).fill('Here it is')
  await sendButton.click()

  const message = messages(page, 'Here it is')
  await message.getByText(/\bMB\b/).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    message.getByRole('link', { name: `Download ${name}` }).click(),
  ])
  expect(download.suggestedFilename()).toBe(name)
  expect(digestOf(await readFile(await download.path()))).toBe(digestOf(bytes))
})

test('a file whose name the service refuses has no "Try again" button', async () => {
  const name = 'photo\u202egnp.exe'
  await page.getByLabel('Files', { exact: true }).setInputFiles({ ...notes, name })
  const row = page.getByRole('alert').filter({ hasText: 'Name' })
  await row.waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.getByRole('button', { name: /^Remove photo/ }).click()
  await row.waitFor({ state: 'detached' })
})

test('a file is uploaded although a new version of the service no longer has the scripts of the page', async () => {
  await page.route('**/*.js', (route) => route.fulfill({ status: 404 }))
  await page.getByLabel('Files', { exact: true }).setInputFiles({ ...notes, name: 'late.txt' })
  await page.getByRole('button', { name: 'Remove late.txt' }).click()
  await page.unrouteAll()
})

test('an image has a thumbnail before it is sent, and its size is known before it loads', async () => {
  const isLoaded = (selector: string) => () =>
    page.evaluate<boolean>(`document.querySelector('${selector}')?.naturalWidth > 0`)
  for (const type of ['png', 'jpeg', 'webp']) {
    const drawn = await page.evaluate<string>(`(() => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 1920, height: 1280 })
      return canvas.toDataURL('image/${type}')
    })()`)
    const name = `photo.${type}`
    const buffer = Buffer.from(drawn.split(',')[1] ?? '', 'base64')
    await page.getByLabel('Files', { exact: true }).setInputFiles({ name, mimeType: `image/${type}`, buffer })
    await expect.poll(isLoaded('img[src^="blob:"]')).toBe(true)
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    await page.getByLabel('Message', { exact: true }).fill(`A ${type} image`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(isLoaded(`img[alt="${name}"]`)).toBe(true)
    const image = messages(page, `A ${type} image`).getByRole('img', { name })
    expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['480', '320'])
  }
  await page.getByRole('button', { name: 'Show photo.webp' }).click()
  const dialog = page.getByRole('dialog', { name: 'photo.webp' })
  await dialog.getByRole('link', { name: 'Download photo.webp' }).waitFor()
  expect(await problemsOf(page, 'image')).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

test('the page explains the limits before it sends anything', async () => {
  const field = page.getByLabel('Message', { exact: true })
  const files = page.getByLabel('Files', { exact: true })
  await field.fill('x'.repeat(101))
  await page.getByText('A message can have at most 100 characters.').waitFor()
  await field.press('Enter')
  expect(await field.inputValue()).toHaveLength(101)
  await field.fill('')
  await truncate(path, maxBytes + 1)
  await files.setInputFiles(path)
  await page.getByRole('alert').getByText('A file can be at most 67.1 MB.').waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  await files.setInputFiles([notes, { ...notes, name: 'more.txt' }])
  await page.getByText('A message can have at most 2 files. Not attached: “more.txt”.').waitFor()
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('button', { name: `Remove ${notes.name}` }).waitFor()
})

test('a file that the service no longer has can be attached again, and sending continues in other threads', async () => {
  await page.route('**/public/graphql', (route) => {
    const body = route.request().postData() ?? ''
    if (!body.includes('useSendMutation')) return route.continue()
    return route.continue({ postData: body.replace(/fil_\w+/, 'fil_000000000000000000000000000') })
  })
  await page.getByLabel('Message', { exact: true }).fill('The notes')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText(`Sending failed. The service no longer has “${notes.name}”.`).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('The service no longer has this file.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: `Remove ${notes.name}` }).waitFor()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/public/graphql', async (route) => {
    if (route.request().postData()?.includes('useSendMutation')) await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await leaveAndReturn()
  await page.getByText('Sending…').waitFor()
  release()
  await page.getByText('Sending…').waitFor({ state: 'detached' })
  await messages(page, 'The notes')
    .getByRole('link', { name: `Download ${notes.name}` })
    .waitFor()
})
