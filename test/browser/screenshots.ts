import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { repository } from '../support/process.ts'

/** If this variable is set, the tests also write docs/screenshots. */
export const isUpdating = Boolean(process.env.UPDATE_SCREENSHOTS)

/** Writes a screenshot of the window, or of one element, as it is now, to docs/screenshots. */
export async function writeScreenshot(page: Page, name: string, element?: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const box = await element?.boundingBox()
  const clip = box ? { clip: { ...box, scale: 1 } } : {}
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80, ...clip })
  await session.detach()
  await writeFile(join(repository, `docs/screenshots/${name}.webp`), Buffer.from(data, 'base64'))
}
