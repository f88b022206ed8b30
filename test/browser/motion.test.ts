import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { change, send } from './ask.ts'
import { siteOfFile } from './site.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

const row = (page: Page, subject: string) => page.locator('[data-thread-row]').filter({ hasText: subject })
const [moving, still] = [{ reducedMotion: 'no-preference' }, { reducedMotion: 'reduce' }] as const
const [desktop, phone] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

/**
 * Collects what moves or fades, and how long. Stops each row that arrives in the middle of its animation, and collects
 * its height there and in the end.
 */
const collect = `
  window.moves = {}
  window.heights = []
  const seen = new WeakSet()
  const kinds = { row: ':scope:has(> * > [data-thread-row])', column: 'aside[data-drop-pane]', dialog: '[role=dialog]', dot: '[class*=_dot]' }
  const kindOf = (element) => Object.keys(kinds).find((kind) => element.matches(kinds[kind]))
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { duration, iterations } = animation.effect.getComputedTiming()
      const { target } = animation.effect
      const kind = kindOf(target)
      if (duration === 0 || seen.has(animation)) continue
      seen.add(animation)
      window.moves[iterations === Infinity ? 'bones' : (kind ?? 'color of ' + target.localName)] = duration
      if (kind !== 'row') continue
      const height = () => target.getBoundingClientRect().height
      animation.pause()
      animation.currentTime = duration / 2
      const middle = height()
      animation.play()
      animation.finished.then(() => window.heights.push([middle, height()]))
    }
  }
  for (const type of ['transitionrun', 'animationstart']) document.addEventListener(type, look, true)
`
const moves = (page: Page) => page.evaluate<Record<string, number>>('window.moves')
const forget = (page: Page) => page.evaluate('window.moves = {}')
const kindsOf = async (page: Page) =>
  Object.keys(await moves(page)).filter((kind) => kind !== 'bones' && !kind.startsWith('color'))

/** The inbox of Ada with read threads in a group of its own, and Grace, who writes there. */
async function quietInbox(name: string, options: BrowserContextOptions, count = 3) {
  const grace = await visits.signedInAs('grace')
  const ada = await visits.signedInAs('ada', { viewport: desktop, ...options })
  const { group } = await change(grace, site, 'createGroup', { name }, 'group { id }')
  await change(ada, site, 'joinGroup', { groupID: group.id })
  const start = (subject: string) =>
    send(grace, site, {
      thread: { recipients: [group.id], subject },
      message: { text: `About ${subject}` },
    })
  for (let n = 1; n <= count; n += 1) await start(`${name} ${n}`)
  await change(ada, site, 'markAllRead', {})
  await ada.addInitScript(collect)
  // A slow machine could end a move before the page hears of its start. The durations stay the same.
  const devTools = await ada.context().newCDPSession(ada)
  await devTools.send('Animation.enable')
  await devTools.send('Animation.setPlaybackRate', { playbackRate: 0.1 })
  await ada.goto(`${site.home}/inbox`)
  await row(ada, `${name} ${count}`).waitFor()
  return { ada, grace, group, start }
}

/** A row arrives, Ada reads its thread, and opens its details and a dialog. */
async function readWhatArrives(name: string, options: BrowserContextOptions): Promise<Page> {
  const { ada, start } = await quietInbox(name, options)
  await start(`${name}, new`)
  const dot = row(ada, `${name}, new`).locator('[class*=_dot]')
  await dot.waitFor()
  await row(ada, `${name}, new`).click()
  await messages(ada, `About ${name}, new`).waitFor()
  await dot.waitFor({ state: 'hidden' })
  await ada.getByRole('button', { name: 'Thread details', exact: true }).click()
  await ada.getByRole('complementary', { name: 'Thread details' }).getByLabel('Subject').waitFor()
  await ada.getByRole('complementary', { name: 'Thread details' }).press('Escape')
  await ada.locator('main').press('?')
  await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  return ada
}

test('a row that arrives, the dot that goes, the third column and a dialog move for 120 to 160 ms', async () => {
  const ada = await readWhatArrives('Movers', moving)
  const { bones, ...others } = await moves(ada)
  expect(others).toMatchObject({ row: 160, dot: 120, column: 160, dialog: 160 })
  const durations = Object.values(others)
  expect(durations.filter((duration) => duration < 120 || duration > 160)).toEqual([])
})

test('nothing moves or fades for a person who prefers reduced motion', async () => {
  const ada = await readWhatArrives('Statues', still)
  expect(await moves(ada)).toEqual({})
  const slow = `[...document.querySelectorAll('*')].filter((element) =>
    [null, '::before', '::after'].some((part) => /[1-9]/.test(getComputedStyle(element, part).transitionDuration)))`
  expect(await ada.evaluate(`${slow}.map(({ outerHTML }) => outerHTML.slice(0, 200))`)).toEqual([])
})

test.each([
  ['a desktop', desktop, 44],
  ['a phone', phone, 60],
])('on %s, a row grows to its height when it arrives in the inbox or a group, and only then', async (name, viewport, height) => {
  const title = `Growing on ${name}`
  const { ada, group, start } = await quietInbox(title, { ...moving, viewport }, 60)
  expect(await kindsOf(ada)).toEqual([])
  const grown = async () => {
    await expect.poll(() => ada.evaluate('window.heights.length')).toBe(1)
    const [[middle, end]] = await ada.evaluate<[[number, number]]>('window.heights.splice(0)')
    expect(end).toBe(height)
    expect(middle).toBeGreaterThan(1)
    expect(middle).toBeLessThan(height)
    await forget(ada)
  }
  await start(`${title}, inbox`)
  await grown()

  await ada.getByRole('button', { name: /^For you/ }).click()
  await ada.getByRole('button', { name: 'All', exact: true }).click()
  await row(ada, `${title}, inbox`).hover()
  // A wheel that turns at the end of a list no longer scrolls it, also after the list has grown.
  const scrolledBy = (height: number) =>
    ada.evaluate<number>(`(() => {
      const list = document.querySelector('[data-virtuoso-scroller]')
      list.scrollBy(0, ${height})
      return list.scrollTop
    })()`)
  await expect.poll(() => scrolledBy(500)).toBeGreaterThan(2000)
  await expect.poll(() => scrolledBy(-500)).toBe(0)
  await row(ada, `${title}, inbox`).waitFor()
  expect(await kindsOf(ada)).toEqual([])

  await ada.goto(`${site.home}/groups/${group.id}`)
  await row(ada, `${title} 60`).waitFor()
  await start(`${title}, group`)
  await grown()
})
