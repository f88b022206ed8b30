import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { stopClock } from './stopped-clock.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const count = 300
const site = siteOfFile()
const visits = startVisits(site)
let page: Page
let lastID: string

beforeAll(async () => {
  for (let number = 1; number <= count; number += 1) {
    const name = number === count ? 'Zenobia Quill' : `Quentin Number ${number}`
    const input = { workspaceID: site.starter.workspaceID, name, email: `person-${number}@example.com` }
    lastID = (await operate(site, 'createUser', input, 'user { id }')).user.id
  }
  page = await visits.signedInAs('ada')
})

afterEach(() => visits.expectNoProblems())

const option = (name: string) =>
  page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) })

/** Holds the requests that search users and groups, until the returned function is called. */
async function holdSearches(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/public/graphql', async (route) => {
    if (route.request().postData()?.includes('directoryQuery')) await released
    await route.continue()
  })
  return release
}

test('a few letters find the 300th person for a new message', async () => {
  await page.goto(`${site.home}/new`)
  const to = page.getByRole('combobox', { name: 'To' })
  await to.pressSequentially('qui')
  await option('Zenobia Quill').waitFor()
  await page.getByRole('status').filter({ hasText: '1 match' }).waitFor({ state: 'attached' })
  expect(await problemsOf(page, 'recipients')).toEqual([])
  await to.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  await page.locator('form, main').getByText('Zenobia Quill').first().waitFor()
  await to.pressSequentially('qui')
  await page.getByText('No matches').first().waitFor()
  await to.fill('builds')
  await option('Builds').click()
  await page.reload()
  await page.getByText('Zenobia Quill').first().waitFor()
  await page.getByText('Builds').first().waitFor()
})

test('a link to a new message selects its recipient each time, or says that the recipient does not exist', async () => {
  const recipient = page.getByRole('main').getByText('Zenobia Quill')
  const open = () => page.goto(`${site.home}/new?to=${lastID}`)
  await open()
  await recipient.waitFor()
  await page.getByRole('combobox', { name: 'To' }).press('Backspace')
  await recipient.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Type a name').or(page.getByPlaceholder('Type a name')).waitFor()
  expect(await recipient.count()).toBe(0)
  await page.goto(`${site.home}/groups`)
  await open()
  await recipient.waitFor()
  await page.goto(`${site.home}/new?to=nonsense`)
  await page.getByText('nonsense does not exist, or you cannot see it.').waitFor()
})

test('a person comes before a group that matches equally, and the option that Enter chooses is highlighted', async () => {
  const { workspaceID } = site.starter
  await operate(site, 'createGroup', { workspaceID, name: 'Zenobia fans' }, 'group { id }')
  await page.goto(`${site.home}/new`)
  const to = page.getByRole('combobox', { name: 'To' })
  const highlighted = page.locator('[data-combobox-selected] bdi')
  // Removes the recipients of the draft.
  for (let count = 0; count < 2; count += 1) await to.press('Backspace')
  await to.fill('zen')
  await highlighted.waitFor()
  expect(await highlighted.allInnerTexts()).toEqual(['Zenobia Quill'])
  await page
    .getByRole('status')
    .filter({ hasText: 'Enter chooses Zenobia Quill' })
    .waitFor({ state: 'attached' })
  await to.press('ArrowDown')
  await expect.poll(() => highlighted.allInnerTexts()).toEqual(['Zenobia fans'])
  await to.fill('zenobia f')
  await expect.poll(() => highlighted.allInnerTexts()).toEqual(['Zenobia fans'])
  await to.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  await page.locator('form, main').getByText('Zenobia fans').first().waitFor()
})

test('the previous results stay while the next results are loading', async () => {
  await page.goto(`${site.home}/new`)
  const to = page.getByRole('combobox', { name: 'To' })
  await to.pressSequentially('quen')
  await option('Quentin Number 1').waitFor()
  const release = await holdSearches(page)
  await to.pressSequentially('tin number 1')
  await option('Quentin Number 2').waitFor({ state: 'detached' })
  await option('Quentin Number 1').waitFor()
  expect(await option('Quentin Number 100').count()).toBe(0)
  release()
  await option('Quentin Number 100').waitFor()
  await page.unrouteAll()
})

test('the author filter of a search shows the name of the author, and can find another author', async () => {
  await page.goto(`${site.home}/search?q=welcome&author=${lastID}`)
  const author = page.getByRole('combobox', { name: 'Author' })
  await expect.poll(() => author.inputValue()).toBe('Zenobia Quill')
  await author.fill('number 299')
  await option('Quentin Number 299').click()
  await expect.poll(() => author.inputValue()).toBe('Quentin Number 299')
  await author.fill('nobody at all')
  await page.getByText('No matches').first().waitFor()
  await author.blur()
  await expect.poll(() => author.inputValue()).toBe('Quentin Number 299')
  const group = page.getByRole('combobox', { name: 'Group' })
  await group.fill('bui')
  await option('Builds').click()
  await page.waitForURL('**group=grp_*')
})

test('on a phone, the filters of a search are behind a button that counts them', async () => {
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto(`${site.home}/search?q=welcome&attachments=without`)
  const author = page.getByRole('combobox', { name: 'Author' })
  const filters = page.getByRole('button', { name: 'Filters (1)' })
  await filters.waitFor()
  expect(await author.isVisible()).toBe(false)
  await filters.click()
  await author.waitFor()
  expect(await problemsOf(page, 'filters')).toEqual([])
  await page.setViewportSize({ width: 1280, height: 720 })
  await filters.waitFor({ state: 'hidden' })
  expect(await author.isVisible()).toBe(true)
})

test('on a phone, tabs below the page open the other pages, and a conversation has the whole screen', async () => {
  const phone = await visits.signedInAs('grace', { viewport: { width: 375, height: 700 } })
  await phone.goto(`${site.home}/inbox`)
  const tabs = phone.getByRole('navigation', { name: 'Workspace' })
  for (const page of ['Groups', 'Search', 'Inbox']) {
    await tabs.getByRole('link', { name: page }).click()
    await phone.getByRole('heading', { name: page, level: 1 }).waitFor()
    expect(await tabs.locator('[aria-current=page]').innerText()).toBe(page)
  }
  await phone.getByRole('button', { name: 'Grace, your menu' }).click()
  await phone.getByRole('menuitem', { name: 'Settings' }).click()
  await phone.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(await tabs.locator('[aria-current=page]').innerText()).toBe('You')
  await phone.getByRole('link', { name: 'People' }).click()
  await phone.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await phone.getByRole('link', { name: 'Settings' }).click()
  await phone.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(await problemsOf(phone, 'the menu of the settings')).toEqual([])
  await tabs.getByRole('link', { name: 'Inbox' }).click()
  await phone.locator('[data-thread-row]').first().click()
  await phone.getByLabel('Message', { exact: true }).waitFor()
  expect(await tabs.count()).toBe(0)
})

test('a few letters find the person for a direct message, and the person and the webhook for a group', async () => {
  await page.goto(`${site.home}/dms`)
  const picker = page.getByRole('combobox', { name: 'New direct message' })
  const focused = page.getByLabel('Message', { exact: true }).and(page.locator(':focus'))
  await picker.fill('zen')
  await option('Zenobia Quill').click()
  await page.getByRole('heading', { name: 'Zenobia Quill' }).waitFor()
  await focused.waitFor()
  expect(await picker.inputValue()).toBe('')
  await picker.fill('zen')
  await option('Zenobia Quill').waitFor()
  await page.keyboard.press('Enter')
  await focused.waitFor()
  await page.goto(`${site.home}/groups/${site.starter.privateGroupID}`)
  await page.getByRole('button', { name: /members$/ }).click()
  const added = page.getByRole('combobox', { name: 'Add people' })
  await added.fill(`person-${count}@`)
  await option('Zenobia Quill').click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const members = page.getByRole('complementary', { name: 'Group details' })
  await members.getByText('Zenobia Quill').last().waitFor()
  await added.fill('starter')
  await option('Starter webhook').click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await members.getByText('Starter webhook · Webhook').waitFor()
})

/** Types a mention, and stops the clock of the page while the search for it has no answer yet. */
async function typeUnfoundMention() {
  const ada = await visits.signedInAs('ada')
  await ada.clock.install()
  await ada.goto(`${site.home}/groups/${site.starter.groupID}`)
  const field = ada.getByLabel('Message', { exact: true })
  const release = await holdSearches(ada)
  const asked = ada.waitForRequest((request) => request.postDataJSON()?.variables?.search === 'zenob')
  await field.pressSequentially('Ask @zenob')
  await ada.getByText('Searching…').waitFor()
  await asked
  await stopClock(ada)
  return { ada, field, release }
}

test('Enter sends no message while a mention search is in flight, and completes the mention when the list is open', async () => {
  const { ada, field, release } = await typeUnfoundMention()
  await field.press('Enter')
  release()
  await ada.getByRole('option', { name: 'Zenobia Quill' }).waitFor()
  expect(await field.inputValue()).toBe('Ask @zenob')
  await ada.clock.resume()
  expect(await problemsOf(ada, 'mention')).toEqual([])
  await field.press('Enter')
  expect(await field.inputValue()).toBe('Ask @Zenobia Quill ')
  await ada.getByRole('button', { name: 'Preview' }).click()
  await ada.getByText('@Zenobia Quill').waitFor()
  await ada.getByRole('button', { name: 'Write' }).click()
  await field.press('Enter')
  await messages(ada, 'Ask @Zenobia Quill').waitFor()
  await ada.context().close()
})

test('Enter sends the message if the mention search takes longer than a second', async () => {
  const { ada, field, release } = await typeUnfoundMention()
  await field.press('Enter')
  await ada.clock.runFor(990)
  expect(await field.inputValue()).toBe('Ask @zenob')
  await ada.clock.runFor(10)
  await expect.poll(() => field.inputValue()).toBe('')
  release()
  await ada.clock.resume()
  // The message of the test before has the whole name.
  await messages(ada, /Ask @zenob\b/).waitFor()
  await ada.context().close()
})

test('the first option of a mention is chosen again when the search changes', async () => {
  await page.goto(`${site.home}/groups/${site.starter.groupID}`)
  const field = page.getByLabel('Message', { exact: true })
  const chosen = page.getByRole('option', { selected: true })
  await field.pressSequentially('@quentin number 1')
  await chosen.filter({ hasText: /^Quentin Number 1person-1@example.com$/ }).waitFor()
  // The people whom the page already knew are listed before the others are found.
  await page
    .getByRole('option')
    .filter({ hasText: /^Quentin Number 100person-100@example.com$/ })
    .waitFor()
  await field.press('ArrowDown')
  await field.press('ArrowDown')
  await chosen.filter({ hasText: /^Quentin Number 100person-100@example.com$/ }).waitFor()
  await field.pressSequentially('0')
  await chosen.filter({ hasText: /^Quentin Number 10person-10@example.com$/ }).waitFor()
  await field.fill('')
})

test('a whole name after @ becomes a mention at the next space or when the message is sent, unless the person undoes it', async () => {
  await page.goto(`${site.home}/groups/${site.starter.groupID}`)
  const field = page.getByLabel('Message', { exact: true })
  const [typed, mention] = ['Hi @zenobia quill, ', 'Hi @Zenobia Quill, ']
  const value = () => field.inputValue()
  for (const undo of ['Control+z', 'Backspace']) {
    await field.pressSequentially(typed.slice(0, -1))
    await expect.poll(value).toBe(mention.slice(0, -1))
    await field.press(undo)
    await expect.poll(value).toBe(typed.slice(0, -1))
    await field.pressSequentially(' text')
    await page.getByRole('button', { name: 'Send' }).click()
    await messages(page, 'Hi @zenobia quill, text').last().waitFor()
    expect(await value()).toBe('')
  }
  await field.pressSequentially(`${typed}and `)
  await expect.poll(value).toBe(`${mention}and `)
  await field.pressSequentially('@zenobia quill')
  await page.getByRole('option', { name: 'Zenobia Quill' }).waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await messages(page, 'Hi @Zenobia Quill, and @Zenobia Quill').waitFor()
})

test('a name is found without its accents, as a recipient and after @', async () => {
  const input = { workspaceID: site.starter.workspaceID, name: 'Łukasz Żółć', email: 'lukasz@example.com' }
  await operate(site, 'createUser', input, 'user { id }')
  await page.goto(`${site.home}/new`)
  await page.getByRole('combobox', { name: 'To' }).pressSequentially('lukasz zolc')
  await option('Łukasz Żółć').waitFor()
  await page.goto(`${site.home}/groups/${site.starter.groupID}`)
  const field = page.getByLabel('Message', { exact: true })
  await field.pressSequentially('@zol')
  await page.getByRole('option', { name: 'Łukasz Żółć' }).waitFor()
  await field.fill('')
  await field.pressSequentially('@lukasz zolc,')
  await expect.poll(() => field.inputValue()).toBe('@Łukasz Żółć,')
  await field.fill('')
})

test('text after @ that matches nobody is sent with one Enter', async () => {
  const field = page.getByLabel('Message', { exact: true })
  const release = await holdSearches(page)
  await field.pressSequentially('Mail @nobodyhere')
  await field.press('Enter')
  release()
  await messages(page, 'Mail @nobodyhere').waitFor()
  expect(await field.inputValue()).toBe('')
  await field.pressSequentially('@nobodyhere')
  await page.getByText('No matches').waitFor()
  await field.press('Escape')
  await page.getByText('No matches').waitFor({ state: 'detached' })
  await field.fill('')
  await field.pressSequentially('@nobodyhere')
  await page.getByText('No matches').waitFor()
  await page.unrouteAll()
})

test('the emoji picker shows the emoji that the person chose last', async () => {
  await page.goto(`${site.home}/groups/${site.starter.groupID}`)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('')
  const open = () => page.getByRole('button', { name: 'Emoji' }).click()
  await open()
  await page.getByRole('gridcell').first().waitFor()
  const recent = page.getByRole('group', { name: 'Recently used' })
  expect(await recent.count()).toBe(0)
  await page.getByPlaceholder('Search emoji').fill('rocket')
  await page.getByRole('option', { name: 'rocket', exact: true }).click()
  await expect.poll(() => field.inputValue()).toBe('🚀')
  await open()
  await recent.getByRole('button', { name: '🚀' }).click()
  await expect.poll(() => field.inputValue()).toBe('🚀🚀')
  await field.fill('')
})
