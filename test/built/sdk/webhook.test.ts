import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type Upload, Webhook, type WebhookMessage, type WebhookPost } from '../../../src/sdk/index.ts'
import { startProxy } from '../../support/proxy.ts'
import { all, failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const mebibyte = 2 ** 20
const service = await startService({ MAX_FILE_BYTES: String(130 * mebibyte) })
const proxy = await startProxy(service)
const folder = await mkdtemp(join(tmpdir(), 'skein-sdk-'))
afterAll(() => rm(folder, { recursive: true }))

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64')

/** Creates a file of random bytes, and returns its path. */
async function makeFile(size: number): Promise<string> {
  const path = join(folder, `${size}.bin`)
  const file = await open(path, 'w')
  for (let left = size; left > 0; left -= mebibyte) await file.write(randomBytes(Math.min(left, mebibyte)))
  await file.close()
  return path
}

describe('a webhook', () => {
  test('posts messages, creates threads, and returns their IDs', async () => {
    const { world, skein, webhook } = await makeClients(service, proxy)
    const target = world.publicGroup.id
    const opened = await webhook.post({
      target,
      text: '**Begun**',
      threadSubject: 'Deploy',
      threadBy: 'deploy-1',
    })
    expectTypeOf(opened).toEqualTypeOf<WebhookPost>()
    const more = await webhook.post({ target, text: 'Done', threadBy: 'deploy-1' })
    expect([opened.created, more.created, more.threadID]).toEqual([true, true, opened.threadID])
    const messages = await all(skein.messages(opened.threadID))
    expect(messages.map(({ id, text }) => [id, text])).toEqual([
      [opened.messageID, '**Begun**'],
      [more.messageID, 'Done'],
    ])
  })

  test('does not report a problem with the threadBy that the client added itself', async () => {
    const { webhook } = await makeClients(service, proxy)
    const target = 'thr_000000000000000000000000000'
    const error = await failureOf(webhook.post({ target, text: 'x', threadSubject: 'x' }))
    expect(error.errors.map(({ field }) => field)).toEqual(['threadSubject'])
  })

  test('posts a message with a field that the service does not know', async () => {
    const { world, webhook } = await makeClients(service, proxy)
    const message: WebhookMessage & { colour: string } = {
      target: world.publicGroup.id,
      text: 'x',
      colour: 'red',
    }
    expect((await webhook.post(message)).created).toBe(true)
  })

  test('has a URL that can contain the target', async () => {
    const { world } = await makeClients(service, proxy)
    const webhook = new Webhook(`${proxy.url}${world.webhook.path}?target=${world.publicGroup.id}`)
    expect((await webhook.post({ text: 'x' })).created).toBe(true)
    const { id } = await webhook.upload({ name: 'a.txt', body: new Uint8Array([1]) })
    expect((await webhook.post({ text: 'x', attachments: [id] })).created).toBe(true)
  })

  test('fails with the code, the fields and the request ID of the service', async () => {
    const { webhook } = await makeClients(service, proxy)
    const error = await failureOf(webhook.post({ target: 'x', text: '' }))
    expect(error).toMatchObject({ code: 'INVALID_INPUT', status: 400, requestID: expect.any(String) })
    expect(error.errors.map(({ field }) => field).sort()).toEqual(['target', 'text'])
    const textless = { target: 'x' } as WebhookMessage
    expect((await failureOf(webhook.post(textless))).errors).toContainEqual({
      field: 'text',
      message: 'is required',
    })
    proxy.next('/webhook', { status: 404, body: '<html>Nothing here</html>' })
    expect(await failureOf(webhook.post({ text: 'x' }))).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      status: 404,
    })
  })

  test('does not expose its URL', async () => {
    const { world, webhook } = await makeClients(service, proxy)
    const secret = world.webhook.path.split('/').at(-1) ?? ''
    expect(secret.length).toBeGreaterThan(30)
    const none = { retries: 0 }
    const wrong = new Webhook(`${proxy.url}${world.webhook.path}x`, none)
    const unreachable = new Webhook(`http://127.0.0.1:1${world.webhook.path}`, none)
    // Some implementations, such as node-fetch, put the URL into the error.
    const fetch = async (url: unknown) => {
      throw new TypeError(`request to ${url} failed`, { cause: new Error(String(url)) })
    }
    const telling = new Webhook(`${proxy.url}${world.webhook.path}`, {
      ...none,
      fetch: fetch as typeof globalThis.fetch,
    })
    const file = { name: 'a', body: new Uint8Array(), contentMD5: 'x' }
    const errors = await Promise.all([
      failureOf(wrong.post({ text: 'x' })),
      failureOf(unreachable.post({ text: 'x' })),
      failureOf(telling.post({ text: 'x' })),
      failureOf(webhook.upload(file)),
    ])
    expect(errors.map(({ code }) => code)).toEqual(['NOT_FOUND', 'NO_ANSWER', 'NO_ANSWER', 'INVALID_DIGEST'])
    const bad = (() => {
      try {
        return new Webhook(`127.0.0.1${world.webhook.path}`)
      } catch (error) {
        return error
      }
    })()
    expect(bad).toBeInstanceOf(TypeError)
    for (const thing of [webhook, bad, ...errors]) {
      const printed = [inspect(thing, { depth: 9, showHidden: true }), JSON.stringify(thing), String(thing)]
      expect(printed.join()).not.toContain(secret)
    }
  })
})

describe('an upload', () => {
  const bytes = randomBytes(100_000)

  test('accepts bytes, a Blob or a stream, and any name', async () => {
    const { world, skein, webhook } = await makeClients(service, proxy)
    const path = await makeFile(3 * mebibyte)
    const files: Upload[] = [
      { name: 'bytes.bin', body: bytes },
      { name: 'Bericht – für 見る.txt', body: new Blob([bytes]) },
      { name: '100%.txt', body: new Uint8Array() },
      { name: 'stream.bin', body: () => createReadStream(path) },
      { name: 'web-stream.bin', body: () => new Blob([bytes]).stream() },
      { name: 'file.bin', body: await openAsBlob(path) },
    ]
    const uploaded = await Promise.all(files.map((file) => webhook.upload(file)))
    const attachments = uploaded.map(({ id }) => id)
    const { threadID } = await webhook.post({ target: world.publicGroup.id, text: 'Files', attachments })
    const [message] = await all(skein.messages(threadID))
    const whole = await openAsBlob(path).then(async (blob) => new Uint8Array(await blob.arrayBuffer()))
    expect(message?.attachments.nodes.map(({ name, size, contentMD5 }) => [name, size, contentMD5])).toEqual([
      ['bytes.bin', 100_000, md5(bytes)],
      ['Bericht – für 見る.txt', 100_000, md5(bytes)],
      ['100%.txt', 0, md5(new Uint8Array())],
      ['stream.bin', 3 * mebibyte, md5(whole)],
      ['web-stream.bin', 100_000, md5(bytes)],
      ['file.bin', 3 * mebibyte, md5(whole)],
    ])
  })

  test('reads a stream only once if its size and MD5 are given', async () => {
    const { webhook } = await makeClients(service, proxy)
    let readings = 0
    const body = () => {
      readings += 1
      return new Blob([bytes]).stream()
    }
    await webhook.upload({ name: 'a', body, size: bytes.length, contentMD5: md5(bytes) })
    expect(readings).toBe(1)
    await webhook.upload({ name: 'a', body })
    expect(readings).toBe(3)
  })

  test('is sent again from the start if the response is lost', async () => {
    const { webhook } = await makeClients(service, proxy)
    for (const body of [bytes, new Blob([bytes]), () => new Blob([bytes]).stream()]) {
      const before = proxy.seen('/webhook').length
      proxy.next('/webhook', 'lose', { status: 503 })
      const { id } = await webhook.upload({ name: 'again.bin', body })
      expect(id).toMatch(/^fil_/)
      expect(proxy.seen('/webhook').length).toBe(before + 3)
    }
  })

  test('that is refused fails with the reason, even if its body is not read', async () => {
    const { webhook } = await makeClients(service, proxy)
    const wrong = { name: 'a', body: bytes, contentMD5: md5(new Uint8Array()) }
    expect(await failureOf(webhook.upload(wrong))).toMatchObject({ code: 'BAD_DIGEST', status: 400 })
    const path = await makeFile(131 * mebibyte)
    const size = 131 * mebibyte
    for (const body of [await openAsBlob(path), () => createReadStream(path)]) {
      const error = await failureOf(webhook.upload({ name: 'a', body, size, contentMD5: md5(bytes) }))
      expect(error).toMatchObject({ code: 'TOO_LARGE', status: 413 })
    }
  })

  test('fails with the error of its stream', async () => {
    const { webhook } = await makeClients(service, proxy)
    const missing = webhook.upload({ name: 'a', body: () => createReadStream(join(folder, 'missing')) })
    await expect(missing).rejects.toThrow('ENOENT')
    const body = () => createReadStream(join(folder, 'missing'))
    const known = { name: 'a', body, size: bytes.length, contentMD5: md5(bytes) }
    expect((await failureOf(webhook.upload(known, { retries: 0 }))).message).toBe(
      `There was no answer from ${new URL(proxy.url).host}: ENOENT.`,
    )
  })

  test('fails with the reason of its signal when it is aborted', async () => {
    const { webhook } = await makeClients(service, proxy)
    proxy.next('/webhook', 'hang')
    const controller = new AbortController()
    const upload = webhook.upload({ name: 'a', body: bytes }, { signal: controller.signal })
    setTimeout(() => controller.abort('enough'), 200)
    expect(await upload.catch((reason: unknown) => reason)).toBe('enough')
  })

  test('can be aborted while its MD5 is computed', async () => {
    const { webhook } = await makeClients(service, proxy)
    const controller = new AbortController()
    async function* endless() {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 1))
        yield bytes
      }
    }
    const upload = webhook.upload({ name: 'a', body: endless }, { signal: controller.signal })
    setTimeout(() => controller.abort('enough'), 100)
    expect(await upload.catch((reason: unknown) => reason)).toBe('enough')
  })
})
