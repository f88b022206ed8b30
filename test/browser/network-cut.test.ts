import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/process.ts'
import { type CuttableNetwork, startCuttableNetwork } from './cuttable-network.ts'
import { walkThread } from './seen-messages.ts'
import { type Site, startSite, stopSite } from './site.ts'
import { messages, write } from './thread-page.ts'
import { startVisits, type Visits } from './visits.ts'

const cutMs = 30_000
let site: Site
let visits: Visits
let network: CuttableNetwork

beforeAll(async () => {
  const port = await freePort()
  site = await startSite({ BASE_URL: `http://localhost:${port}` })
  network = await startCuttableNetwork(port, Number(new URL(site.service.url).port))
  visits = startVisits(site)
})

afterAll(async () => {
  await stopSite(site)
  network?.end()
})

/** Posts to the group as a pipeline whose own network works. */
async function post(message: object): Promise<{ threadID: string }> {
  const { pathname } = new URL(site.starter.webhookURL)
  const answer = await fetch(`${site.service.url}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as { threadID: string }
}

/** Posts numbered messages to a thread until it is stopped. `stop` returns how many it has posted. */
function startTraffic(threadID: string) {
  let isStopped = false
  let count = 0
  const run = async () => {
    while (!isStopped) {
      await post({ target: threadID, text: `Report ${count + 1} of the pipeline` })
      count += 1
      await setTimeout(200)
    }
    return count
  }
  const ended = run()
  return () => {
    isStopped = true
    return ended
  }
}

/** Returns a function that reads the texts of a thread as the starter app, whose own network works. */
async function reader(threadID: string): Promise<() => Promise<string[]>> {
  const { workspaceID, clientID, clientSecret, redirectURI } = site.starter
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    subject: workspaceID,
    client_id: clientID,
    client_secret: clientSecret,
    redirect_uri: redirectURI,
  })
  const token = await fetch(`${site.service.url}/oauth/token`, { method: 'POST', body: form })
  const { access_token } = (await token.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const page = async (after: string | null): Promise<string[]> => {
    const query = `query ($id: ID!, $after: String) {
      thread(id: $id) { messages(first: 100, after: $after) { nodes { text } pageInfo { hasNextPage endCursor } } }
    }`
    const body = JSON.stringify({ query, variables: { id: threadID, after } })
    const answer = await fetch(`${site.service.url}/public/graphql`, { method: 'POST', headers, body })
    // biome-ignore lint/suspicious/noExplicitAny: The test knows what it selects.
    const { nodes, pageInfo } = ((await answer.json()) as any).data.thread.messages
    const texts = nodes.map(({ text }: { text: string }) => text)
    return pageInfo.hasNextPage ? [...texts, ...(await page(pageInfo.endCursor))] : texts
  }
  return () => page(null)
}

test('after a 30 s network cut under traffic, the thread has each message once and in order, without a reload', {
  timeout: 240_000,
}, async () => {
  const { threadID } = await post({
    target: site.starter.groupID,
    threadSubject: 'Pipeline',
    text: 'Start of the pipeline',
  })
  const read = await reader(threadID)
  const page = await visits.signedInAs('ada')
  await page.goto(`/${site.starter.workspaceID}/threads/${threadID}`)
  await messages(page, 'Start of the pipeline').waitFor()
  const stopTraffic = startTraffic(threadID)
  await messages(page, 'Report 5 of').waitFor()
  await page.evaluate('globalThis.isSamePage = true')
  visits.expectNoProblems()

  network.loseAnswers()
  await write(page, 'Sent, but the answer was lost')
  await expect.poll(read, { timeout: 30_000 }).toContain('Sent, but the answer was lost')
  const cutEnds = setTimeout(cutMs)
  network.cut()
  const notice = page.getByText('No connection.')
  await notice.waitFor()
  await write(page, 'Written during the cut')
  const unsent = page
    .getByRole('alert')
    .filter({ hasText: 'Not sent yet. The message is sent when the connection is restored.' })
  await expect.poll(() => unsent.count(), { timeout: 30_000 }).toBe(2)
  await cutEnds
  expect(await notice.count()).toBe(1)

  network.restore()
  await notice.waitFor({ state: 'hidden' })
  // The requests during the cut failed.
  visits.forgetProblems()
  // The page sends both messages again by itself.
  await expect.poll(read, { timeout: 30_000 }).toContain('Written during the cut')
  const reports = await stopTraffic()
  await write(page, 'After the cut')
  await messages(page, 'After the cut').waitFor()

  const texts = await read()
  const { seen, problems } = await walkThread(page, true, 1)
  expect(problems).toEqual([])
  expect(seen.map(({ position }) => position)).toEqual(texts.map((_, index) => texts.length - index))
  // The first lines may be the author and the time.
  const shown = seen.map(({ text }) => text.split('\n').at(-1)).reverse()
  expect(shown).toEqual(texts)
  const own = ['Sent, but the answer was lost', 'Written during the cut', 'After the cut']
  expect(texts.filter((text) => own.includes(text))).toEqual(own)
  expect(texts.filter((text) => text.startsWith('Report'))).toEqual(
    Array.from({ length: reports }, (_, index) => `Report ${index + 1} of the pipeline`),
  )
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  await visits.end()
})

test('a connection is replaced if it hangs, or if it ends because the browser is offline', async () => {
  const { threadID } = await post({ target: site.starter.groupID, threadSubject: 'Hanging', text: 'Before' })
  const page = await visits.signedInAs('ada')
  await page.goto(`/${site.starter.workspaceID}/threads/${threadID}`)
  await messages(page, 'Before').waitFor()
  await post({ target: threadID, text: 'The page is connected' })
  await messages(page, 'The page is connected').waitFor()
  const notice = page.getByText('No connection.')
  const setOffline = (isOffline: boolean) => page.context().setOffline(isOffline)
  const interruptions = [
    { text: 'It hung', begin: network.hang, end: network.restore },
    { text: 'It was offline', begin: () => setOffline(true), end: () => setOffline(false) },
  ]
  for (const { text, begin, end } of interruptions) {
    await begin()
    await post({ target: threadID, text })
    await notice.waitFor()
    expect(await messages(page, text).count()).toBe(0)
    await end()
    await messages(page, text).waitFor()
    await notice.waitFor({ state: 'hidden' })
  }
  visits.forgetProblems()
  await visits.end()
})

test('the button "Try now" ends the pause before the next attempt, and gives the focus to the page', async () => {
  const page = await visits.signedInAs('ada')
  let received = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', () => {
      received += 1
    })
  })
  await page.clock.install()
  await page.goto(`/${site.starter.workspaceID}/inbox`)
  await page.locator('[data-thread-row]').first().waitFor()
  await expect.poll(() => received).toBeGreaterThan(0)
  // While the clock is stopped, no pause ends by itself.
  await page.clock.pauseAt(Date.now() + 1000)
  network.cut()
  const notice = page.getByText('No connection.')
  await notice.waitFor()
  network.restore()
  await setTimeout(1000)
  expect(await notice.count()).toBe(1)
  await page.getByRole('button', { name: 'Try now' }).press('Enter')
  await notice.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
  visits.forgetProblems()
  await visits.end()
})
