import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type RunningProcess, repository, startProcess } from '../support/process.ts'
import { browserOptions } from './browser-options.ts'

let site: Server
let allowed: RunningProcess
let refused: RunningProcess
let browser: Browser

/** The script of a page on another origin, which uses the client. */
const program = `
import { Skein, Webhook } from './src/sdk/index.ts'

globalThis.useSkein = async ({ webhookURL, groupID, ...starter }) => {
  const skein = new Skein(starter)
  const webhook = new Webhook(webhookURL)
  const me = await skein.me()
  const { thread } = await skein.sendMessage({ thread: { recipients: [groupID], subject: 'Page' }, message: { text: 'one' } })
  const body = new Blob(['from a page'])
  const files = [await skein.upload({ name: 'a.txt', body })]
  await skein.sendMessage({ threadID: thread.id, message: { text: 'two', attachments: [files[0].id] } })
  const { id } = await webhook.upload({ name: 'b.txt', body })
  await webhook.post({ target: thread.id, text: 'three', attachments: [id] })
  const texts = []
  for await (const message of skein.messages(thread.id)) texts.push(message.text)
  const events = skein.events({ after: await skein.latestEventCursor(), threadID: thread.id })
  const first = events.next()
  await webhook.post({ target: thread.id, text: 'four' })
  const heard = (await first).value.message.text
  await events.return()
  return { me: me.name, texts, heard }
}
`

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: repository },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  })
  const script = outputFiles[0]?.text ?? ''
  site = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>')
  }).listen(await freePort(), '127.0.0.1')
  await once(site, 'listening')
  allowed = await startProcess({ CORS_ORIGINS: originOf(site) })
  refused = await startProcess()
  browser = await chromium.launch(browserOptions)
})

afterAll(async () => {
  await browser?.close()
  site?.close()
  await allowed?.stop()
  await refused?.stop()
})

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs the script in a page. Returns its result and the number of its requests to the service. */
async function useFromPage({ dataDir }: RunningProcess): Promise<{ result: unknown; requests: number }> {
  const starter = JSON.parse(await readFile(join(dataDir, 'starter.json'), 'utf8'))
  const page = await browser.newPage()
  let requests = 0
  page.on('request', (request) => {
    if (request.url().startsWith(starter.baseURL)) requests += 1
  })
  try {
    await page.goto(originOf(site))
    await page.waitForFunction('globalThis.useSkein')
    const use = `useSkein(${JSON.stringify(starter)}).catch(({ code, message }) => ({ code, message }))`
    return { result: await page.evaluate(use), requests }
  } finally {
    await page.close()
  }
}

test('the client works in a page whose origin is allowed', async () => {
  expect((await useFromPage(allowed)).result).toEqual({
    me: 'Starter app',
    texts: ['one', 'two', 'three'],
    heard: 'four',
  })
})

test('a page whose origin is not allowed gets an error with the reason, without a retry', async () => {
  const host = `localhost:${new URL(refused.url).port}`
  const reason = `the connection failed, or the service does not allow the origin ${originOf(site)} (CORS_ORIGINS)`
  expect(await useFromPage(refused)).toEqual({
    result: { code: 'NO_ANSWER', message: `There was no answer from ${host}: ${reason}.` },
    requests: 1,
  })
})
