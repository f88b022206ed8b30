import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { problemsOf } from './page-problems.ts'
import { operate, type Site, signInBy, signInLink, startSite, stopSite } from './site.ts'
import { originsOf, type WatchedContext, watchedContext } from './watched-context.ts'

let site: Site
let home: string
const opened: WatchedContext[] = []

beforeAll(async () => {
  site = await startSite()
  home = `/${site.starter.workspaceID}`
})

afterAll(() => stopSite(site))

// A violation of the policy, an error in the console and a request to another service fail the test.
afterEach(async () => {
  for (const { context, complaints, requested } of opened.splice(0)) {
    await context.close()
    expect(complaints).toEqual([])
    expect(originsOf(requested)).toEqual([site.starter.baseURL])
  }
})

async function signedInAs(name: string, options: Parameters<typeof watchedContext>[1] = {}): Promise<Page> {
  const watched = await watchedContext(site.browser, { baseURL: site.starter.baseURL, ...options })
  opened.push(watched)
  await signInBy(watched.page, await signInLink(site, `${name}@example.com`))
  return watched.page
}

const say = (page: Page, text: string) => page.getByLabel('Message', { exact: true }).fill(text)
const send = async (page: Page, text: string) => {
  await say(page, text)
  await page.keyboard.press('Enter')
}
const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

/** Starts a thread of Ada and Grace, and returns its path. */
async function newThread(subject: string): Promise<string> {
  const page = await signedInAs('ada')
  const id = await page.evaluate(
    async ([workspaceID, group, subject]) => {
      const query = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { thread { id } } }`
      const input = { thread: { recipients: [group], subject }, message: { text: 'First message' } }
      const headers = { 'content-type': 'application/json', 'skein-workspace': workspaceID ?? '' }
      const body = JSON.stringify({ query, variables: { input } })
      const answer = await fetch('/public/graphql', { method: 'POST', headers, body })
      const { data } = (await answer.json()) as { data: { sendMessage: { thread: { id: string } } } }
      return data.sendMessage.thread.id
    },
    [site.starter.workspaceID, site.starter.groupID, subject],
  )
  return `${home}/threads/${id}`
}

test('a link to a page leads there after signing in', async () => {
  const watched = await watchedContext(site.browser, { baseURL: site.starter.baseURL })
  opened.push(watched)
  const path = await newThread('Before signing in')
  await watched.page.goto(path)
  await watched.page.waitForURL('**/signin?continue=*')
  await signInBy(watched.page, await signInLink(site, 'grace@example.com'))
  await watched.page.waitForURL(`**${path}`)
  await message(watched.page, 'First message').waitFor()
})

test('an admin adds a webhook, runs the command that the page shows, and sees the message', async () => {
  const page = await signedInAs('ada')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Apps' }).click()
  await page.getByRole('link', { name: 'Add webhook' }).click()
  await page.getByLabel('Name').fill("Ada's pipeline")
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByText('Waiting for the first call').waitFor()
  const command = (await page.getByRole('region', { name: 'Run this command' }).innerText()).trim()
  expect(command).toMatch(/^curl /)
  await promisify(execFile)('bash', ['-c', command])
  const link = page.getByRole('link', { name: 'Show it in its thread' })
  await link.click()
  await page.waitForURL('**/threads/thr_*/msg_*')
  await message(page, "Ada's pipeline").first().waitFor()
})

test('two people see the messages of each other at once, and what they missed while the page was closed', async () => {
  const path = await newThread('Live')
  const [ada, grace] = [await signedInAs('ada'), await signedInAs('grace')]
  await Promise.all([ada.goto(path), grace.goto(path)])
  await message(grace, 'First message').waitFor()
  await message(ada, 'First message').waitFor()
  await send(ada, 'Hello **Grace**')
  await message(grace, 'Hello Grace').waitFor()
  await send(grace, 'Hello Ada')
  await message(ada, 'Hello Ada').waitFor()
  await grace.goto('about:blank')
  for (let number = 1; number <= 3; number += 1) {
    await send(ada, `While you were away ${number}`)
    await message(ada, `While you were away ${number}`).waitFor()
  }
  await grace.goto(path)
  await message(grace, 'While you were away 3').waitFor()
  expect(await message(grace, 'While you were away').count()).toBe(3)
})

test('a group that does not exist and one that is hidden look the same', async () => {
  const input = { workspaceID: site.starter.workspaceID, name: 'Hidden', isPrivate: true }
  const hidden = (await operate(site, 'createGroup', input, 'group { id }')).group.id
  const page = await signedInAs('grace')
  const textAt = async (groupID: string) => {
    await page.goto(`${home}/groups/${groupID}`)
    await page.getByRole('heading', { name: 'Group not found' }).waitFor()
    return page.getByRole('main').innerText()
  }
  expect(await textAt(hidden)).toBe(await textAt('grp_000000000000000000000000000'))
})

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('in %s colors, %i px wide', (colorScheme, width) => {
  test('the pages are accessible and as wide as the window', async () => {
    const thread = await newThread(`Pages in ${colorScheme}`)
    const page = await signedInAs('ada', { colorScheme, viewport: { width, height: 800 } })
    const pages = ['inbox', 'groups', 'dms', 'search?q=message', 'new', 'nothing']
    const settings = ['profile', 'workspace', 'people', 'apps', 'apps/new', 'webhooks/new']
    const paths = [thread, ...pages.map((name) => `${home}/${name}`)].concat(
      settings.map((name) => `${home}/settings/${name}`),
      `${home}/groups/${site.starter.groupID}`,
    )
    const problems: string[] = []
    for (const path of paths) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      problems.push(...(await problemsOf(page, path)))
    }
    expect(problems).toEqual([])
  })
})
