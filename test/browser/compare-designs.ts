// Puts each screenshot beside the design of its page, in one picture:
// npx tsx test/browser/compare-designs.ts <folder with the designs> <folder for the pictures>
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { repository } from '../support/process.ts'
import { browserOptions } from './browser-options.ts'

/** The screenshots by the name of their design. */
const screenshots: Record<string, string> = {
  '01-inbox': 'inbox',
  '02-alert': 'thread',
  '03-group': 'group',
  '05-caught-up': 'caught-up',
  '05-first-visit': 'first-visit',
  '05-new-group': 'new-group',
  '06-apps': 'settings-apps',
  '06-deliveries': 'settings-endpoint',
  '06-webhook-created': 'webhook-created',
  '07-consent': 'consent',
  '07-join': 'join',
  '07-sign-in': 'sign-in',
  '08-docs': 'docs',
  '09-composer': 'composer',
  '10-loading': 'loading',
  '10-offline': 'offline',
  '11-stress': 'long-names',
  '13-wide': 'wide',
  '14-zoom': 'zoom',
}

const [designs = '', pictures = ''] = process.argv.slice(2)
const made = await readdir(join(repository, 'docs/screenshots'))
await mkdir(pictures, { recursive: true })
const browser = await chromium.launch(browserOptions)
const page = await browser.newPage()
for (const [design, screenshot] of Object.entries(screenshots)) {
  for (const view of ['light', 'dark', 'phone']) {
    const file = `${screenshot}-${view}.webp`
    if (!made.includes(file)) continue
    const width = view === 'phone' ? 390 : 1280
    const images = [
      await dataURL(join(designs, `${design}-${view}.png`), 'png'),
      await dataURL(join(repository, 'docs/screenshots', file), 'webp'),
    ]
    await page.setViewportSize({ width: 2 * width + 16, height: 844 })
    await page.setContent(
      `<body style="margin: 0; display: flex; gap: 16px; background: red; align-items: start">
      ${images.map((url) => `<img width="${width}" src="${url}">`).join('')}</body>`,
    )
    await page.waitForFunction('[...document.images].every((image) => image.complete)')
    await page.screenshot({ path: join(pictures, `${design}-${view}.png`) })
  }
}
await browser.close()

async function dataURL(path: string, type: string): Promise<string> {
  return `data:image/${type};base64,${(await readFile(path)).toString('base64')}`
}
