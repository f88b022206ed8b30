import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, send } from './ask.ts'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let page: Page
let threadID: string

beforeAll(async () => {
  page = await visits.signedInAs('ada')
})
afterEach(() => visits.expectNoProblems())
afterAll(() => visits.end())

const field = () => page.getByLabel('Message', { exact: true })
const value = () => field().inputValue()
const colored = () => page.locator('[data-mention]').allInnerTexts()
const grace = () => `[Grace](skein:${site.starter.userIDs[1]})`

/** Returns what this browser stores of the message that is being written. */
const draft = () =>
  page.evaluate<string>(`Object.entries(localStorage)
  .filter(([key]) => key.startsWith('skein:draft:') && !key.endsWith(':edited')).map(([, text]) => text).join('|')`)

const selection = () =>
  page.evaluate<number[]>(
    `(({ selectionStart, selectionEnd }) => [selectionStart, selectionEnd])(document.activeElement)`,
  )

/** Opens a new thread of the group, with an empty field. */
async function openThread(texts: readonly string[] = ['Write here']): Promise<void> {
  const [text = '', ...others] = texts
  const thread = { recipients: [site.starter.groupID], subject: 'Mentions' }
  ;({ threadID } = await send(page, site, { thread, message: { text } }))
  for (const other of others) await send(page, site, { threadID, message: { text: other } })
  await page.evaluate('localStorage.clear()')
  await page.goto(`${site.home}/threads/${threadID}`)
  await page.getByRole('article').first().waitFor()
  await field().focus()
}

/** Types a mention of Grace, and chooses her from the list. */
async function mentionGrace(): Promise<void> {
  await page.keyboard.type('@gra')
  await page.getByRole('option', { name: 'Grace' }).waitFor()
  await page.keyboard.press('Enter')
}

/** Returns the text of the last message of the thread. */
async function sent(): Promise<string> {
  const query = 'query ($id: ID!) { thread(id: $id) { messages(last: 1) { nodes { text } } } }'
  return (await ask(page, site, query, { id: threadID })).thread.messages.nodes[0].text
}

describe('a mention in the message field', () => {
  test('is shown as a name in color, and stored and sent as Markdown', async () => {
    await openThread()
    await page.keyboard.type('Hi ')
    await mentionGrace()
    expect(await value()).toBe('Hi @Grace ')
    expect(await colored()).toEqual(['@Grace'])
    expect(await draft()).toBe(`Hi ${grace()} `)
    expect(await problemsOf(page, 'a mention')).toEqual([])
    await page.reload()
    await expect.poll(colored).toEqual(['@Grace'])
    expect(await value()).toBe('Hi @Grace ')
    await field().press('Control+End')
    await page.keyboard.type('there')
    await page.keyboard.press('Enter')
    await messages(page, 'Hi @Grace there').waitFor()
    expect(await sent()).toBe(`Hi ${grace()} there`)
  })

  test('is followed by one space, also if the person types another', async () => {
    await openThread()
    await mentionGrace()
    await page.keyboard.type(' and you  both')
    expect(await value()).toBe('@Grace and you  both')
  })

  test('is removed as one by Backspace after it and by Delete before it, and undo brings it back', async () => {
    await openThread()
    await page.keyboard.type('Hi ')
    await mentionGrace()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    expect(await value()).toBe('Hi ')
    await page.keyboard.press('Control+z')
    await expect.poll(value).toBe('Hi @Grace')
    expect(await draft()).toBe(`Hi ${grace()}`)
    await page.keyboard.press('Home')
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Delete')
    expect(await value()).toBe('Hi ')
    await page.keyboard.press('Control+z')
    await expect.poll(draft).toBe(`Hi ${grace()}`)
  })

  test('can be undone and repeated step by step', async () => {
    await openThread()
    await mentionGrace()
    await page.keyboard.type('now')
    const seen = new Set<string>()
    for (let count = 0; count < 10 && (await value()) !== ''; count += 1) {
      await page.keyboard.press('Control+z')
      seen.add(await draft())
    }
    expect(await value()).toBe('')
    expect([...seen]).toContain('@gra')
    for (let count = 0; count < 10; count += 1) await page.keyboard.press('Control+y')
    expect(await draft()).toBe(`${grace()} now`)
    expect(await colored()).toEqual(['@Grace'])
  })

  test('is skipped by the caret, and selected as a whole', async () => {
    await openThread()
    await mentionGrace()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(selection).toEqual([0, 0])
    await page.keyboard.press('ArrowRight')
    await expect.poll(selection).toEqual([6, 6])
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(selection).toEqual([0, 6])
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(selection).toEqual([6, 6])
    const box = await page.locator('[data-mention]').boundingBox()
    if (!box) throw new Error('The mention is not shown')
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2)
    await expect.poll(selection).toEqual([0, 0])
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2)
    await expect.poll(selection).toEqual([0, 6])
  })

  test('stays a mention when it is cut and pasted', async () => {
    await openThread()
    await page.keyboard.type('Ask ')
    await mentionGrace()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+x')
    expect(await value()).toBe('')
    await page.keyboard.press('Control+v')
    await page.keyboard.press('Control+v')
    expect(await value()).toBe('Ask @Grace Ask @Grace ')
    expect(await draft()).toBe(`Ask ${grace()} Ask ${grace()} `)
    await page.keyboard.press('Control+z')
    await expect.poll(draft).toBe(`Ask ${grace()} `)
  })

  test('can come from the text of a message that is pasted', async () => {
    await openThread()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(`For ${grace()} and \`${grace()}\``)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })()`)
    expect(await value()).toBe(`For @Grace and \`${grace()}\``)
    expect(await colored()).toEqual(['@Grace'])
  })

  test('becomes text in code', async () => {
    await openThread()
    await page.keyboard.type('Run `mail ')
    await mentionGrace()
    expect(await colored()).toEqual(['@Grace'])
    await page.keyboard.type('`')
    await expect.poll(colored).toEqual([])
    await page.keyboard.press('Enter')
    await messages(page, 'Run mail @Grace').waitFor()
    expect(await sent()).toBe('Run `mail @Grace `')
  })

  test('stays when text is composed beside it, as for Japanese', async () => {
    await openThread()
    await mentionGrace()
    const session = await page.context().newCDPSession(page)
    for (const text of ['k', 'か', '加']) {
      const end = text.length
      await session.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end })
    }
    await session.send('Input.insertText', { text: '加' })
    expect(await value()).toBe('@Grace 加')
    expect(await draft()).toBe(`${grace()} 加`)
  })

  test('has its color exactly behind its letters, also in lines of another direction and in a field that scrolls', async () => {
    await openThread()
    const lines = Array.from(
      { length: 14 },
      (_, index) => `line ${index} of a long text that fills the field`,
    )
    await field().fill(lines.join('\n'))
    await page.keyboard.type('\u05e9\u05dc\u05d5\u05dd ')
    await mentionGrace()
    const sizes = await page.evaluate<number[][]>(`(() => {
      const field = document.activeElement
      const overlay = field.closest('form').querySelector('[data-overlay]')
      return [field, overlay].map((one) => [one.scrollHeight, one.scrollTop, one.clientWidth])
    })()`)
    expect(sizes[0]).toEqual(sizes[1])
    expect(sizes[0]?.[1]).toBeGreaterThan(0)
  })
})

test('an edited message shows its mentions with their present names, and keeps them', async () => {
  await openThread([`Thanks, ${grace().replace('Grace', 'An old name')}!`])
  await field().press('ArrowUp')
  const edited = page.getByLabel('Edited message')
  expect(await edited.inputValue()).toBe('Thanks, @Grace!')
  expect(await colored()).toEqual(['@Grace'])
  await edited.press('End')
  await page.keyboard.type(' Bye.')
  await page.keyboard.press('Enter')
  await messages(page, 'Thanks, @Grace! Bye.').waitFor()
  expect(await sent()).toBe(`Thanks, ${grace()}! Bye.`)
})

test('@ first offers the recipients of the thread and the members of its groups, with what tells them apart', async () => {
  const { workspaceID } = site.starter
  const create = async (name: string) =>
    (
      await operate(
        site,
        'createUser',
        { workspaceID, name, email: `${name.at(-1)}@example.com` },
        'user { id }',
      )
    ).user.id
  await create('Mona A')
  const member = await create('Big Mona B')
  const { group } = await operate(
    site,
    'createGroup',
    { workspaceID, name: 'Monads', isPrivate: true },
    'group { id }',
  )
  await operate(
    site,
    'addMembers',
    { groupID: group.id, userIDs: [member, site.starter.userIDs[0]] },
    'group { id }',
  )
  const thread = { recipients: [group.id], subject: 'Near' }
  const near = await send(page, site, { thread, message: { text: 'Who is here?' } })
  await page.goto(`${site.home}/threads/${near.threadID}`)
  await field().focus()
  await page.keyboard.type('@mona')
  await expect
    .poll(() =>
      page
        .getByRole('option')
        .allInnerTexts()
        .then((texts) => texts.map((text) => text.replace(/\s+/g, ' '))),
    )
    .toEqual(['Monads Private group · 2 members', 'Big Mona B B@example.com', 'Mona A A@example.com'])
  expect(await problemsOf(page, 'options')).toEqual([])
  await field().fill('')
})

describe('an emoji', () => {
  test('is offered by its name, the exact name first, and chosen with Enter', async () => {
    await openThread()
    await page.keyboard.type('Done :tada')
    const options = page.getByRole('listbox', { name: 'Emoji' }).getByRole('option')
    await expect.poll(() => options.first().innerText()).toMatch(/🎉\s*:tada:/)
    expect(await problemsOf(page, 'emoji names')).toEqual([])
    await page.keyboard.press('Enter')
    expect(await value()).toBe('Done 🎉')
    await page.keyboard.press('Control+z')
    await expect.poll(value).toBe('Done :tada')
    await options.first().waitFor()
    await page.keyboard.press('Escape')
    await options.first().waitFor({ state: 'detached' })
  })

  test('replaces its whole name at the last colon, but not in code, and Backspace brings the name back', async () => {
    await openThread()
    await page.keyboard.type('Go :rocket:')
    await expect.poll(value).toBe('Go 🚀')
    await page.keyboard.press('Backspace')
    await expect.poll(value).toBe('Go :rocket:')
    await page.keyboard.type(' `:rocket:` ')
    expect(await page.getByRole('listbox').count()).toBe(0)
    await page.keyboard.press('Enter')
    await messages(page, 'Go :rocket: :rocket:').waitFor()
    await field().fill('Pasted :eyes:')
    await page.keyboard.press('Enter')
    await messages(page, 'Pasted 👀').waitFor()
  })
})

test('the picker takes the emoji with exactly the name', async () => {
  await openThread()
  await page.getByRole('button', { name: 'Emoji' }).click()
  const search = page.getByPlaceholder('Search emoji')
  await search.fill('rocket')
  await page.getByRole('option', { name: 'rocket', exact: true }).waitFor()
  expect(await problemsOf(page, 'found emoji')).toEqual([])
  await search.press('Enter')
  await expect.poll(value).toBe('🚀')
  await page.keyboard.type('!')
  await expect.poll(value).toBe('🚀!')
})

test('a reaction takes one click, another click removes it, and the most used are offered', async () => {
  await openThread(['React to me'])
  const message = messages(page, 'React to me')
  await message.hover()
  const quick = (emoji: string) => message.getByRole('button', { name: `React with ${emoji} to` })
  await quick('✅').click()
  const reaction = message.getByRole('button', { name: /^✅ 1, by/ })
  await reaction.waitFor()
  expect(await quick('✅').getAttribute('aria-pressed')).toBe('true')
  await quick('✅').click()
  await reaction.waitFor({ state: 'detached' })
  await page.evaluate(`localStorage.setItem('skein-reaction-counts', '🎉 5')`)
  await page.reload()
  await message.hover()
  await quick('🎉').waitFor()
  expect(await quick('👀').count()).toBe(0)
  await message.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'React with 🎉' }).click()
  await message.getByRole('button', { name: /^🎉 1, by/ }).waitFor()
})
