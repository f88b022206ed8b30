import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const day = 24 * 60 * 60 * 1000

type Answer = { messageID: string; threadID: string; threadCreated: boolean; created: boolean }

function alertBody(fingerprint: string, status: 'firing' | 'resolved') {
  const groupLabels = { alertname: 'DiskFull' }
  const alert = { status, labels: groupLabels, fingerprint, startsAt: '2026-01-31T12:00:00Z' }
  return { version: '4', groupKey: 'disk', status, groupLabels, commonLabels: groupLabels, alerts: [alert] }
}

/** Posts as a format. Its key is `disk`. */
async function alert({ webhook, publicGroup }: World, fingerprint: string, status: 'firing' | 'resolved') {
  const path = `${webhook.path}/alertmanager?target=${publicGroup.id}`
  const answer = await postToWebhook(service, path, alertBody(fingerprint, status))
  expect(answer.statusCode, answer.body).toBe(200)
  return (answer.json() as { messages: [Answer] }).messages[0]
}

/** Posts to the plain URL with the same key. */
async function post({ webhook, publicGroup }: World, body: object): Promise<Answer> {
  const fields = { target: publicGroup.id, threadBy: 'disk', threadSubject: 'Disk', ...body }
  const answer = await postToWebhook(service, webhook.path, fields)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

function threadOf({ operator, workspaceID }: World, id: string) {
  return operator.db.thread.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

async function closedSince({ operator, workspaceID }: World, id: string, days: number): Promise<void> {
  const closedAt = new Date(Date.now() - days * day)
  await operator.db.thread.update({ where: { workspaceID_id: { workspaceID, id } }, data: { closedAt } })
}

/** A world with a thread that the last alert has closed. */
async function makeClosed() {
  const world = await makeWorld(service)
  const { threadID } = await alert(world, 'one', 'firing')
  await alert(world, 'one', 'resolved')
  expect((await threadOf(world, threadID)).closedAt).not.toBeNull()
  return { world, threadID }
}

describe('a key of a format whose thread has been closed', () => {
  test('for 29 days reopens it', async () => {
    const { world, threadID } = await makeClosed()
    await closedSince(world, threadID, 29)
    expect(await alert(world, 'two', 'firing')).toMatchObject({ threadID, threadCreated: false })
    expect(await threadOf(world, threadID)).toMatchObject({ closedAt: null, threadBy: 'disk' })
  })

  test('for 31 days begins a new thread, which takes the key', async () => {
    const { world, threadID } = await makeClosed()
    await closedSince(world, threadID, 31)
    const next = await alert(world, 'two', 'firing')
    expect(next).toMatchObject({ threadCreated: true, created: true })
    expect(next.threadID).not.toBe(threadID)
    const [old, young] = [await threadOf(world, threadID), await threadOf(world, next.threadID)]
    expect(old).toMatchObject({ threadBy: null, threadByTarget: null, closedAt: expect.any(Date) })
    expect(young).toMatchObject({ threadBy: 'disk', closedAt: null, subject: old.subject })
    expect(await alert(world, 'three', 'firing')).toMatchObject({ threadID: next.threadID })
    expect(await post(world, { text: 'x' })).toMatchObject({ threadID: next.threadID })
  })

  test('for 31 days begins one thread if 20 calls arrive at the same time', async () => {
    const { world, threadID } = await makeClosed()
    await closedSince(world, threadID, 31)
    const calls = Array.from({ length: 20 }, (_, index) => alert(world, `host-${index}`, 'firing'))
    const answers = await Promise.all(calls)
    const threads = new Set(answers.map((answer) => answer.threadID))
    expect(threads.size).toBe(1)
    expect(threads).not.toContain(threadID)
    expect(answers.filter(({ threadCreated }) => threadCreated)).toHaveLength(1)
    const [id = ''] = threads
    expect(await threadOf(world, id)).toMatchObject({ lastPosition: 20 })
    expect(await threadOf(world, threadID)).toMatchObject({ lastPosition: 1, closedAt: expect.any(Date) })
  })

  test('is reopened by the plain URL, even after years', async () => {
    const { world, threadID } = await makeClosed()
    await closedSince(world, threadID, 3000)
    expect(await post(world, { text: 'x' })).toMatchObject({ threadID, threadCreated: false })
    expect((await threadOf(world, threadID)).closedAt).toBeNull()
  })
})

test('a new thread has the subject of the old one if the call names none', async () => {
  const { world, threadID } = await makeClosed()
  const settings = { webhookID: world.webhook.id, restDays: 1 }
  await mutated(service, operatorToken, 'updateWebhook', settings, 'webhook { id }')
  await closedSince(world, threadID, 2)
  const { subject } = await threadOf(world, threadID)
  const next = await post(world, { text: 'x', threadSubject: null })
  expect(next).toMatchObject({ threadCreated: true })
  expect(await threadOf(world, next.threadID)).toMatchObject({ subject, threadBy: 'disk' })
})

// Another process has given the key away. This process still caches the old thread.
describe('a cached thread that has lost its key gets no more messages', () => {
  test.each([
    ['by its key', { text: 'x' }],
    ['by its key with a state', { text: 'x', state: 'failed' }],
  ])('%s: %o', async (_case, body) => {
    const world = await makeWorld(service)
    const { threadID } = await post(world, { text: 'first' })
    await world.operator.db.thread.updateMany({
      where: { id: threadID },
      data: { threadBy: null, threadByTarget: null },
    })
    const next = await post(world, body)
    expect(next).toMatchObject({ threadCreated: true })
    expect(await threadOf(world, threadID)).toMatchObject({ lastPosition: 1 })
    expect(await post(world, body)).toMatchObject({ threadID: next.threadID, threadCreated: false })
  })
})
