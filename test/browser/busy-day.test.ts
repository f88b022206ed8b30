import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { emailOf } from '../seed/build-team.ts'
import { newHire } from '../seed/seed-busy-team.ts'
import { ask, change, send } from './ask.ts'
import { startBusySite } from './busy-site.ts'
import { operate, type Site, signInBy, signInLink, stopSite } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = {} as Site
// The team is created here. A busy machine needs minutes.
beforeAll(async () => void Object.assign(site, await startBusySite()), 600_000)
afterAll(() => stopSite(site))
const visits = startVisits(site)
afterEach(() => visits.end())

const [admin, busyMember, otherMember] = [emailOf(0), emailOf(1), emailOf(2)]
const row = (page: Page, subject: string) => page.locator('[data-thread-row]').filter({ hasText: subject })
const unreadRow = (page: Page, subject: string) => row(page, subject).and(page.locator('[data-unread]'))
const side = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })
const unread = (link: Locator) => link.getByLabel('unread')

/** Opens the inbox of a person in a browser of its own. */
async function inboxOf(email: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await visits.open(options)
  await signInBy(page, await signInLink(site, email))
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  return page
}

/** The groups that a person is in, by name. */
async function groupsOf(page: Page): Promise<Map<string, string>> {
  const query = '{ viewer { user { groups(first: 100) { nodes { id name } } } } }'
  const { viewer } = await ask(page, site, query)
  return new Map(viewer.user.groups.nodes.map(({ id, name }: { id: string; name: string }) => [name, id]))
}

async function groupID(page: Page, name: string): Promise<string> {
  return (await groupsOf(page)).get(name) ?? ''
}

/** Returns a function that posts about an alert, whose thread has the same name. */
async function alertsIn(target: string, webhookName: string) {
  const { workspaceID } = site.starter
  const { url } = await operate(site, 'createWebhook', { workspaceID, name: webhookName }, 'url')
  return async (alert: string, state: 'running' | 'failed' | 'ok') => {
    const body = { target, threadSubject: alert, threadBy: alert, uniqueBy: 'status', state, text: state }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
  }
}

async function read(page: Page, subject: string): Promise<void> {
  await unreadRow(page, subject).click()
  await page.getByRole('heading', { name: subject, level: 1 }).waitFor()
  await unreadRow(page, subject).waitFor({ state: 'detached' })
}

test('a new hire, who is only in General, has nothing to read', async () => {
  const page = await inboxOf(newHire.email)
  await page.getByText('No threads yet.').waitFor()
  await page.getByRole('link', { name: 'Find groups' }).waitFor()
  expect([...(await groupsOf(page)).keys()]).toEqual(['General'])
  for (const name of ['Inbox', 'Mentions', 'General']) expect(await unread(side(page, name)).count()).toBe(0)
  expect(await page.title()).toBe('Inbox · Skein')
})

test('a member of 34 groups sees only what concerns them, and mutes the loudest group', async () => {
  const page = await inboxOf(busyMember)
  const groups = await groupsOf(page)
  expect(groups.size).toBe(35)
  await page.locator('[data-unread]').first().waitFor()
  const query = `{ threads(filter: { mine: true, unread: true }, first: 100) {
    nodes { isFollowed recipients(first: 10) { nodes { ... on Group { id } ... on User { id } } } } } }`
  const { threads, viewer } = await ask(page, site, query.replace('{', '{ viewer { user { id } }'))
  const own = [...groups.values(), viewer.user.id]
  type Listed = { isFollowed: boolean; recipients: { nodes: { id: string }[] } }
  const foreign = threads.nodes.filter(
    ({ isFollowed, recipients }: Listed) =>
      !isFollowed && !recipients.nodes.some(({ id }) => own.includes(id)),
  )
  expect(threads.nodes.length).toBeGreaterThan(5)
  expect(foreign).toEqual([])
  const post = await alertsIn(groups.get('alerts-edge') ?? '', 'Edge')
  await post('Loud before', 'failed')
  await unreadRow(page, 'Loud before').waitFor()
  await side(page, 'alerts-edge').click()
  await page.getByRole('button', { name: 'Actions for alerts-edge' }).click()
  await page.getByRole('menuitem', { name: 'Mute group' }).click()
  await side(page, 'alerts-edge').getByLabel('muted').waitFor()
  await side(page, 'Inbox').click()
  await page.locator('[data-thread-row]').first().waitFor()
  await row(page, 'Loud before').waitFor({ state: 'detached' })
  await post('Loud after', 'failed')
  const heard = await alertsIn(groups.get('alerts-db') ?? '', 'Database')
  await heard('Heard after', 'failed')
  await unreadRow(page, 'Heard after').waitFor()
  expect(await row(page, 'Loud after').count()).toBe(0)
})

test('an alert that gets worse is unread at the top, and one that is resolved stays read', async () => {
  const page = await inboxOf(busyMember)
  const post = await alertsIn(await groupID(page, 'alerts-api'), 'Checks')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await post('Deploy 7', 'running')
  await post('Disk 7', 'failed')
  await read(page, 'Deploy 7')
  await read(page, 'Disk 7')
  await side(page, 'Inbox').click()
  await post('Later 7', 'running')
  await unreadRow(page, 'Later 7').waitFor()
  await post('Disk 7', 'ok')
  await row(page, 'Disk 7').getByLabel('OK', { exact: true }).waitFor()
  await post('Deploy 7', 'failed')
  await unreadRow(page, 'Deploy 7').getByLabel('Failed').waitFor()
  expect(await page.locator('[data-thread-row]').first().textContent()).toContain('Deploy 7')
  expect(await unreadRow(page, 'Disk 7').count()).toBe(0)
})

test('a mention among 200 messages is one click away', async () => {
  const [page, ada] = [await inboxOf(busyMember), await inboxOf(admin)]
  const { viewer } = await ask(page, site, '{ viewer { user { id } } }')
  const thread = { recipients: [site.starter.workspaceID], subject: 'Long talk' }
  const { threadID } = await send(ada, site, { thread, message: { text: 'begin' } })
  const say = (text: string) => send(ada, site, { threadID, message: { text } })
  for (let n = 0; n < 10; n += 1) await Promise.all(Array.from({ length: 10 }, () => say('before')))
  await say(`[Maya](skein:${viewer.user.id}) can you decide?`)
  for (let n = 0; n < 10; n += 1) await Promise.all(Array.from({ length: 10 }, () => say('after')))
  await unreadRow(page, 'Long talk').getByLabel('mentions you').waitFor()
  await side(page, 'Mentions').click()
  await page
    .getByRole('list', { name: 'Mentions' })
    .getByRole('link')
    .filter({ hasText: 'can you decide?' })
    .click()
  const mention = messages(page, 'can you decide?')
  await mention.waitFor()
  const height = page.viewportSize()?.height ?? 0
  const bottom = async () => {
    const box = await mention.boundingBox()
    return box && box.y > 0 ? box.y + box.height : Number.POSITIVE_INFINITY
  }
  await expect.poll(bottom).toBeLessThan(height)
})

test('two devices agree when everything is marked as read, and when that is undone', async () => {
  const [laptop, phone] = [await inboxOf(otherMember), await inboxOf(otherMember)]
  const ada = await inboxOf(admin)
  const { viewer } = await ask(laptop, site, '{ viewer { user { id } } }')
  const mention = `[Maya](skein:${viewer.user.id}), look`
  const thread = { recipients: [site.starter.workspaceID], subject: 'Both see it' }
  await send(ada, site, { thread, message: { text: mention } })
  const numbers = async (page: Page) =>
    Promise.all(['Inbox', 'Mentions'].map((name) => unread(side(page, name)).getAttribute('aria-label')))
  const devices = [laptop, phone]
  for (const page of devices) {
    await unreadRow(page, 'Both see it').waitFor()
    await unread(side(page, 'Mentions')).waitFor()
  }
  await expect.poll(() => numbers(phone)).toEqual(await numbers(laptop))
  const before = await numbers(laptop)
  await laptop.getByRole('button', { name: 'Mark all as read' }).click()
  for (const page of devices) {
    for (const name of ['Inbox', 'Mentions', 'General'])
      await unread(side(page, name)).waitFor({ state: 'detached' })
    await page.locator('[data-unread]').first().waitFor({ state: 'detached' })
  }
  await laptop.getByRole('button', { name: 'Undo' }).click()
  for (const page of devices) {
    await unreadRow(page, 'Both see it').waitFor()
    await expect.poll(() => numbers(page)).toEqual(before)
  }
})

test('a name and a message from right to left begin at the edge of the list', async () => {
  const [page, ada] = [await inboxOf(busyMember), await inboxOf(admin)]
  const { viewer } = await ask(page, site, '{ viewer { user { id } } }')
  await send(ada, site, { thread: { recipients: [viewer.user.id] }, message: { text: 'نعم' } })
  await change(page, site, 'createGroup', { name: 'בדיקות' })
  /** How far the texts of a link are from the left edges of their places. */
  const edges = (text: string) =>
    page.evaluate<number[]>(`[...document.querySelectorAll('nav a, [data-thread-row]')]
      .find((link) => link.textContent.includes('${text}'))
      .querySelectorAll('[dir=auto]').values().map((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return Math.round(range.getBoundingClientRect().left - part.getBoundingClientRect().left)
      }).toArray()`)
  await row(page, 'نعم').waitFor()
  await side(page, 'בדיקות').waitFor()
  expect(await edges('نعم')).toEqual([0, 0])
  expect(await edges('בדיקות')).toEqual([0])
})

test('on a phone, the inbox leads to the mentions', async () => {
  const page = await inboxOf(busyMember, { viewport: { width: 390, height: 844 } })
  await page.getByRole('link', { name: 'Mentions', exact: true }).click()
  await page.getByRole('heading', { name: 'Mentions', level: 1 }).waitFor()
})
