import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'

/**
 * A separate browser context with the requests of its pages, the requests that failed, and the errors that the browser
 * logged.
 */
export type WatchedContext = {
  context: BrowserContext
  page: Page
  requested: URL[]
  /** One line for each response with a status of 400 or more, and for each request without a response. */
  failures: string[]
  complaints: string[]
}

// `failures` contains these requests with their paths.
const isRefusal = (text: string) => text.startsWith('Failed to load resource: the server responded')
// Requests are also aborted when their page is left, and when a response becomes a download.
const isStopped = (request: Request) => request.failure()?.errorText === 'net::ERR_ABORTED'

/**
 * Opens a context with one page. Nothing moves in it: a dialog that slides in can move away between the moment when
 * Playwright computes the place of a button and the click. Chromium logs violations of the content security policy as
 * errors.
 */
export async function watchedContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const [requested, failures, complaints]: [URL[], string[], string[]] = [[], [], []]
  const fail = (request: Request, reason: string | number | undefined) =>
    failures.push(`${request.method()} ${new URL(request.url()).pathname}: ${reason}`)
  context.on('request', (request) => requested.push(new URL(request.url())))
  context.on('response', (response) => {
    if (response.status() >= 400) fail(response.request(), response.status())
  })
  context.on('requestfailed', (request) => {
    if (!isStopped(request)) fail(request, request.failure()?.errorText)
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) complaints.push(message.text())
  })
  return { context, page: await context.newPage(), requested, failures, complaints }
}

/** Returns the origins of the requests, without the origins of `data:` URLs. */
export function originsOf(requested: readonly URL[]): string[] {
  return [...new Set(requested.filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin))]
}
