import { createHash, randomBytes } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { readFileLink } from '../../src/files/links.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { makeApp, makeWorld, postToWebhook, uploadToWebhook } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { startServiceOn, storeNames } from '../support/stores.ts'
import { attach, download, fileFields, type UploadedFile, uploadByTicket } from '../support/uploads.ts'

describe.each(storeNames)('downloading a file from %s', async (store) => {
  const service = await startServiceOn(store, { DOWNLOAD_TTL_SECONDS: '600' })
  const port = await listen(service)

  /** Returns a file as the app of this token sees it, with the app's own link. */
  async function seen(token: string, id: string): Promise<UploadedFile | null> {
    const query = `query ($id: ID!) { node(id: $id) { ... on File { ${fileFields} } } }`
    return (await service.graphql(token, query, { id })).data.node
  }

  const text = 'The quick brown fox jumps over the lazy dog'
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`

  async function upload(name?: string, bytes: Buffer | string = text) {
    const world = await makeWorld(service)
    return { world, file: await uploadByTicket(service, world.app.token, bytes, name) }
  }

  test('needs only its link, and returns an attachment that cannot run in a browser', async () => {
    const { world, file } = await upload('fox.html', `<script>alert(1)</script>`)
    expect(file.url).toMatch(new RegExp(`^http://localhost:3000/files/${file.id}/fox\\.html\\?`))
    const answer = await download(service, file)
    expect([answer.statusCode, answer.body]).toEqual([200, '<script>alert(1)</script>'])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '25',
      'content-disposition': 'attachment; filename="fox.html"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'accept-ranges': 'bytes',
      'cache-control': expect.stringMatching(/^private, max-age=(600|59\d)$/),
    })
    expect(world.app.token).toBeTruthy()
  })

  test('with HEAD returns the headers of GET without a body', async () => {
    const { file } = await upload()
    const [head, whole] = [await download(service, file, {}, 'HEAD'), await download(service, file)]
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(text.length),
    ])
    for (const name of ['etag', 'content-type', 'content-disposition', 'accept-ranges'])
      expect(head.headers[name]).toBe(whole.headers[name])
    expect(whole.headers.etag).toBe(etag)
  })

  test.each([
    ['bytes=0-3', 'bytes 0-3/43', 'The '],
    ['bytes=4-8', 'bytes 4-8/43', 'quick'],
    ['bytes=40-', 'bytes 40-42/43', 'dog'],
    ['bytes=-3', 'bytes 40-42/43', 'dog'],
    ['bytes=-100', 'bytes 0-42/43', text],
    ['bytes=40-1000', 'bytes 40-42/43', 'dog'],
    ['BYTES=0-0', 'bytes 0-0/43', 'T'],
  ])('returns 206 and a part of the file for %s', async (range, contentRange, part) => {
    const { file } = await upload()
    const answer = await download(service, file, { range })
    expect([answer.statusCode, answer.headers['content-range'], answer.body]).toEqual([
      206,
      contentRange,
      part,
    ])
    expect(answer.headers).toMatchObject({ 'content-length': String(part.length), etag })
    const head = await download(service, file, { range }, 'HEAD')
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, '43'])
  })

  test.each([
    'bytes=0-3,5-6',
    'bytes=5-4',
    'bytes=-',
    'bytes=a-b',
    'lines=0-3',
    'bytes=0 - 3',
    '',
  ])('returns the whole file for "%s", which is not a single valid range', async (range) => {
    const { file } = await upload()
    const answer = await download(service, file, { range })
    expect([answer.statusCode, answer.body]).toEqual([200, text])
  })

  test.each(['bytes=43-', 'bytes=100-200', 'bytes=-0'])('returns 416 for the range %s', async (range) => {
    const { file } = await upload()
    const answer = await download(service, file, { range })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */43'])
    expect(answer.json()).toMatchObject({ code: 'range_not_satisfiable' })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.headers).not.toHaveProperty('content-disposition')
  })

  test('returns a part only if If-Range is the strong ETag of the file', async () => {
    const { file } = await upload()
    const range = 'bytes=40-'
    const same = await download(service, file, { range, 'if-range': etag })
    expect([same.statusCode, same.body]).toEqual([206, 'dog'])
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT']) {
      const whole = await download(service, file, { range, 'if-range': other })
      expect([whole.statusCode, whole.body]).toEqual([200, text])
    }
  })

  test('returns 304 if If-None-Match contains the ETag of the file', async () => {
    const { file } = await upload()
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const answer = await download(service, file, { 'if-none-match': known, range: 'bytes=0-1' })
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag])
      expect(answer.headers['cache-control']).toMatch(/^private/)
    }
    expect((await download(service, file, { 'if-none-match': '"a", W/"b"' })).statusCode).toBe(200)
  })

  test('returns an empty body for an empty file', async () => {
    const { file } = await upload('nothing', '')
    const answer = await download(service, file)
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '0'])
    expect((await download(service, file, { range: 'bytes=0-' })).statusCode).toBe(416)
  })

  test.each([
    ['résumé.pdf', `attachment; filename="r_sum_.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`],
    ['a "b" \u20ac.txt', `attachment; filename="a _b_ _.txt"; filename*=UTF-8''a%20%22b%22%20%E2%82%AC.txt`],
    [`it's (1)*.txt`, `attachment; filename="it's (1)*.txt"`],
    [`50%'é;.txt`, `attachment; filename="50_'__.txt"; filename*=UTF-8''50%25%27%C3%A9%3B.txt`],
    ['a?b#c&d=e+f .txt', `attachment; filename="a?b#c&d=e+f .txt"`],
    [
      '😀'.repeat(60),
      `attachment; filename="${'_'.repeat(60)}"; filename*=UTF-8''${'%F0%9F%98%80'.repeat(60)}`,
    ],
  ])('returns the name %s in Content-Disposition', async (name, disposition) => {
    const { file } = await upload(name)
    const answer = await download(service, file)
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, disposition])
  })

  test('works with a separate link for each user who can see the message', async () => {
    const { world, file } = await upload()
    await attach(service, world.app.token, world.publicGroup.id, [file.id])
    const other = await makeApp(service, world.operator, world.workspaceID)
    const theirs = await seen(other.token, file.id)
    expect(theirs?.url).not.toBe(file.url)
    expect((await download(service, theirs as UploadedFile)).body).toBe(text)
  })

  test('is possible only for the uploader if the file is not attached', async () => {
    const { world, file } = await upload()
    const other = await makeApp(service, world.operator, world.workspaceID)
    expect(await seen(world.app.token, file.id)).toMatchObject({ id: file.id })
    expect(await seen(other.token, file.id)).toBeNull()
  })

  test('returns the same 403 for every link that is not valid', async () => {
    const { world, file } = await upload('secret.txt')
    const stranger = await makeWorld(service)
    const foreign = await uploadByTicket(service, stranger.app.token, 'foreign', 'secret.txt')
    const url = (change: (url: URL) => void) => {
      const changed = new URL(file.url)
      change(changed)
      return changed.href
    }
    const links = [
      url(({ searchParams }) => searchParams.set('signature', 'x')),
      url(({ searchParams }) => searchParams.delete('signature')),
      url(({ searchParams }) =>
        searchParams.set('signature', new URL(foreign.url).searchParams.get('signature') ?? ''),
      ),
      url(({ searchParams }) => searchParams.set('expires', '99999999999')),
      url(({ searchParams }) => searchParams.set('expires', 'x')),
      url(({ searchParams }) => searchParams.set('user', stranger.app.userID)),
      url(({ searchParams }) => searchParams.set('workspace', stranger.workspaceID)),
      url(({ searchParams }) => searchParams.append('user', world.app.userID)),
      file.url.replace('secret.txt', 'other.txt'),
      file.url.replace(file.id, foreign.id),
      file.url.replace(/\?.*/, ''),
    ]
    const words = new Set<string>()
    for (const link of links) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await download(service, { url: link }, {}, method)
        expect([link, answer.statusCode]).toEqual([link, 403])
        expect(answer.headers).not.toHaveProperty('etag')
        if (method === 'GET') words.add(JSON.stringify({ ...answer.json(), requestID: '' }))
      }
    }
    expect([...words]).toEqual([expect.stringContaining('"code":"forbidden"')])
    expect([...words].join()).not.toMatch(/secret|signature|fil_|wks_/)
  })

  test('works for as long as DOWNLOAD_TTL_SECONDS says, and returns 403 when the link has expired', async () => {
    const { file } = await upload()
    const [{ now }] = await service.contextOf({ kind: 'operator' }).db.$queryRaw<
      [{ now: Date }]
    >`SELECT clock_timestamp() AS now`
    const expires = Number(new URL(file.url).searchParams.get('expires'))
    expect(Math.abs(expires - (now.getTime() / 1000 + 600))).toBeLessThan(60)
    expect((await download(service, file)).statusCode).toBe(200)
    const short = await startServiceOn(store, { DOWNLOAD_TTL_SECONDS: '1' })
    const brief = await uploadByTicket(short, (await makeWorld(short)).app.token, text)
    await expect.poll(async () => (await download(short, brief)).statusCode).toBe(403)
  })

  test('works with another operator token, because it is signed with a key of its own', async () => {
    const { file } = await upload()
    const { config } = service.contextOf({ kind: 'operator' })
    const { pathname, searchParams } = new URL(file.url)
    const [, , fileID = '', name = ''] = pathname.split('/')
    const link = { fileID, name: decodeURIComponent(name), query: Object.fromEntries(searchParams) }
    const read = (change: object) => readFileLink({ config: { ...config, ...change } }, link).fileID
    expect(read({ operatorToken: 'another' })).toBe(fileID)
    expect(() => read({ signingKey: 'another' })).toThrow('This link is invalid')
  })

  test('returns 403 after the app of the link has left the group or has been uninstalled', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, privateGroup, app, webhook } = world
    const members = { groupID: privateGroup.id, userIDs: [app.userID, webhook.userID] }
    await addMembers(operator, members)
    const { id } = (await uploadToWebhook(service, webhook.path, text)).json()
    const body = { target: privateGroup.id, text: 'x', attachments: [id] }
    expect((await postToWebhook(service, webhook.path, body)).statusCode).toBe(200)
    const file = (await seen(app.token, id)) as UploadedFile
    expect((await download(service, file)).statusCode).toBe(200)
    await removeMembers(operator, { ...members, userIDs: [app.userID] })
    expect((await download(service, file)).statusCode).toBe(403)
    await addMembers(operator, { ...members, userIDs: [app.userID] })
    expect((await download(service, file)).statusCode).toBe(200)
    await uninstallApp(operator, { workspaceID, appID: app.id })
    expect((await download(service, file)).statusCode).toBe(403)
  })

  test('does not log the link', async () => {
    const { file } = await upload('telling-name.txt')
    service.log.length = 0
    await download(service, file)
    await download(service, { url: file.url.replace('telling', 'other') })
    const log = service.log.join('\n')
    expect(log).toContain('"route":"/files/:fileID/*"')
    for (const secret of [file.id, 'signature', 'telling']) expect(log).not.toContain(secret)
  })

  test('returns 405 with Allow for other methods', async () => {
    const { file } = await upload()
    const { pathname, search } = new URL(file.url)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const answer = await service.app.inject({ method, url: pathname + search })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })

  test('works for a large file that several clients read at once, whole or in part', async () => {
    const bytes = randomBytes(8 * 1024 * 1024 + 7)
    const { file } = await upload('large.bin', bytes)
    const answers = await Promise.all([1, 2, 3, 4].map(() => read(file)))
    for (const answer of answers) expect(answer.equals(bytes)).toBe(true)
    const part = await read(file, { range: 'bytes=3000000-5000000' })
    expect(part.equals(bytes.subarray(3_000_000, 5_000_001))).toBe(true)
  })

  test('works after several clients have aborted, and logs no error for them', async () => {
    service.log.length = 0
    const { file } = await upload('large.bin', randomBytes(8 * 1024 * 1024))
    for (let time = 0; time < 20; time += 1) {
      const answer = await begin(file)
      answer.destroy()
    }
    expect((await read(file)).length).toBe(8 * 1024 * 1024)
    await expect
      .poll(() => service.log.filter((line) => line.includes('request aborted')).length)
      .toBeGreaterThan(0)
    expect(service.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })

  test('returns 410 without details of the store if the bytes are missing, and logs the file', async () => {
    const { world, file } = await upload()
    const context = world.operator
    await context.storage.remove(createHash('sha256').update(text).digest())
    const answer = await download(service, file)
    expect([answer.statusCode, answer.json().code]).toEqual([410, 'bytes_missing'])
    expect((await download(service, file, {}, 'HEAD')).statusCode).toBe(410)
    expect(answer.headers).not.toHaveProperty('content-disposition')
    expect(answer.body).not.toMatch(/ENOENT|NoSuchKey|files\//)
    const lines = service.log.map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ fileID: file.id, msg: 'a file has lost its bytes' }),
    )
  })

  test.runIf(store === 'a directory')(
    'ends the connection if bytes are missing at the end, and logs the file',
    async () => {
      const bytes = randomBytes(300_000)
      const { file } = await upload('short.bin', bytes)
      const hex = createHash('sha256').update(bytes).digest('hex')
      await truncate(join(service.dataDir, 'files', hex.slice(0, 2), hex.slice(2)), 200_000)
      await expect(read(file)).rejects.toThrow('aborted')
      const lines = service.log.map((line) => JSON.parse(line))
      expect(lines).toContainEqual(
        expect.objectContaining({ fileID: file.id, msg: 'a file has lost its bytes' }),
      )
    },
  )

  function begin({ url }: UploadedFile, headers = {}): Promise<IncomingMessage> {
    const { pathname, search } = new URL(url)
    return new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: pathname + search, headers }, resolve).on('error', reject)
    })
  }

  async function read(file: UploadedFile, headers = {}): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of await begin(file, headers)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
})
