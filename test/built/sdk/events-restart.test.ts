import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { Skein, Webhook } from '../../../src/sdk/index.ts'
import { freePort, newDataDir, type RunningProcess, startProcess } from '../../support/process.ts'
import { openProxy } from '../../support/proxy.ts'

const graphql = '/public/graphql'
let env: Record<string, string>
let service: RunningProcess

beforeAll(async () => {
  env = { PORT: String(await freePort()), DATA_DIR: await newDataDir() }
  service = await startProcess(env)
})
afterAll(() => service.stop())

async function starter() {
  return JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
}

test('a reader gets each message once and in order while the service is stopped, killed and started', {
  timeout: 120_000,
}, async () => {
  const { webhookURL, groupID: target, ...credentials } = await starter()
  const skein = new Skein(credentials)
  const webhook = new Webhook(webhookURL, { retries: 100 })
  const { threadID } = await webhook.post({ target, threadSubject: 'S', text: '0' })
  const messages = skein.events({
    after: await skein.latestEventCursor(),
    types: ['messageCreated'],
    threadID,
  })
  const count = 90
  const writing = (async () => {
    for (let number = 1; number <= count; number += 1)
      await webhook.post({ target: threadID, text: String(number) })
  })()
  const texts: (string | undefined)[] = []
  for await (const { message } of messages) {
    texts.push(message?.text)
    if (texts.length === 20) await service.stop()
    if (texts.length === 50) service.child.kill('SIGKILL')
    if (texts.length === 20 || texts.length === 50) service = await startProcess(env)
    if (texts.length === count) break
  }
  await writing
  expect(texts).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)))
})

// The tests below change the clock of the client, but not of the service.

async function behindProxy() {
  const proxy = await openProxy(service.url)
  onTestFinished(proxy.close)
  const { webhookURL, groupID, ...credentials } = await starter()
  const skein = new Skein({ ...credentials, baseURL: proxy.url })
  const post = (text: string) => new Webhook(webhookURL).post({ target: groupID, text })
  const events = skein.events({ after: await skein.latestEventCursor(), types: ['messageCreated'] })
  const next = async () => (await events.next()).value?.message?.text
  return { proxy, post, next, requests: () => proxy.seen(graphql).length }
}

test.each([
  'hang',
  'stall',
] as const)('a connection that is silent for 40 seconds is replaced: %s', async (twist) => {
  const { proxy, post, next, requests } = await behindProxy()
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  proxy.next(graphql, twist)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const first = next()
  await expect.poll(requests).toBe(2)
  await turn()
  await vi.advanceTimersByTimeAsync(39_000)
  await turn()
  expect(requests()).toBe(2)
  while (requests() === 2) {
    await vi.advanceTimersByTimeAsync(500)
    await turn()
  }
  vi.useRealTimers()
  await post('heard')
  expect(await first).toBe('heard')
})

test('a connection is replaced after an hour', async () => {
  const { post, next, requests } = await behindProxy()
  await post('one')
  expect(await next()).toBe('one')
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000)
  onTestFinished(() => void vi.restoreAllMocks())
  await post('two')
  expect(await next()).toBe('two')
  const third = next()
  await expect.poll(requests).toBe(3)
  await post('three')
  expect(await third).toBe('three')
})
