import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { makeWorld, uploadToWebhook } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { breakOff, put } from '../support/raw-http.ts'
import { startServiceOn, storeNames } from '../support/stores.ts'
import { askForTicket, createFile, md5Of, putBytes, uploadByTicket } from '../support/uploads.ts'

describe.each(storeNames)('an upload to %s', async (store) => {
  const service = await startServiceOn(store)
  const port = await listen(service)

  /** Returns what a failed upload must not change. */
  const traces = async () => [await service.stored(), service.incoming()]

  test('stores the same content once, by ticket and by webhook', async () => {
    const { app, webhook } = await makeWorld(service)
    const before = await service.stored()
    const bytes = randomBytes(1000)
    const file = await uploadByTicket(service, app.token, bytes, 'a.bin')
    expect(file).toMatchObject({ name: 'a.bin', size: 1000, contentType: 'application/octet-stream' })
    expect((await uploadToWebhook(service, webhook.path, bytes)).statusCode).toBe(200)
    expect(await service.stored()).toHaveLength(before.length + 1)
    expect(service.incoming()).toEqual([])
  })

  test('can be large or empty', async () => {
    const { app } = await makeWorld(service)
    const large = randomBytes(20 * 1024 * 1024 + 1)
    expect(await uploadByTicket(service, app.token, large)).toMatchObject({
      size: large.length,
      contentMD5: md5Of(large),
    })
    expect(await uploadByTicket(service, app.token, '')).toMatchObject({ size: 0 })
    expect(service.incoming()).toEqual([])
  })

  test('succeeds once if a hundred requests use the same ticket at once', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const ticket = await askForTicket(service, app.token, 'raced bytes')
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => putBytes(service, ticket, 'raced bytes')),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([200, ...Array(99).fill(409)])
    const refused = answers.find(({ statusCode }) => statusCode === 409)
    expect(refused?.json()).toMatchObject({
      code: 'conflict',
      reason: 'ticket_used',
      detail: expect.stringContaining('has been used'),
    })
    expect(await operator.db.file.count({ where: { workspaceID } })).toBe(1)
    expect((await putBytes(service, ticket, 'raced bytes')).statusCode).toBe(409)
  })

  test.each([
    ['other bytes', 'other bytes', {}, 400, 'bad_digest'],
    ['fewer bytes', 'some byte', {}, 400, 'invalid_input'],
    ['more bytes', 'some bytes!', {}, 400, 'invalid_input'],
    ['another MD5', 'some bytes!', { 'content-md5': md5Of('x') }, 400, 'invalid_input'],
    [
      'a form',
      'some bytes',
      { 'content-type': 'multipart/form-data; boundary=x' },
      415,
      'unsupported_media_type',
    ],
    [
      'no length',
      'some bytes',
      { 'content-length': undefined, 'transfer-encoding': 'chunked' },
      411,
      'length_required',
    ],
  ])('with %s is refused, stores nothing and can be retried', async (_what, bytes, headers, status, code) => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const declared = bytes === 'other bytes' ? 'these bytes' : 'some bytes'
    const ticket = await askForTicket(service, app.token, declared)
    const before = await traces()
    const answer = await put(
      { port, url: ticket.url, headers: { 'content-length': String(bytes.length), ...headers } },
      bytes,
    )
    expect([answer.status, answer.code]).toEqual([status, code])
    expect(await traces()).toEqual(before)
    expect(await operator.db.file.count({ where: { workspaceID } })).toBe(0)
    expect((await putBytes(service, ticket, declared)).statusCode).toBe(200)
  })

  test('that is aborted stores nothing, and can be tried again', async () => {
    const { app } = await makeWorld(service)
    const bytes = randomBytes(5 * 1024 * 1024)
    const ticket = await askForTicket(service, app.token, bytes)
    const before = await traces()
    const sent = { port, url: ticket.url, headers: { 'content-length': String(bytes.length) } }
    await expect(breakOff(sent, bytes.subarray(0, bytes.length / 2))).rejects.toThrow('connection lost')
    await expect.poll(traces).toEqual(before)
    expect(service.s3?.unfinished() ?? []).toEqual([])
    await expect.poll(async () => (await putBytes(service, ticket, bytes)).statusCode).toBe(200)
  })

  test('with "Expect: 100-continue" gets a 100 only if its ticket and length are valid', async () => {
    const { app } = await makeWorld(service)
    const ticket = await askForTicket(service, app.token, 'test')
    const headers = { expect: '100-continue', 'content-length': '4' }
    const right = { port, url: ticket.url, headers }
    const forged = await put({ ...right, url: `${ticket.url}x` }, 'test', true)
    expect(forged).toMatchObject({ status: 403, continued: false })
    const wrong = await put({ ...right, headers: { ...headers, 'content-length': '5000' } }, 'test', true)
    expect(wrong).toMatchObject({ status: 400, continued: false })
    expect(await put(right, 'test', true)).toMatchObject({ status: 200, continued: true })
  })

  test('returns the same 403 for a changed URL and for an expired ticket', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const stranger = await makeWorld(service)
    const ticket = await askForTicket(service, app.token, 'bytes')
    const foreign = await askForTicket(service, stranger.app.token, 'bytes')
    const expired = await askForTicket(service, app.token, 'bytes')
    await operator.db.uploadTicket.update({
      where: { workspaceID_id: { workspaceID, id: expired.id } },
      data: { expiresAt: new Date(Date.now() - 1000) },
    })
    const urls = [
      ticket.url.replace(ticket.id, foreign.id),
      ticket.url.replace(workspaceID, stranger.workspaceID),
      ticket.url.replace(/signature=.*/, 'signature='),
      ticket.url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
      ticket.url.replace(/\?.*/, ''),
      `${ticket.url}&workspace=${workspaceID}`,
      expired.url,
    ]
    const details = new Set<string>()
    for (const url of urls) {
      const answer = await putBytes(service, { url }, 'bytes')
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'forbidden'])
      details.add(answer.json().detail)
    }
    expect(details.size).toBe(1)
    expect((await createFile(service, app.token, ticket.id)).errors?.[0]?.extensions.code).toBe('CONFLICT')
  })

  test('returns 403 if the app has been uninstalled', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const ticket = await askForTicket(service, app.token, 'bytes')
    await uninstallApp(operator, { workspaceID, appID: app.id })
    expect((await putBytes(service, ticket, 'bytes')).statusCode).toBe(403)
  })

  test('with another method returns 405 with Allow', async () => {
    const { app } = await makeWorld(service)
    const { url } = await askForTicket(service, app.token, 'bytes')
    const { pathname, search } = new URL(url)
    for (const method of ['POST', 'GET', 'DELETE'] as const) {
      const answer = await service.app.inject({ method, url: pathname + search })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'PUT'])
    }
  })

  test('does not log the URL', async () => {
    const { app } = await makeWorld(service)
    service.log.length = 0
    const ticket = await askForTicket(service, app.token, 'bytes')
    await putBytes(service, ticket, 'bytes')
    await putBytes(service, ticket, 'bytes')
    const log = service.log.join('\n')
    expect(log).toContain('"route":"/uploads/:ticketID"')
    for (const secret of [ticket.id, 'signature']) expect(log).not.toContain(secret)
  })
})
