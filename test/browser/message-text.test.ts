import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { mutation } from '../support/mutations.ts'
import { change, send } from './ask.ts'
import { problemsInBothModes } from './page-problems.ts'
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
  expect(quote).toEqual({ borderLeftWidth: '0px', borderRightWidth: '2px' })
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

describe('the card of a user', () => {
  const card = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
  const button = (page: Page, message: string, name: string) =>
    messages(page, message).getByRole('button', { name, exact: true })
  const sendButton = (page: Page) => page.getByRole('link', { name: 'Send a message' })

  test('opens at the name and the picture of an author, loads the address only then, and leads to a message to them', async () => {
    const grace = await visits.signedInAs('grace')
    const thread = { recipients: [site.starter.groupID], subject: 'Who is Grace?' }
    const { threadID } = await send(grace, site, { thread, message: { text: 'I am Grace' } })
    const page = await visits.signedInAs('ada')
    const answers: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/public/graphql')) answers.push(response.text().catch(() => ''))
    })
    await page.goto(`${site.home}/threads/${threadID}`)
    await messages(page, 'I am Grace').waitFor()
    await page.waitForLoadState('networkidle')
    expect(answers.length).toBeGreaterThan(0)
    expect((await Promise.all(answers)).join().includes('grace@example.com')).toBe(false)
    await button(page, 'I am Grace', 'Grace').press('Enter')
    await card(page, 'Grace').getByText('grace@example.com').waitFor()
    expect(await problemsInBothModes(page, 'card')).toEqual([])
    await page.keyboard.press('Tab')
    await sendButton(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await card(page, 'Grace').waitFor({ state: 'detached' })
    await button(page, 'I am Grace', 'Grace').and(page.locator(':focus')).waitFor()
    await button(page, 'I am Grace', 'Picture of Grace').click()
    await card(page, 'Grace').getByText('grace@example.com').waitFor()
    await page.getByRole('heading', { level: 1 }).first().click()
    await card(page, 'Grace').waitFor({ state: 'detached' })
    await button(page, 'I am Grace', 'Picture of Grace').click()
    await sendButton(page).click()
    await page.waitForURL(`**${site.home}/new?to=${site.starter.userIDs[1]}`)
    await page.getByText('Grace').first().waitFor()
  })

  test('opens at a mention, on a phone too, and a mention of a group opens the page of the group', async () => {
    const { workspaceID, groupID, userIDs } = site.starter
    const name = 'נועה בן־דוד'
    const input = { workspaceID, name, email: 'noa@example.com' }
    const { user } = await operate(site, 'inviteUser', input, 'user { id }')
    const text = `Ask [x](skein:${user.id}) or [x](skein:${groupID}), not [x](skein:${userIDs[0]})`
    const open = await openThread('Mentions', [text])
    const page = await visits.signedInAs('ada', { viewport: { width: 390, height: 844 } })
    await page.goto(open.url())
    await button(page, 'Ask', `@${name}`).click()
    await card(page, name).getByText('noa@example.com').waitFor()
    await sendButton(page).waitFor()
    expect(await problemsInBothModes(page, 'card on a phone')).toEqual([])
    await page.keyboard.press('Escape')
    await button(page, 'Ask', `@${name}`).and(page.locator(':focus')).waitFor()
    await button(page, 'Ask', '@Ada').click()
    await card(page, 'Ada').getByText('ada@example.com').waitFor()
    expect(await sendButton(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('p:has(> .mention)'))`)
    expect(await page.evaluate('getSelection().toString()')).toBe(`Ask @${name} or @Builds, not @Ada`)
    await messages(page, 'Ask').getByRole('link', { name: '@Builds' }).click()
    await page.waitForURL(`**${site.home}/groups/${groupID}`)
  })

  test('says of a message of a program what wrote it, and offers no message to a webhook', async () => {
    const page = await openThread('Programs', ['By Ada'])
    const target = new URL(page.url()).pathname.split('/').at(-1)
    const input = { workspaceID: site.starter.workspaceID, name: 'Deploys' }
    const { url } = await operate(site, 'createWebhook', input, 'url')
    await page.request.post(url, { data: { target, text: 'By a webhook' } })
    const token = {
      name: 'Nightly script',
      scopes: ['threads.messages:write', 'threads:read'],
      expiresInDays: 1,
    }
    const { accessToken } = await change(page, site, 'createPersonalAccessToken', token, 'accessToken')
    await page.request.post('/public/graphql', {
      headers: { authorization: `Bearer ${accessToken}` },
      data: {
        query: mutation('sendMessage', '__typename'),
        variables: { input: { threadID: target, message: { text: 'By a script' } } },
      },
    })
    await button(page, 'By a script', 'Ada').click()
    await card(page, 'Ada').getByText('Wrote this message via Nightly script').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'By a webhook', 'Deploys').click()
    await card(page, 'Deploys').getByText('Webhook').waitFor()
    expect(await sendButton(page).count()).toBe(0)
  })
})
