import type { Page } from 'playwright-core'

/** Stops the clock of a page, so that no time passes between two steps of a test. Call `page.clock.install` before. */
export async function stopClock(page: Page): Promise<void> {
  // The clock can only be stopped in the future.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 5000)
}
