import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { browserOptions } from './browser-options.ts'
import { problemsOf } from './page-problems.ts'

let service: RunningProcess
let browser: Browser
let page: Page
let token: string
let operatorToken: string
/** The URLs that the page requested, and the errors that it reported. */
let requested: string[] = []
let complaints: string[] = []

beforeAll(async () => {
  service = await startProcess()
  const starter = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  operatorToken = starter.operatorToken
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    subject: starter.workspaceID,
    client_id: starter.clientID,
    client_secret: starter.clientSecret,
    redirect_uri: starter.redirectURI,
  })
  const answer = await fetch(`${service.url}/oauth/token`, { method: 'POST', body: form })
  token = ((await answer.json()) as { access_token: string }).access_token
  browser = await chromium.launch(browserOptions)
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

beforeEach(async () => {
  requested = []
  complaints = []
  page = await browser.newPage()
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  // A click before the variables of a tab are loaded sends a bad request, and the browser logs its failure.
  const isRefusal = (text: string) => text.startsWith('Failed to load resource: the server responded')
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) complaints.push(message.text())
  })
  await page.goto(`${service.url}/explorer`)
})

afterEach(async () => {
  const outside = requested.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith('data:'))
  expect(outside).toEqual([])
  await page.close()
})

async function open(given: string): Promise<void> {
  await page.fill('#token', given)
  await page.click('button[type=submit]')
}

async function editorShows(text: string): Promise<void> {
  await page.locator('.graphiql-query-editor .view-line', { hasText: text }).first().waitFor()
}

/** Clicks the run button until the page shows the answer. GraphiQL ignores clicks while it loads a tab. */
async function run(expected: string): Promise<void> {
  // The editor shows non-breaking spaces, and indents the rest of a line that it wraps.
  const hasText = new RegExp(expected.replace(/\W/g, (mark) => (mark === ' ' ? '\\s+' : `\\${mark}`)))
  const answer = page.locator('.graphiql-response').filter({ hasText })
  const shown = () =>
    answer.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    )
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    await page.click('.graphiql-execute-button')
    if (await shown()) return
  }
  throw new Error(`The answer has no ${expected}: ${await page.locator('.graphiql-response').textContent()}`)
}

describe('the explorer', () => {
  test('runs the starter queries with a token', async () => {
    await open(token)
    await editorShows('query')
    await run('Starter app')
    const expected = {
      DirectMessages: 'Only the app and I can read this DM.',
      LatestThreads: 'Nightly build',
      OneThread: '"messages"',
      Send: '**Hello** from the explorer',
    }
    expect(await page.locator('[role=tab]').count()).toBe(5)
    for (const [name, text] of Object.entries(expected)) {
      await page.click(`[role=tab]:has-text("${name}")`)
      await editorShows(name)
      await run(text)
    }
    expect(complaints).toEqual([])
  })

  test('is accessible and no wider than the window, before and after the sign-in', async () => {
    await page.getByLabel('Token').waitFor()
    const problems = await problemsOf(page, 'sign-in')
    await open(token)
    await editorShows('query')
    // GraphiQL has problems of its own.
    const ofEditor = /class="(?:graphiql-|line-numbers)/
    problems.push(...(await problemsOf(page, 'editor')).filter((one) => !ofEditor.test(one)))
    expect(problems).toEqual([])
  })

  test('signs in with a one-time link, and removes its code from the URL', async () => {
    const answer = await fetch(`${service.url}/operator/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { createWelcome { welcome } }' }),
    })
    const { data } = (await answer.json()) as { data: { createWelcome: { welcome: string } } }
    const [, code = ''] = /explorer\?code=(\S+)/.exec(data.createWelcome.welcome) ?? []
    await page.goto(`${service.url}/explorer?code=${code}`)
    await editorShows('query')
    expect(page.url()).toBe(`${service.url}/explorer`)
    await run('Starter app')
    await page.reload()
    await editorShows('query')
    expect(complaints).toEqual([])
    await page.click('button:has-text("Forget the token")')
    await page.goto(`${service.url}/explorer?code=${code}`)
    const problem = await page.waitForSelector('[role=alert]')
    expect(await problem.textContent()).toContain('has been used or has expired')
    expect(page.url()).toBe(`${service.url}/explorer`)
  })

  test("runs the operator's queries with the operator token", async () => {
    await open(operatorToken)
    await editorShows('query')
    await run('Skein starter')
    expect(complaints).toEqual([])
  })

  test('explains why a token is not valid, and does not store it', async () => {
    await open('no-such-token')
    const problem = await page.waitForSelector('[role=alert]')
    expect(await problem.textContent()).toContain('unknown, expired or revoked')
    expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0])
  })

  test('stores the token only for the tab of the browser, until the user clicks "Forget the token"', async () => {
    await open(token)
    await editorShows('query')
    const kept = () =>
      page.evaluate<string[]>(
        '[JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie]',
      )
    const [session, ...elsewhere] = await kept()
    expect(session).toContain(token)
    expect(elsewhere.join()).not.toContain(token)
    await page.reload()
    await editorShows('query')
    await page.click('button:has-text("Forget the token")')
    await page.waitForSelector('#token')
    expect((await kept()).join()).not.toContain(token)
    expect(requested.filter((url) => url.includes(token))).toEqual([])
  })
})
