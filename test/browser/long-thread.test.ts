import { afterEach, expect, test } from 'vitest'
import { send } from './ask.ts'
import { walkThread } from './seen-messages.ts'
import { siteOnServer } from './site-on-server.ts'
import { messages } from './thread-page.ts'
import { startVisits } from './visits.ts'

const count = 10_000
const { site, run } = siteOnServer()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Inserts messages 2 to `count` of a thread, at intervals of a second. The last one has the time of message 1. */
async function insertMessages(threadID: string): Promise<void> {
  await run(
    `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
     SELECT workspace_id, 'msg_' || lpad(p::text, 27, '0'), thread_id, p, author_id, 'Message ' || p,
       created_at + (p - $2::int) * interval '1 second'
     FROM messages, generate_series(2, $2::int) AS p WHERE thread_id = $1 AND position = 1`,
    [threadID, count],
  )
  await run('UPDATE threads SET last_position = $2 WHERE id = $1', [threadID, count])
}

test('a person scrolls up through 10,000 messages and down through 1,000, and sees each once and in order', {
  timeout: 1_200_000,
}, async () => {
  const page = await visits.signedInAs('ada', { viewport: { width: 1280, height: 800 } })
  const thread = { recipients: [site.starter.groupID], subject: 'Ten thousand' }
  const { threadID } = await send(page, site, { thread, message: { text: 'Message 1' } })
  await insertMessages(threadID)
  await page.goto(`/${site.starter.workspaceID}/threads/${threadID}/msg_${String(count).padStart(27, '0')}`)
  await messages(page, `Message ${count}`).waitFor()
  const expected = Array.from({ length: count }, (_, index) => index + 1)
  const numbers = (seen: { text: string }[]) =>
    seen.map(({ text }) => Number(/Message (\d+)/.exec(text)?.[1]))
  const up = await walkThread(page, true, 1)
  expect({ problems: up.problems, numbers: numbers(up.seen) }).toEqual({
    problems: [],
    numbers: expected.toReversed(),
  })
  const down = await walkThread(page, false, count / 10)
  expect({ problems: down.problems, numbers: numbers(down.seen).slice(0, count / 10) }).toEqual({
    problems: [],
    numbers: expected.slice(0, count / 10),
  })
})
