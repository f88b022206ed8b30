import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let page: Page
let thread: string

beforeAll(async () => {
  page = await visits.signedInAs('ada')
  const input = { recipients: [site.starter.groupID], subject: 'Faces' }
  const { threadID } = await send(page, site, { thread: input, message: { text: 'Who is this?' } })
  thread = `${site.home}/threads/${threadID}`
})

afterEach(() => visits.expectNoProblems())
afterAll(() => visits.end())

/** Draws three stripes: red, then a square in the color, then blue. Returns the bytes of a PNG. */
async function stripes(color: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const url = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 300 })
    const context = canvas.getContext('2d')
    for (const [index, fill] of ['red', '${color}', 'blue'].entries()) {
      context.fillStyle = fill
      context.fillRect(index * 300, 0, 300, 300)
    }
    return canvas.toDataURL()
  })()`)
  return {
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from(url.split(',')[1] ?? '', 'base64'),
  }
}

/** Returns the size of a picture and the colors of its left edge, center and right edge, each rounded to 0 or 255. */
async function seenIn(picture: Locator): Promise<{ size: number[]; colors: string[] }> {
  const url = await picture.getAttribute('src')
  return picture.page().evaluate(`(async () => {
    const image = Object.assign(new Image(), { src: '${url}' })
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    const colors = [2, width / 2, width - 3].map((x) =>
      [...context.getImageData(x, height / 2, 1, 1).data].slice(0, 3).map((part) => (part > 96 ? 255 : 0)).join(),
    )
    return { size: [width, height], colors }
  })()`)
}

const pictures = (within: Page | Locator) => within.locator('img[src*="/avatars/"]')
const green = { size: [256, 256], colors: ['0,255,0', '0,255,0', '0,255,0'] }

async function choose(color: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(await stripes(color))
}

test('a person chooses a picture, which is cut to its center, and others see it at once', async () => {
  const grace = await visits.signedInAs('grace')
  await grace.goto(thread)
  await grace.getByRole('article').first().waitFor()
  await page.goto(`${site.home}/settings/profile`)
  await choose('lime')
  await page.getByRole('button', { name: 'Change the picture' }).waitFor()
  await pictures(page.getByRole('main')).waitFor()
  expect(await seenIn(pictures(page.getByRole('main')))).toEqual(green)
  expect(await problemsOf(page, 'a picture in the profile')).toEqual([])
  const inMessage = pictures(grace.getByRole('article')).first()
  await inMessage.waitFor()
  expect(await seenIn(inMessage)).toEqual(green)
  await page.goto(thread)
  await pictures(page.getByRole('article')).first().waitFor()
  await expect.poll(() => pictures(page).count()).toBeGreaterThanOrEqual(3)
})

test('a file that is not an image is refused, and the picture stays', async () => {
  await page.goto(`${site.home}/settings/profile`)
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not an image') }
  await page.locator('input[type=file]').setInputFiles(notes)
  await page.getByText('The browser cannot read this file as an image.').waitFor()
  await pictures(page.getByRole('main')).waitFor()
})

test('the fields that find people and groups show email addresses, and the number of members', async () => {
  const { workspaceID, userIDs } = site.starter
  for (const email of ['one@example.com', 'two@example.com'])
    await operate(site, 'createUser', { workspaceID, name: 'Amara Okafor', email }, 'user { id }')
  for (const members of [[], userIDs.slice(1, 2)]) {
    const { group } = await operate(
      site,
      'createGroup',
      { workspaceID, name: 'Night shift', isPrivate: true },
      'group { id }',
    )
    const input = { groupID: group.id, userIDs: [userIDs[0], ...members] }
    await operate(site, 'addMembers', input, 'group { id }')
  }
  await page.goto(`${site.home}/new`)
  const to = page.getByRole('combobox', { name: 'To' })
  const options = page.getByRole('option')
  await to.pressSequentially('amara')
  await options.first().waitFor()
  expect((await options.allInnerTexts()).map((text) => text.split('\n').join(' '))).toEqual([
    'Amara Okafor one@example.com',
    'Amara Okafor two@example.com',
  ])
  expect(await problemsOf(page, 'a picker')).toEqual([])
  await to.fill('night')
  await expect
    .poll(async () => (await options.allInnerTexts()).map((text) => text.split('\n').join(' ')).sort())
    .toEqual(['Night shift Private group · 1 member', 'Night shift Private group · 2 members'])
})

test('the fields that find people show pictures', async () => {
  const grace = await visits.signedInAs('grace')
  await grace.goto(`${site.home}/new`)
  const to = grace.getByRole('combobox', { name: 'To' })
  await to.pressSequentially('ada')
  await pictures(grace.getByRole('option')).first().waitFor()
  await grace.getByRole('option', { name: 'Ada' }).click()
  await grace.getByRole('listbox').waitFor({ state: 'hidden' })
  await pictures(grace.getByRole('main')).first().waitFor()
})

test('an admin sets the picture of a webhook on its page, and removes the picture of a person', async () => {
  const { workspaceID } = site.starter
  const { webhook } = await operate(site, 'createWebhook', { workspaceID, name: 'Siren' }, 'webhook { id }')
  await page.goto(`${site.home}/settings/webhooks/${webhook.id}`)
  await choose('lime')
  await page.getByRole('button', { name: 'Change the picture' }).waitFor()
  await pictures(page.getByRole('main')).waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a picture' }).waitFor()
  await expect.poll(() => pictures(page.getByRole('main')).count()).toBe(0)

  const grace = await visits.signedInAs('grace')
  await grace.goto(`${site.home}/settings/profile`)
  await grace.locator('input[type=file]').setInputFiles(await stripes('lime'))
  await grace.getByRole('button', { name: 'Change the picture' }).waitFor()
  await page.goto(`${site.home}/settings/people`)
  const row = page.getByRole('listitem').filter({ hasText: 'grace@example.com' })
  await pictures(row).waitFor()
  await row.getByRole('button', { name: 'Actions for Grace' }).click()
  await page.getByRole('menuitem', { name: 'Remove the picture' }).click()
  await expect.poll(() => pictures(row).count()).toBe(0)
  await grace.getByRole('button', { name: 'Choose a picture' }).waitFor()
})

test('an admin sets the picture of an app, which its user has too', async () => {
  const { workspaceID } = site.starter
  const input = { workspaceID, name: 'Painter', redirectURIs: ['https://app.example.com/callback'] }
  const { app } = await operate(site, 'createApp', input, 'app { id }')
  await page.goto(`${site.home}/settings/apps/${app.id}`)
  await choose('lime')
  await page.getByRole('button', { name: 'Change the picture' }).waitFor()
  await page.goto(`${site.home}/settings/apps`)
  const rows = page.getByRole('listitem').filter({ hasText: 'Painter' })
  await expect.poll(() => pictures(rows).count()).toBe(2)
})
