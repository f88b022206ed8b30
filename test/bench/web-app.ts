import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserOptions } from '../browser/browser-options.ts'
import { type Bench, median, say } from './bench.ts'
import { post } from './calls.ts'
import { atEnd } from './closing.ts'
import { Connection } from './connection.ts'
import type { Figure } from './footprint.ts'
import { sendSafely } from './latencies.ts'
import { startService } from './processes.ts'
import { seedAuthors, seedVolume, threadsOf, type Volume } from './seed.ts'
import { createStore, settle } from './store.ts'
import { makeWorld, operate, type World } from './worlds.ts'

const email = 'reader@example.com'
const loads = 5
const typing = { messages: 1000, seconds: 10, keyEveryMs: 60 }

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/**
 * Measures the web app in Debian's Chromium, with an empty cache: how soon its pages are usable after the navigation
 * starts, and whether typing stays responsive.
 */
export async function measureWebApp(bench: Bench): Promise<Figure[]> {
  const size = bench.effort.quick ? 100 : 10_000
  const store = await createStore(bench, 'web_app')
  const { url } = await startService(bench, { databaseURL: store.url })
  const world = await makeWorld(url)
  await seedAuthors(store, [world])
  const list: Volume = { threads: size, messagesEach: 1 }
  const long: Volume = { first: size, threads: 1, messagesEach: size }
  await seedVolume(store, [world], list)
  await seedVolume(store, [world], long)
  await settle(store)
  const [threadID = ''] = threadsOf(long)
  const browser = await chromium.launch(browserOptions)
  atEnd(() => browser.close())
  const baseURL = url.replace('127.0.0.1', 'localhost')
  const storageState = await signIn(await browser.newContext({ baseURL }), url, world)
  const home = `/${world.workspaceID}`
  const open = async (path: string, isUsable: string) => {
    const times: number[] = []
    let script = 0
    for (let load = 0; load < loads; load += 1) {
      const context = await browser.newContext({ baseURL, storageState })
      const page = await context.newPage()
      const sizes: Promise<number>[] = []
      page.on('requestfinished', (request) => {
        if (request.resourceType() !== 'script') return
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
      })
      await page.goto(path, { waitUntil: 'commit' })
      const time = await page.evaluate<number>(`new Promise((resolve) => {
        const check = () => ((${isUsable}) ? resolve(performance.now()) : requestAnimationFrame(check))
        check()
      })`)
      times.push(time)
      script = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
      // After the context has closed, the size of a request can no longer be read.
      page.removeAllListeners('requestfinished')
      await context.close()
    }
    say(`  ${path}: ${times.map((time) => time.toFixed(0)).join(', ')} ms`)
    return { ms: `${median(times).toFixed(0)} ms (${range(times)})`, script }
  }
  const inbox = await open(
    `${home}/inbox`,
    `[...document.querySelectorAll('main a')].some((row) => row.innerText.startsWith('Subject') && row.checkVisibility())`,
  )
  const thread = await open(
    `${home}/threads/${threadID}`,
    `document.querySelector('textarea') && [...document.querySelectorAll('article')].some((row) => row.checkVisibility({ visibilityProperty: true }))`,
  )
  const page = await (await browser.newContext({ baseURL, storageState })).newPage()
  await page.goto(`${home}/threads/${threadID}`)
  const longest = await typeUnderLoad(page, url, world, threadID)
  const count = size.toLocaleString('en')
  return [
    { name: `from opening the inbox of ${count} threads to its first rows`, value: inbox.ms },
    {
      name: `from opening a thread of ${count} messages to a message field that takes text`,
      value: thread.ms,
    },
    {
      name: `longest task while a person types and ${typing.messages.toLocaleString('en')} messages arrive in ${typing.seconds} s`,
      value: longest < 50 ? 'less than 50 ms' : `${longest.toFixed(0)} ms`,
    },
    {
      name: 'compressed script that is loaded before the first rows of the inbox',
      value: `${(inbox.script / 1024).toFixed(0)} KiB`,
    },
  ]
}

const range = (times: number[]) => `${Math.min(...times).toFixed(0)}-${Math.max(...times).toFixed(0)}`

/** Creates a person who can see all threads, and returns the cookies of their session. */
async function signIn(context: BrowserContext, url: string, { workspaceID }: World): Promise<StorageState> {
  const made = await operate(
    url,
    `mutation ($workspaceID: ID!, $email: String!) {
      createUser(input: { workspaceID: $workspaceID, name: "Reader", email: $email }) { user { id } }
      createSignInLink(input: { email: $email }) { url }
    }`,
    { workspaceID, email },
  )
  const page = await context.newPage()
  await page.goto(made.createSignInLink.url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'))
  return context.storageState()
}

/** Returns the duration of the longest task of the page, in milliseconds. Tasks of less than 50 ms count as 0. */
async function typeUnderLoad(page: Page, url: string, world: World, threadID: string): Promise<number> {
  const field = page.getByLabel('Message', { exact: true })
  await page.getByRole('button', { name: /^Jump to latest/ }).click()
  await page.getByRole('button', { name: /^Jump to latest/ }).waitFor({ state: 'detached' })
  await page.evaluate(`globalThis.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
    }).observe({ type: 'longtask' })`)
  const connection = new Connection(url)
  let isPosting = true
  const posting = async () => {
    const began = performance.now()
    for (let number = 1; number <= typing.messages; number += 1) {
      const body = JSON.stringify({ target: threadID, text: `Arrived ${number}` })
      await sendSafely(connection, { ...post(world, { target: threadID }), body })
      const due = began + (number * typing.seconds * 1000) / typing.messages
      await sleep(Math.max(0, due - performance.now()))
    }
    isPosting = false
  }
  const writing = async () => {
    for (let key = 0; isPosting; key += 1) {
      await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a')
      await sleep(typing.keyEveryMs)
    }
  }
  await field.focus()
  await Promise.all([posting(), writing()])
  connection.close()
  await page
    .getByRole('article')
    .filter({ hasText: `Arrived ${typing.messages}` })
    .waitFor()
  return (await page.evaluate('globalThis.longest')) as number
}
