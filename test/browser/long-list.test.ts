import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { siteOnServer } from './site-on-server.ts'
import { startVisits } from './visits.ts'

/** The group has this many threads. The test scrolls through some of them. */
const [count, last] = [10_000, 2000]
const { site, run } = siteOnServer()
const visits = startVisits(site)
afterEach(() => visits.end())

beforeAll(async () => {
  const { workspaceID, groupID, userIDs } = site.starter
  const threadID = "'thr_' || lpad(n::text, 27, '0')"
  const [time, numbers] = [`now() - n * interval '1 minute'`, `generate_series(1, ${count}) n`]
  await run(
    `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, created_at, last_activity_at, last_position)
     SELECT $1, ${threadID}, 'thread', 'Thread ' || n, $2, ${time}, ${time}, 1 FROM ${numbers}`,
    [workspaceID, userIDs[1]],
  )
  await run(
    `INSERT INTO recipients (workspace_id, thread_id, group_id) SELECT $1, ${threadID}, $2 FROM ${numbers}`,
    [workspaceID, groupID],
  )
  await run(
    `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
     SELECT $1, 'msg_' || lpad(n::text, 27, '0'), ${threadID}, 1, $2, 'Message ' || n, ${time} FROM ${numbers}`,
    [workspaceID, userIDs[1]],
  )
  await run('ANALYZE')
})

/**
 * Scrolls to the end of what is loaded, again and again, until this thread or a later one is there. Returns the rows that moved under the
 * pointer while it did not scroll, how often rows arrived meanwhile, and the largest number of rows in the document.
 */
const walk = `async (lastNumber) => {
  const list = document.querySelector('[data-virtuoso-scroller]')
  const rows = () => [...list.querySelectorAll('[data-thread-row]')]
  const { top, left, height, width } = list.getBoundingClientRect()
  const look = () => {
    const row = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-thread-row]')
    const place = row && Math.round(row.getBoundingClientRect().top)
    return { row: row && row.innerText.split('\\n')[0] + ' at ' + place, height: list.scrollHeight }
  }
  const result = { moved: [], arrivals: 0, mostRows: 0, lastNumber: 0 }
  const giveUpAt = performance.now() + 60_000
  let [frames, last] = [0, look()]
  while (performance.now() < giveUpAt && result.lastNumber < lastNumber) {
    await new Promise(requestAnimationFrame)
    const now = look()
    // After it was scrolled, the list needs some frames until it has its rows.
    if (frames > 3) {
      if (now.row !== last.row) result.moved.push([last.row, now.row])
      if (now.height > last.height) result.arrivals += 1
    }
    result.mostRows = Math.max(result.mostRows, rows().length)
    result.lastNumber = Number(/^Thread (\\d+)/.exec(rows().at(-1)?.innerText)?.[1] ?? 0)
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 1
    if (!isAtEnd) list.scrollTop = list.scrollHeight
    frames = isAtEnd ? frames + 1 : 0
    last = now
  }
  return result
}`

const lists = [
  ['a group', () => `groups/${site.starter.groupID}`],
  ['the inbox', () => 'inbox'],
] as const

test.each(
  lists,
)('the list of %s scrolls through thousands of threads, and no row moves when others load', async (_name, path) => {
  const page = await visits.signedInAs('ada')
  await page.goto(`${site.home}/${path()}`)
  await page.locator('[data-thread-row]').filter({ hasText: 'Thread 1' }).first().waitFor()
  // The list waits at its end for each page, so that rows arrive while it does not scroll.
  await page.route('**/public/graphql', async (route) => {
    await setTimeout(200)
    await route.continue()
  })
  const result = await page.evaluate<Record<string, number>>(`(${walk})(${last})`)
  expect(result.moved).toEqual([])
  expect(result.lastNumber).toBeGreaterThanOrEqual(last)
  expect(result.mostRows).toBeLessThan(60)
  expect(result.arrivals).toBeGreaterThan(0)
})
