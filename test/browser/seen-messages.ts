import type { Page } from 'playwright-core'

/** A message as the page shows it. */
export type SeenMessage = { position: number; text: string }

/**
 * Scrolls through the open thread as a person does, by less than a screen at a time. Collects each message when it
 * first appears on the screen, and reports what a person would notice: messages out of order, missing or duplicated.
 */
const walk = `async ({ isUp, lastPosition, patienceMs }) => {
  // The page replaces the list when it goes to the end of the thread.
  const list = () => document.querySelector('[aria-label=Messages] [data-virtuoso-scroller]')
  const seen = []
  const problems = []
  // Without the labels of the buttons.
  const textOf = (row) => {
    const labels = new Set([...row.querySelectorAll('button')].map((button) => button.innerText.trim()))
    return row.innerText.split('\\n').filter((line) => !labels.has(line.trim())).join('\\n')
  }
  const onScreen = () => {
    const scroller = list()
    if (!scroller) return []
    const { top, bottom } = scroller.getBoundingClientRect()
    const rows = [...scroller.querySelectorAll('article')].filter((row) => {
      const place = row.getBoundingClientRect()
      return place.bottom > top + 1 && place.top < bottom - 1
    })
    return rows.map((row) => ({ position: Number(row.dataset.position), text: textOf(row) }))
  }
  // After scrolling, the list needs some frames until it has rendered what is on the screen.
  const isFilled = () => {
    const scroller = list()
    if (!scroller) return false
    const { top, bottom } = scroller.getBoundingClientRect()
    const items = [...scroller.querySelectorAll('[data-item-index]')].map((item) => item.getBoundingClientRect())
    const isFirst = scroller.scrollTop < 1
    const isLast = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 1
    return items.length > 0 && (isFirst || items[0].top <= top + 1) && (isLast || items.at(-1).bottom >= bottom - 1)
  }
  const isNext = (position) => {
    const last = seen.at(-1)?.position
    return last === undefined || (isUp ? position < last : position > last)
  }
  const isEnd = () => {
    const last = seen.at(-1)?.position
    return last !== undefined && (isUp ? last <= lastPosition : last >= lastPosition)
  }
  let giveUpAt = performance.now() + patienceMs
  while (performance.now() < giveUpAt) {
    const rows = onScreen()
    if (rows.some(({ position }) => isNext(position))) giveUpAt = performance.now() + patienceMs
    for (const [index, { position }] of rows.entries()) {
      if (index > 0 && position !== rows[index - 1].position + 1) problems.push('after ' + rows[index - 1].position + ' comes ' + position)
    }
    seen.push(...(isUp ? rows.reverse() : rows).filter(({ position }) => isNext(position)))
    if (isEnd()) break
    list()?.scrollBy(0, (isUp ? -0.8 : 0.8) * list().clientHeight)
    const filledUntil = performance.now() + 1000
    do await new Promise(requestAnimationFrame)
    while (!isFilled() && performance.now() < filledUntil)
  }
  if (!isEnd()) {
    problems.push('ended at ' + seen.at(-1)?.position + ', list: ' + list()?.innerText.slice(0, 500))
  }
  return { seen, problems }
}`

export type Walk = { seen: SeenMessage[]; problems: string[] }

/**
 * Scrolls the open thread up or down, until the message at this position is on the screen. Gives up if no other message
 * appears for a minute.
 */
export function walkThread(page: Page, isUp: boolean, lastPosition: number): Promise<Walk> {
  return page.evaluate<Walk>(`(${walk})(${JSON.stringify({ isUp, lastPosition, patienceMs: 60_000 })})`)
}
