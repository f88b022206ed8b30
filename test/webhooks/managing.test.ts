import { describe, expect, test } from 'vitest'
import { disableWebhook, rotateWebhookKey } from '../../src/apps/webhooks/change-webhook.ts'
import { webhookFormats } from '../../src/apps/webhooks/settings.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { afterStatement } from '../support/after-statement.ts'
import { makeWebhook, makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '4' })

type Method = 'GET' | 'HEAD' | 'DELETE' | 'PATCH' | 'OPTIONS'
type Posted = { messageID: string; threadID: string }

function call({ webhook }: World, method: Method, path: string, payload?: object, of = service) {
  return of.app.inject({ method, url: webhook.path + path, ...(payload && { payload }) })
}

const erase = (world: World, path: string) => call(world, 'DELETE', `/messages${path}`)
const change = (world: World, path: string, body: object) => call(world, 'PATCH', `/threads${path}`, body)

async function post({ webhook, publicGroup }: World, body: object, path = webhook.path): Promise<Posted> {
  const answer = await postToWebhook(service, path, { target: publicGroup.id, text: 'x', ...body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

const inThread = { threadBy: 'build', threadSubject: 'Build', uniqueBy: 'build' }

function messageOf({ operator, workspaceID }: World, { messageID: id }: Pick<Posted, 'messageID'>) {
  return operator.db.message.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

function threadOf({ operator, workspaceID }: World, { threadID: id }: Pick<Posted, 'threadID'>) {
  return operator.db.thread.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

/** Returns the body of a problem without its request ID, after a check of its status. */
function problemIn(answer: { statusCode: number; json: () => object }, status: number): object {
  const { requestID, ...problem } = answer.json() as { requestID: string }
  expect([answer.statusCode, typeof requestID]).toEqual([status, 'string'])
  return problem
}

const fieldsIn = (problem: object) =>
  (problem as { errors: { field: string }[] }).errors.map(({ field }) => field)

describe('GET at the URL of a webhook', () => {
  test('returns its name, its description and the suffixes of the formats, and no secret', async () => {
    const world = await makeWorld(service)
    const answer = await call(world, 'GET', '')
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.json()).toMatchObject({ name: 'Alerts', description: null, defaultTarget: null })
    const formats = webhookFormats.map((name) => ({ name, suffix: `/${name}` }))
    expect(answer.json().formats).toEqual(expect.arrayContaining(formats))
    for (const secret of world.webhook.path.split('/').slice(-2)) expect(answer.body).not.toContain(secret)
  })

  test('names no format like another URL of the webhook', async () => {
    const { formats } = (await call(await makeWorld(service), 'GET', '')).json()
    const names = formats.map(({ name }: { name: string }) => name)
    for (const reserved of ['attachment', 'messages', 'threads']) expect(names).not.toContain(reserved)
  })

  test('as HEAD has no body', async () => {
    const world = await makeWorld(service)
    const [get, head] = [await call(world, 'GET', ''), await call(world, 'HEAD', '')]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name])
  })

  test('returns the same 404 for a wrong key and for a webhook that another process has just disabled', async () => {
    const world = await makeWorld(service)
    await post(world, {})
    const wrong = problemIn(await call(world, 'GET', 'x'), 404)
    await world.operator.db.webhook.updateMany({
      where: { id: world.webhook.id },
      data: { disabledAt: new Date() },
    })
    expect(problemIn(await call(world, 'GET', ''), 404)).toEqual(wrong)
  })
})

describe('a webhook deletes a message', () => {
  test('by its ID, also twice', async () => {
    const world = await makeWorld(service)
    const posted = await post(world, { text: 'secret' })
    for (const _turn of [1, 2]) {
      const answer = await erase(world, `/${posted.messageID}`)
      expect([answer.statusCode, answer.json()]).toEqual([200, { messageID: posted.messageID }])
      expect(await messageOf(world, posted)).toMatchObject({ text: '', deletedAt: expect.any(Date) })
    }
  })

  test('by its key in the chat of a group, in a thread, and in the thread of a threadBy', async () => {
    const world = await makeWorld(service)
    const group = world.publicGroup.id
    const inChat = await post(world, { uniqueBy: 'build' })
    const inGeneral = await post(world, { target: world.workspaceID, uniqueBy: 'build' })
    const first = await post(world, inThread)
    const second = await post(world, { target: first.threadID, uniqueBy: 'other' })
    for (const [query, posted] of [
      [`target=${group}&uniqueBy=build`, inChat],
      [`target=${world.workspaceID}&uniqueBy=build`, inGeneral],
      [`target=${group}&threadBy=build&uniqueBy=build`, first],
      [`target=${first.threadID}&uniqueBy=other`, second],
    ] as const) {
      const before = await messageOf(world, posted)
      const answer = await erase(world, `?${query}`)
      expect([before.deletedAt, answer.json()]).toEqual([null, { messageID: posted.messageID }])
      expect((await messageOf(world, posted)).deletedAt).not.toBeNull()
      expect((await erase(world, `?${query}`)).statusCode).toBe(404)
    }
  })

  test('although the request has a body', async () => {
    const world = await makeWorld(service)
    const { messageID } = await post(world, {})
    const headers = { 'content-type': 'application/json' }
    const url = `${world.webhook.path}/messages/${messageID}`
    const answer = await service.app.inject({ method: 'DELETE', url, headers, payload: '{' })
    expect(answer.statusCode).toBe(200)
  })

  test('but not one of others, even as an admin: it is answered like one that does not exist', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, publicGroup, privateGroup, webhook } = world
    const userIDs = [webhook.userID]
    await giveRole(operator, { workspaceID, groupID: publicGroup.id, userID: webhook.userID, role: 'admin' })
    const other = await makeWebhook(operator, workspaceID)
    const elsewhere = await makeWorld(service)
    const { message: ofAda, thread: chat } = await say(world.as(world.ada.id), [publicGroup.id], 'x')
    const ofOther = await post(world, { uniqueBy: 'other' }, other.path)
    await addMembers(operator, { groupID: privateGroup.id, userIDs })
    const hidden = await post(world, { target: privateGroup.id, uniqueBy: 'hidden' })
    await removeMembers(operator, { groupID: privateGroup.id, userIDs })
    const missing = problemIn(await erase(world, `/${newID('msg')}`), 404)
    expect(missing).toMatchObject({ code: 'not_found' })
    for (const path of [
      `/${ofAda.id}`,
      `/${ofOther.messageID}`,
      `/${hidden.messageID}`,
      `/${(await post(elsewhere, {})).messageID}`,
      `/${chat.id}`,
      '/x',
      '/msg_%00',
      `?target=${publicGroup.id}&uniqueBy=other`,
      `?target=${chat.id}&uniqueBy=other`,
      `?target=${privateGroup.id}&uniqueBy=hidden`,
      `?target=${publicGroup.id}&threadBy=other&uniqueBy=other`,
      `?target=${newID('grp')}&uniqueBy=other`,
      `?target=${newID('thr')}&uniqueBy=other`,
    ])
      expect([path, problemIn(await erase(world, path), 404)]).toEqual([path, missing])
    for (const messageID of [ofAda.id, ofOther.messageID, hidden.messageID])
      expect((await messageOf(world, { messageID })).deletedAt).toBeNull()
  })

  test.each([
    ['', ['target', 'uniqueBy']],
    ['?target=x&uniqueBy=', ['target', 'uniqueBy']],
    ['?target=thr_1&uniqueBy=a&threadBy=b', ['threadBy']],
    [`?target=grp_1&uniqueBy=${'k'.repeat(256)}`, ['uniqueBy']],
    ['?target=grp_1&uniqueBy=a&uniqueBy=b', ['uniqueBy']],
    ['?target=grp_1&uniqueBy=%00', ['uniqueBy']],
  ])('but not with the query %j, and the problem names %j', async (query, fields) => {
    expect(fieldsIn(problemIn(await erase(await makeWorld(service), query), 400))).toEqual(fields)
  })
})

describe('a webhook changes a thread', () => {
  test('by its ID: it renames, closes and reopens it, each with a system message', async () => {
    const world = await makeWorld(service)
    const posted = await post(world, inThread)
    const both = await change(world, `/${posted.threadID}`, { subject: 'Build 7', closed: true })
    expect([both.statusCode, both.json()]).toEqual([200, { threadID: posted.threadID }])
    expect(await threadOf(world, posted)).toMatchObject({
      subject: 'Build 7',
      closedAt: expect.any(Date),
      lastPosition: 3,
    })
    await change(world, `/${posted.threadID}`, { closed: false })
    expect(await threadOf(world, posted)).toMatchObject({ closedAt: null, lastPosition: 4 })
    const again = await change(world, `/${posted.threadID}`, { subject: 'Build 7', closed: false })
    expect([again.statusCode, again.json()]).toEqual([200, { threadID: posted.threadID }])
    expect(await threadOf(world, posted)).toMatchObject({ lastPosition: 4 })
    const { operator, workspaceID, webhook } = world
    expect(await operator.db.read.count({ where: { workspaceID, userID: webhook.userID } })).toBe(0)
  })

  test('by its key', async () => {
    const world = await makeWorld(service)
    const posted = await post(world, inThread)
    const query = `?target=${world.publicGroup.id}&threadBy=build`
    expect((await change(world, query, { closed: true })).json()).toEqual({ threadID: posted.threadID })
    expect((await threadOf(world, posted)).closedAt).not.toBeNull()
    const inGeneral = await post(world, { ...inThread, target: world.workspaceID })
    await change(world, `?target=${world.workspaceID}&threadBy=build`, { subject: 'General' })
    expect(await threadOf(world, inGeneral)).toMatchObject({ subject: 'General' })
  })

  test('and names fields that look misspelled, and ignores others and null', async () => {
    const world = await makeWorld(service)
    const posted = await post(world, inThread)
    const body = { closed: true, Subject: 'x', subject: null, text: 'x' }
    const answer = await change(world, `/${posted.threadID}`, body)
    expect(answer.json()).toEqual({ threadID: posted.threadID, ignored: ['Subject'] })
    expect(await threadOf(world, posted)).toMatchObject({ subject: 'Build', closedAt: expect.any(Date) })
  })

  test('but not one of others, even as an admin: it is answered like one that does not exist', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, publicGroup, webhook } = world
    await giveRole(operator, { workspaceID, groupID: publicGroup.id, userID: webhook.userID, role: 'admin' })
    const other = await makeWebhook(operator, workspaceID)
    const { thread: ofAda } = await say(world.as(world.ada.id), [publicGroup.id], 'x', 'Ada’s')
    const ofOther = await post(world, { ...inThread, threadBy: 'other' }, other.path)
    const chat = await post(world, {})
    const missing = problemIn(await change(world, `/${newID('thr')}`, { closed: true }), 404)
    expect(missing).toMatchObject({ code: 'not_found' })
    for (const path of [
      `/${ofAda.id}`,
      `/${ofOther.threadID}`,
      `/${chat.threadID}`,
      `/${chat.messageID}`,
      '/thr_%00',
      `?target=${publicGroup.id}&threadBy=other`,
      `?target=${newID('grp')}&threadBy=build`,
    ])
      expect([path, problemIn(await change(world, path, { closed: true }), 404)]).toEqual([path, missing])
    for (const threadID of [ofAda.id, ofOther.threadID])
      expect((await threadOf(world, { threadID })).closedAt).toBeNull()
  })

  test.each([
    ['?target=grp_1', { closed: true }, ['threadBy']],
    ['?target=thr_1&threadBy=a', { closed: true }, ['target']],
    ['?target=grp_1&threadBy=a', {}, ['body']],
    ['?target=grp_1&threadBy=a', [], ['body']],
    ['?target=grp_1&threadBy=a', { text: 'x' }, ['body']],
    ['?target=grp_1&threadBy=a', { subject: ' ', closed: 'yes' }, ['subject', 'closed']],
    ['?target=grp_1&threadBy=a', { subject: 's'.repeat(251) }, ['subject']],
  ])('but not with %j and %j, and the problem names %j', async (query, body, fields) => {
    expect(fieldsIn(problemIn(await change(await makeWorld(service), query, body), 400))).toEqual(fields)
  })

  test('but not with a body that is not JSON', async () => {
    const world = await makeWorld(service)
    const url = `${world.webhook.path}/threads/${newID('thr')}`
    const headers = { 'content-type': 'text/plain' }
    const answer = await service.app.inject({ method: 'PATCH', url, headers, payload: 'closed' })
    expect(answer.statusCode).toBe(415)
  })
})

describe('a webhook that has just been', () => {
  const ends = [
    ['disabled', ({ operator, webhook }: World) => disableWebhook(operator, { webhookID: webhook.id })],
    ['rotated', ({ operator, webhook }: World) => rotateWebhookKey(operator, { webhookID: webhook.id })],
  ] as const

  test.each(ends)('%s deletes nothing and changes nothing', async (_what, end) => {
    for (const [method, text] of [
      ['DELETE', 'SELECT id FROM messages'],
      ['PATCH', 'SELECT id FROM threads'],
    ] as const) {
      const world = await makeWorld(service)
      const posted = await post(world, inThread)
      const path = method === 'DELETE' ? `/messages/${posted.messageID}` : `/threads/${posted.threadID}`
      const answer = await afterStatement(
        world.operator.db,
        text,
        () => end(world),
        () => call(world, method, path, { closed: true }),
      )
      expect(problemIn(answer, 404)).toMatchObject({
        code: 'not_found',
        detail: expect.stringContaining('webhook'),
      })
      expect((await messageOf(world, posted)).deletedAt).toBeNull()
      expect((await threadOf(world, posted)).closedAt).toBeNull()
    }
  })

  test.runIf(serverURL)('disabled while the request waits for the webhook deletes nothing', async () => {
    const world = await makeWorld(service)
    const { db } = world.operator
    const posted = await post(world, {})
    const sql = 'UPDATE webhooks SET disabled_at = now() WHERE id = $1'
    const disabling = await inOpenTransaction(db, sql, [world.webhook.id])
    const answer = erase(world, `/${posted.messageID}`)
    await untilLockWaits(db)
    await disabling.query('COMMIT')
    await disabling.end()
    expect((await answer).statusCode).toBe(404)
    expect((await messageOf(world, posted)).deletedAt).toBeNull()
  })
})

describe('the URLs of a webhook', () => {
  test.each([
    ['', 'GET, HEAD, POST, OPTIONS'],
    ['/attachment', 'PUT, OPTIONS'],
    ['/slack', 'POST, OPTIONS'],
    ['/alertmanager', 'POST, OPTIONS'],
    ['/messages', 'DELETE, OPTIONS'],
    [`/messages/${newID('msg')}`, 'DELETE, OPTIONS'],
    ['/threads', 'PATCH, OPTIONS'],
    [`/threads/${newID('thr')}`, 'PATCH, OPTIONS'],
  ])('%j answers OPTIONS with 204 and other methods with 405, both with Allow: %s', async (path, allow) => {
    const { webhook } = await makeWorld(service)
    const inject = (method: 'OPTIONS' | 'GET') =>
      service.app.inject({ method, url: webhook.path + path, headers: { 'content-type': 'text/html' } })
    const options = await inject('OPTIONS')
    expect([options.statusCode, options.headers.allow, options.body]).toEqual([204, allow, ''])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (allow.includes(method)) continue
      const answer = await service.app.inject({ method, url: webhook.path + path })
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, allow])
    }
  })

  test('count every request of a webhook', async () => {
    const world = await makeWorld(limited)
    const id = newID('msg')
    const answers = [
      await call(world, 'GET', '', undefined, limited),
      await call(world, 'HEAD', '', undefined, limited),
      await call(world, 'DELETE', `/messages/${id}`, undefined, limited),
      await call(world, 'PATCH', `/threads/${id}`, { closed: true }, limited),
      await call(world, 'GET', '', undefined, limited),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 404, 404, 429])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  })
})
