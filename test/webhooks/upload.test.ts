import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeWebhook, makeWorld, postToWebhook, uploadToWebhook } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { breakOff, put } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'
import { md5Of } from '../support/uploads.ts'

const emptyMD5 = '1B2M2Y8AsgTpgAmY7PhCfg=='
const service = await startService({ MAX_FILE_BYTES: '1000' })
const port = await listen(service)

/** The options of an upload over the network. */
const uploadWith = (path: string, headers: Record<string, string>) => ({
  port,
  url: `${path}/attachment`,
  headers,
})

function storedFiles(): string[] {
  const folder = join(service.dataDir, 'files')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('an upload', () => {
  test('returns an ID, and the files can be attached and read in the given order', async () => {
    const world = await makeWorld(service)
    const one = await uploadToWebhook(service, world.webhook.path, 'first', { 'x-file-name': 'one.txt' })
    expect([one.statusCode, one.json()]).toEqual([
      200,
      { id: expect.stringMatching(/^fil_[0-9A-Za-z]{27}$/) },
    ])
    const two = await uploadToWebhook(service, world.webhook.path, 'second', { 'x-file-name': 'two.txt' })
    const attachments = [two.json().id, one.json().id, two.json().id]
    const body = { target: world.publicGroup.id, text: 'see', attachments }
    const { messageID } = (await postToWebhook(service, world.webhook.path, body)).json()
    const query =
      'query ($id: ID!) { node(id: $id) { ... on Message { attachments { nodes { name size contentMD5 } } } } }'
    const answer = await service.graphql(world.app.token, query, { id: messageID })
    expect(answer.data.node.attachments.nodes).toEqual([
      { name: 'two.txt', size: 6, contentMD5: md5Of('second') },
      { name: 'one.txt', size: 5, contentMD5: md5Of('first') },
    ])
  })

  test('of bytes that are already stored stores no new file, but has its own ID', async () => {
    const { webhook } = await makeWorld(service)
    const first = await uploadToWebhook(service, webhook.path, 'the same bytes')
    const files = storedFiles()
    const second = await uploadToWebhook(service, webhook.path, 'the same bytes')
    expect(second.json().id).not.toBe(first.json().id)
    expect(storedFiles()).toEqual(files)
  })

  test('can be empty, or as large as the limit', async () => {
    const { webhook } = await makeWorld(service)
    expect((await uploadToWebhook(service, webhook.path, '')).statusCode).toBe(200)
    expect((await uploadToWebhook(service, webhook.path, 'x'.repeat(1000))).statusCode).toBe(200)
  })

  test.each([
    ['report%20%C3%A9.txt', 'report é.txt'],
    [Buffer.from('résumé.pdf').toString('latin1'), 'résumé.pdf'],
    ['100%.txt', '100%.txt'],
    ['a;b="c".txt', 'a;b="c".txt'],
  ])('can be named %s', async (header, name) => {
    const { webhook, operator, workspaceID } = await makeWorld(service)
    const { id } = (await uploadToWebhook(service, webhook.path, 'x', { 'x-file-name': header })).json()
    const file = await operator.db.file.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
    expect(file.name).toBe(name)
  })
})

describe('an invalid upload', () => {
  test.each([
    ['no MD5', { 'content-md5': undefined }, 400, 'invalid_input'],
    ['no name', { 'x-file-name': undefined }, 400, 'invalid_input'],
    ['an empty name', { 'x-file-name': '' }, 400, 'invalid_input'],
    ['a path as name', { 'x-file-name': '../etc/passwd' }, 400, 'invalid_input'],
    ['an encoded path as name', { 'x-file-name': '..%2fx' }, 400, 'invalid_input'],
    ['a Windows path as name', { 'x-file-name': 'C:%5Cx' }, 400, 'invalid_input'],
    ['dots as name', { 'x-file-name': '..' }, 400, 'invalid_input'],
    ['a control character in the name', { 'x-file-name': 'a%0Ab' }, 400, 'invalid_input'],
    ['a direction override in the name', { 'x-file-name': 'a%E2%80%AEtxt.exe' }, 400, 'invalid_input'],
    ['a percent-encoded name that is not UTF-8', { 'x-file-name': 'a%FF.txt' }, 400, 'invalid_input'],
    ['a name of 256 bytes', { 'x-file-name': 'é'.repeat(128) }, 400, 'invalid_input'],
    [
      'an MD5 that is not base64',
      { 'content-md5': 'd41d8cd98f00b204e9800998ecf8427e' },
      400,
      'invalid_digest',
    ],
    ['an MD5 of 15 bytes', { 'content-md5': Buffer.alloc(15).toString('base64') }, 400, 'invalid_digest'],
    ['the MD5 of other bytes', { 'content-md5': Buffer.alloc(16).toString('base64') }, 400, 'bad_digest'],
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, 415, 'unsupported_media_type'],
    ['too many bytes declared', { 'content-length': '1001' }, 413, 'too_large'],
  ])('with %s is refused, and no file is stored', async (_what, headers, status, code) => {
    const { webhook, operator, workspaceID } = await makeWorld(service)
    const files = storedFiles()
    const answer = await uploadToWebhook(service, webhook.path, 'some bytes', latin1(headers))
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(storedFiles()).toEqual(files)
    expect(await operator.db.file.count({ where: { workspaceID } })).toBe(0)
  })

  test('with a raw name that is not UTF-8 is refused', async () => {
    const { webhook } = await makeWorld(service)
    const answer = await uploadToWebhook(service, webhook.path, 'x', { 'x-file-name': 'r\xe9sum\xe9.pdf' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toEqual([
      { field: 'X-File-Name', message: 'must be UTF-8, percent-encoded or raw' },
    ])
  })

  test('with a declared size above the limit is refused, and little of its body is read', async () => {
    const { webhook } = await makeWorld(service)
    const served = new Promise<Socket>((resolve) => service.app.server.once('connection', resolve))
    const client = connect(port, '127.0.0.1')
    client.on('error', () => undefined)
    const headers = ['Host: x', 'Content-Length: 1073741824', 'X-File-Name: x', `Content-MD5: ${emptyMD5}`]
    client.write(`PUT ${webhook.path}/attachment HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
    const chunk = Buffer.alloc(256 * 1024)
    const send = () => {
      while (!client.destroyed && client.write(chunk)) {}
    }
    client.on('drain', send)
    send()
    const server = await served
    const closed = once(server, 'close')
    const [answer] = await once(client, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
    await closed
    expect(server.bytesRead).toBeLessThan(4 * 1024 * 1024)
  })

  test('without a length returns 411', async () => {
    const { webhook } = await makeWorld(service)
    const { status, code } = await put(
      uploadWith(webhook.path, { 'transfer-encoding': 'chunked' }),
      'some bytes',
    )
    expect([status, code]).toEqual([411, 'length_required'])
  })

  test('that is interrupted stores no file', async () => {
    const { webhook } = await makeWorld(service)
    const files = storedFiles()
    const headers = {
      'content-length': '100',
      'content-md5': Buffer.alloc(16).toString('base64'),
      'x-file-name': 'x',
    }
    await expect(breakOff(uploadWith(webhook.path, headers), 'only some')).rejects.toThrow()
    await expect.poll(storedFiles).toEqual(files)
  })

  test('with Expect is refused before its body is sent, and a valid upload gets 100 Continue', async () => {
    const { webhook } = await makeWorld(service)
    const headers = { expect: '100-continue', 'content-md5': 'CY9rzUYh03PK3k6DJie09g==', 'x-file-name': 'x' }
    const refused = await put(
      uploadWith(webhook.path, { ...headers, 'content-length': '5000' }),
      'test',
      true,
    )
    expect(refused).toMatchObject({ status: 413, continued: false })
    const good = await put(uploadWith(webhook.path, { ...headers, 'content-length': '4' }), 'test', true)
    expect(good).toMatchObject({ status: 200, continued: true })
  })

  test('by a method other than PUT returns 405 with Allow', async () => {
    const { webhook } = await makeWorld(service)
    for (const method of ['POST', 'GET', 'DELETE', 'PATCH'] as const) {
      const answer = await service.app.inject({ method, url: `${webhook.path}/attachment` })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'PUT, OPTIONS'])
    }
  })

  test('with a wrong key returns 404', async () => {
    const { webhook } = await makeWorld(service)
    expect((await uploadToWebhook(service, `${webhook.path}x`, 'x')).statusCode).toBe(404)
  })
})

test('a webhook can attach only its own files', async () => {
  const [world, strange] = [await makeWorld(service), await makeWorld(service)]
  const other = await makeWebhook(world.operator, world.workspaceID)
  for (const path of [other.path, strange.webhook.path]) {
    const { id } = (await uploadToWebhook(service, path, 'x')).json()
    const body = { target: world.publicGroup.id, text: 'x', attachments: [id] }
    const answer = await postToWebhook(service, world.webhook.path, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors).toEqual([{ field: 'attachments.0', message: expect.stringContaining(id) }])
  }
})

test('a message that is updated with uniqueBy has the attachments of the last call', async () => {
  const { webhook, publicGroup, operator, workspaceID } = await makeWorld(service)
  const ids: string[] = []
  for (const bytes of ['1', '2', '3'])
    ids.push((await uploadToWebhook(service, webhook.path, bytes)).json().id)
  const body = { target: publicGroup.id, text: 'x', uniqueBy: 'k' }
  const send = (attachments: (string | undefined)[]) =>
    postToWebhook(service, webhook.path, { ...body, attachments })
  const { messageID } = (await send([ids[0], ids[1]])).json()
  const attached = async () => {
    const rows = await operator.db.attachment.findMany({
      where: { workspaceID, messageID },
      orderBy: { position: 'asc' },
    })
    return rows.map(({ fileID }) => fileID)
  }
  await send([ids[2], ids[0]])
  expect(await attached()).toEqual([ids[2], ids[0]])
  const calls = Array.from({ length: 20 }, (_, call) =>
    send(call % 2 === 0 ? [ids[0], ids[1], ids[2]] : [ids[1]]),
  )
  await Promise.all(calls)
  expect([[ids[0], ids[1], ids[2]], [ids[1]]]).toContainEqual(await attached())
  await send([])
  expect(await attached()).toEqual([])
})

function latin1(headers: Record<string, string | undefined>) {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value && Buffer.from(value).toString('latin1'),
  ])
  return Object.fromEntries(entries)
}
