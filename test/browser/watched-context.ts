import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A browser of its own, with what its pages requested and what the browser complained about. */
export type WatchedContext = { context: BrowserContext; page: Page; requested: URL[]; complaints: string[] }

const isRefusal = (text: string) => text.startsWith('Failed to load resource: the server responded')

/**
 * Opens a context with one page. Chromium logs violations of the content security policy as errors. It also logs
 * responses such as 403, which are no complaints.
 */
export async function watchedContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> {
  const context = await browser.newContext(options)
  const [requested, complaints]: [URL[], string[]] = [[], []]
  context.on('request', (request) => requested.push(new URL(request.url())))
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) complaints.push(message.text())
  })
  return { context, page: await context.newPage(), requested, complaints }
}

/** Returns the origins of the requests, without those of `data:` URLs. */
export function originsOf(requested: readonly URL[]): string[] {
  return [...new Set(requested.filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin))]
}
