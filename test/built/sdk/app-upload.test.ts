import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Upload } from '../../../src/sdk/index.ts'
import { freePort } from '../../support/process.ts'
import { startProxy, type Twist } from '../../support/proxy.ts'
import { all, failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

// The URLs of upload tickets lead to the proxy.
const port = await freePort()
const service = await startService({ BASE_URL: `http://127.0.0.1:${port}` })
const proxy = await startProxy(service, port)

const fileOf = (size: number): Upload => ({ name: 'Bericht – 見る.bin', body: randomBytes(size) })

test('an app can upload files and attach them', async () => {
  const { world, skein } = await makeClients(service, proxy)
  const bytes = randomBytes(50_000)
  const bodies = [
    bytes,
    new Blob([randomBytes(10)]),
    () => new Blob([randomBytes(0), bytes.subarray(1)]).stream(),
  ]
  const uploaded = await Promise.all(bodies.map((body, turn) => skein.upload({ name: `${turn}.bin`, body })))
  const attachments = uploaded.map(({ id }) => id)
  const thread = { recipients: [world.publicGroup.id] }
  const sent = await skein.sendMessage({ thread, message: { text: 'Files', attachments } })
  const files = sent.message.attachments.nodes
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['0.bin', 50_000],
    ['1.bin', 10],
    ['2.bin', 49_999],
  ])
  const answer = await fetch(files[0]?.url ?? '')
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
})

test('bytes that the app has already uploaded are not sent again', async () => {
  const { skein } = await makeClients(service, proxy)
  const file = fileOf(1000)
  const first = await skein.upload(file)
  const before = proxy.seen('/uploads').length
  const second = await skein.upload(file)
  expect(second.id).not.toBe(first.id)
  expect(proxy.seen('/uploads')).toHaveLength(before)
})

test.each<[string, Twist]>([
  ['/uploads', 'lose'],
  ['/uploads', 'truncate'],
  ['/uploads', { status: 503 }],
  ['/public/graphql', 'lose'],
  ['/public/graphql', { status: 503 }],
])('an upload is retried after the response of %s fails: %s', async (path, twist) => {
  const { world, skein } = await makeClients(service, proxy)
  await skein.me()
  proxy.next(path, twist)
  const { id } = await skein.upload(fileOf(1000))
  const message = { text: 'x', attachments: [id] }
  const sent = await skein.sendMessage({ thread: { recipients: [world.publicGroup.id] }, message })
  expect(sent.message.attachments.nodes).toMatchObject([{ id, name: 'Bericht – 見る.bin', size: 1000 }])
})

test.each<[unknown]>([
  ['text'],
  [undefined],
  [new ArrayBuffer(1)],
  [new Blob(['x']).stream()],
  [() => undefined],
  [() => 'text'],
  [async () => new Uint8Array(1)],
])('an invalid body is refused before anything is sent: %s', async (body) => {
  const { skein } = await makeClients(service, proxy)
  const before = proxy.seen('/').length
  const upload = skein.upload({ name: 'x', body } as Upload)
  await expect(upload).rejects.toThrow(/^body must be a Uint8Array, a Blob, or a function/)
  expect(proxy.seen('/')).toHaveLength(before)
})

test('a wrong size is refused without a retry', async () => {
  const { skein, webhook } = await makeClients(service, proxy)
  const body = () => new Blob(['abc']).stream()
  const wrong = { name: 'x', body, contentMD5: 'kAFQmDzST7DWlj99KOF/cg==' }
  await skein.me()
  const before = proxy.seen('/public/graphql').length
  for (const size of [2, 99]) {
    for (const client of [skein, webhook]) {
      const failure = await failureOf(client.upload({ ...wrong, size }))
      expect([failure.code, failure.errors[0]?.field]).toEqual(['INVALID_INPUT', 'size'])
    }
  }
  expect(proxy.seen('/public/graphql')).toHaveLength(before + 2)
})

test('a refused upload fails with the reason', async () => {
  const { skein } = await makeClients(service, proxy)
  const wrong = { ...fileOf(1000), contentMD5: Buffer.alloc(16).toString('base64') }
  expect(await failureOf(skein.upload(wrong))).toMatchObject({ code: 'BAD_DIGEST', status: 400 })
  expect(await failureOf(skein.upload({ ...fileOf(1), name: 'a/b' }))).toMatchObject({
    code: 'INVALID_INPUT',
    errors: [{ field: 'name' }],
  })
})

test('an aborted upload fails with the reason of its signal', async () => {
  const { skein } = await makeClients(service, proxy)
  proxy.next('/uploads', 'hang')
  const controller = new AbortController()
  const upload = skein.upload(fileOf(1000), { signal: controller.signal })
  setTimeout(() => controller.abort('enough'), 1000)
  expect(await upload.catch((reason: unknown) => reason)).toBe('enough')
  expect(await all(skein.users())).not.toEqual([])
})
