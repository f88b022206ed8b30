import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, TestRunner } from 'vitest'
import { type Site, signInBy, signInLink } from './site.ts'
import { originsOf, type WatchedContext, watchedContext } from './watched-context.ts'

/** What a test expects: requests to the origins of other servers, and failures such as `GET /path: 404`. */
export type Expected = { otherOrigins?: readonly string[]; failures?: readonly string[] }

type StorageState = Awaited<ReturnType<WatchedContext['context']['storageState']>>

/** The browsers of the people who visit a site. */
export type Visits = {
  /** Opens a browser in which nobody is signed in. */
  open: (options?: BrowserContextOptions) => Promise<WatchedContext>
  /** Opens a browser in which Ada, Grace or Linus is signed in. */
  signedInAs: (name: string, options?: BrowserContextOptions) => Promise<Page>
  /**
   * Fails if a page violated its policy, logged an error, sent a request that failed, or sent a request to another
   * service. Then forgets what the pages have done.
   */
  expectNoProblems: (expected?: Expected) => void
  /** Forgets what the pages have done. */
  forgetProblems: () => void
  /** Closes all browsers. Fails like `expectNoProblems`. After a failed test, prints what the pages show. */
  end: (expected?: Expected) => Promise<void>
}

export function startVisits(site: Site): Visits {
  const opened = new Set<WatchedContext>()
  const sessions = new Map<string, StorageState>()
  const open = async (options: BrowserContextOptions = {}) => {
    const watched = await watchedContext(site.browser, { baseURL: site.starter.baseURL, ...options })
    opened.add(watched)
    return watched
  }
  const signedInAs = async (name: string, options: BrowserContextOptions = {}) => {
    const storageState = sessions.get(name)
    const { page, context } = await open({ ...options, ...(storageState && { storageState }) })
    if (storageState) await page.goto('/')
    else {
      await signInBy(page, await signInLink(site, `${name}@example.com`))
      sessions.set(name, await context.storageState())
    }
    return page
  }
  const expectNoProblems = (expected: Expected = {}) => {
    const known = [site.starter.baseURL, ...(expected.otherOrigins ?? []), ...(expected.failures ?? [])]
    const isUnknown = (one: string) => !known.includes(one)
    const seen = [...opened].map(({ requested, failures, complaints }) => ({
      origins: originsOf(requested.splice(0)).filter(isUnknown),
      failures: failures.splice(0).filter(isUnknown),
      complaints: complaints.splice(0),
    }))
    expect(seen).toEqual(seen.map(() => ({ origins: [], failures: [], complaints: [] })))
  }
  const forgetProblems = () => {
    for (const { requested, failures, complaints } of opened) {
      for (const seen of [requested, failures, complaints]) seen.length = 0
    }
  }
  const end = async (expected?: Expected) => {
    if (TestRunner.getCurrentTest()?.result?.state === 'fail')
      await printPages([...opened].map(({ page }) => page))
    await Promise.all([...opened].map(({ context }) => context.close()))
    try {
      expectNoProblems(expected)
    } finally {
      opened.clear()
    }
  }
  return { open, signedInAs, expectNoProblems, forgetProblems, end }
}

async function printPages(pages: Page[]): Promise<void> {
  for (const page of pages) {
    const text = await page.evaluate<string>('document.body.innerText').catch(String)
    process.stderr.write(`${page.url()} shows:\n${text}\n\n`)
  }
}
