import type { Page } from 'playwright-core'

/** Returns the messages on the page that contain a text. */
export const messages = (page: Page, text: string | RegExp) =>
  page.getByRole('article').filter({ hasText: text })

/** Writes a message in the open thread, and sends it with the Enter key. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}
