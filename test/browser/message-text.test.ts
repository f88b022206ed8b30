import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { send } from './ask.ts'
import { operate, siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Starts a thread of Ada with these messages, and opens it. */
async function openThread(subject: string, [first = '', ...others]: string[]): Promise<Page> {
  const page = await visits.signedInAs('ada')
  const thread = { recipients: [site.starter.groupID], subject }
  const { threadID } = await send(page, site, { thread, message: { text: first } })
  for (const text of others) await send(page, site, { threadID, message: { text } })
  await page.goto(`/${site.starter.workspaceID}/threads/${threadID}`)
  return page
}

/** Returns whether the text of a message looks the same while the message below it is hidden. */
async function isUncovered(page: Page, above: string, below: string): Promise<boolean> {
  const next = messages(page, below)
  await next.waitFor()
  const box = await messages(page, above).getByText(above).boundingBox()
  if (!box) throw new Error(`There is no ${above}`)
  // The outline of an element with the focus may reach the pixels below the letters.
  const clip = { ...box, height: box.height - 3 }
  const shown = await page.screenshot({ clip })
  await page.evaluate(
    `document.getElementById('${await next.getAttribute('id')}').style.visibility = 'hidden'`,
  )
  return shown.equals(await page.screenshot({ clip }))
}

/** Returns which parts of the text of a page are to the left of the part that follows them. */
function order(page: Page, parts: string[]): Promise<boolean[]> {
  return page.evaluate<boolean[]>(`((parts) => {
    const lefts = parts.map((part) => {
      const texts = document.createTreeWalker(document.querySelector('[aria-label=Messages]'), NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const start = texts.currentNode.data.indexOf(part)
        if (start < 0) continue
        const range = document.createRange()
        range.setStart(texts.currentNode, start)
        range.setEnd(texts.currentNode, start + part.length)
        return range.getBoundingClientRect().left
      }
    })
    return lefts.slice(1).map((left, index) => lefts[index] < left)
  })(${JSON.stringify(parts)})`)
}

const marks = '\u0300'.repeat(300)

test('marks that are stacked on a letter do not cover the message above', async () => {
  const page = await openThread('Marks', ['Above the marks', `Below a${marks}`])
  expect(await isUncovered(page, 'Above the marks', 'Below')).toBe(true)
})

test('marks in the name of an author do not cover the message above', async () => {
  const page = await openThread('Marks in a name', ['Above the name'])
  const { starter } = site
  const input = { workspaceID: starter.workspaceID, name: `w${'\u0300'.repeat(60)}` }
  const { url } = await operate(site, 'createWebhook', input, 'url')
  const target = new URL(page.url()).pathname.split('/').at(-1)
  const headers = { 'content-type': 'application/json' }
  await page.request.post(url, { headers, data: { target, text: 'Below the name' } })
  expect(await isUncovered(page, 'Above the name', 'Below the name')).toBe(true)
})

test('a list shows the lines of a message as words', async () => {
  const page = await openThread('Lines', ['The first line\nThe second line'])
  await page.goto(`/${site.starter.workspaceID}/inbox`)
  await page.getByText('The first line The second line').waitFor()
})

test('runs of spaces stay, and nested lists have no empty lines', async () => {
  const page = await openThread('Spaces', [
    'Size  Used\n8.0G    3G',
    '- one    two\n- three\n  - four\n- five',
  ])
  expect(await messages(page, 'Size').innerText()).toContain('Size  Used\n8.0G    3G')
  expect(await messages(page, 'three').innerText()).toContain('one    two')
  const [list = 0, item = 1] = await page.evaluate<number[]>(
    `['ul', 'li'].map((name) => document.querySelector('article ' + name).getBoundingClientRect().height)`,
  )
  expect(list / item).toBeLessThan(4.9)
})

test('each paragraph, item and quote has the direction of its own first letters', async () => {
  const page = await openThread('Directions', [
    'Deploy finished.\n\nاكتمل النشر!\nThird line',
    'English\n\n> اقتباس one\n\n- بند two\n- item',
  ])
  await messages(page, 'English').waitFor()
  expect(await order(page, ['Deploy', '.'])).toEqual([true])
  expect(await order(page, ['!', 'النشر', 'اكتمل'])).toEqual([true, true])
  expect(await order(page, ['Third', 'line'])).toEqual([true])
  expect(await order(page, ['one', 'اقتباس'])).toEqual([true])
  expect(await order(page, ['two', 'بند'])).toEqual([true])
  // The text of an item stays beside its marker.
  expect(await order(page, ['Deploy', 'item'])).toEqual([true])
  const quote = await page.evaluate(`(() => {
    const { borderLeftWidth, borderRightWidth } = getComputedStyle(document.querySelector('article blockquote'))
    return { borderLeftWidth, borderRightWidth }
  })()`)
  expect(quote).toEqual({ borderLeftWidth: '0px', borderRightWidth: '3px' })
})

test('code goes from left to right, and does not change the direction of the text around it', async () => {
  const page = await openThread('Code', ['`npm -x` هو الأمر\n\n```\nls -l (root)\n```\n\n- `cd /` بند'])
  await messages(page, 'npm').waitFor()
  expect(await order(page, ['هو', 'npm', '-x'])).toEqual([true, true])
  expect(await order(page, ['ls', '-l', '(', 'root', ')'])).toEqual([true, true, true, true])
  expect(await order(page, ['بند', 'cd', '/'])).toEqual([true, true])
  const pre = await page.evaluate(`(() => {
    const { direction, textAlign } = getComputedStyle(document.querySelector('article pre'))
    return { direction, textAlign }
  })()`)
  expect(pre).toEqual({ direction: 'ltr', textAlign: 'start' })
})

test('a field takes its direction from what a person writes in it', async () => {
  const page = await openThread('Fields', ['To be edited'])
  const directionOf = async (label: string) => {
    const field = page.getByLabel(label, { exact: true })
    await field.fill('مرحبا')
    const direction = await page.evaluate('getComputedStyle(document.activeElement).direction')
    await field.fill('')
    return direction
  }
  expect(await directionOf('Message')).toBe('rtl')
  await page.getByLabel('Message', { exact: true }).press('ArrowUp')
  expect(await directionOf('Edited message')).toBe('rtl')
  await page.goto(`/${site.starter.workspaceID}/new`)
  expect(await directionOf('Subject (optional)')).toBe('rtl')
  expect(await directionOf('Message')).toBe('rtl')
  await page.goto(`/${site.starter.workspaceID}/search`)
  expect(await directionOf('Search messages')).toBe('rtl')
  await page.goto(`/${site.starter.workspaceID}/groups`)
  expect(await directionOf('Filter groups')).toBe('rtl')
})
