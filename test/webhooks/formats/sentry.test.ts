import { describe, expect, test } from 'vitest'
import { sentry } from '../../../src/webhooks/formats/sentry.ts'
import { makeWorld, postToWebhook, type World } from '../../support/factories.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { startService } from '../../support/service.ts'
import { alertBody, issueBody, metricBody, pluginBody } from './payloads/sentry-bodies.ts'
import { faultsOf, operationOf, operationsOf, refusalOf, settings } from './read-format.ts'

const service = await startService()
const id = '1170820242'
const resolved = { status: 'resolved', substatus: null }

const post = ({ webhook, publicGroup }: World, body: object, headers = {}) =>
  postToWebhook(service, `${webhook.path}/sentry?target=${publicGroup.id}`, body, headers)

async function stateOf({ operator: { db }, workspaceID }: World) {
  const threads = await db.thread.findMany({ where: { workspaceID, kind: 'thread' } })
  const messages = await db.message.findMany({ where: { workspaceID } })
  return {
    threads: threads.map(({ subject, state, closedAt }) => ({ subject, state, isClosed: closedAt !== null })),
    messages: messages.map(({ uniqueBy, text, state }) => `${uniqueBy} ${state} ${text}`).toSorted(),
  }
}

describe('an issue', () => {
  test('has one thread and one message, which calls about it update', () => {
    expect(operationOf(sentry, issueBody('created'))).toMatchObject({
      threadBy: `issue-${id}`,
      threadSubject: 'ReferenceError: total is not defined',
      uniqueBy: `issue-${id}`,
      senderName: 'Sentry',
      state: 'failed',
      threadClosed: false,
    })
    const calls = [issueBody('resolved', resolved), issueBody('unresolved', { substatus: 'regressed' })]
    expect(calls.map((body) => operationOf(sentry, body).uniqueBy)).toEqual([`issue-${id}`, `issue-${id}`])
  })

  test.each([
    ['resolved', resolved, 'ok', true, 'Resolved'],
    ['archived', { status: 'ignored', substatus: 'archived_until_escalating' }, 'ok', true, 'Archived'],
    ['ignored', { status: 'ignored' }, 'ok', true, 'Archived'],
    ['unresolved', { substatus: 'regressed' }, 'failed', false, 'Regressed'],
    ['unresolved', { substatus: 'escalating' }, 'failed', false, 'Escalating'],
    ['assigned', resolved, 'ok', true, 'Resolved'],
    ['resolved', { status: undefined, substatus: undefined }, 'ok', true, 'Resolved'],
    ['triggered', {}, 'failed', false, 'Events: 1'],
  ])('that is %s with %j sets the state %s', (action, fields, state, threadClosed, text) => {
    const operation = operationOf(sentry, issueBody(action, fields))
    expect(operation).toMatchObject({ state, threadClosed })
    expect(operation.text).toContain(text)
  })

  test('calls people when it begins or comes back, and when it is resolved only if the webhook is set so', () => {
    const notifyOf = (body: object, notifiesResolved: boolean) =>
      operationOf(sentry, body, { notifiesResolved }).notify
    expect(notifyOf(issueBody('created'), false)).toBeUndefined()
    expect(notifyOf(issueBody('unresolved'), false)).toBeUndefined()
    expect(notifyOf(issueBody('assigned'), true)).toBe('never')
    expect(notifyOf(issueBody('resolved', resolved), false)).toBe('never')
    expect(notifyOf(issueBody('resolved', resolved), true)).toBe('always')
  })

  test('without a time has no version, and a time without a zone is in UTC', () => {
    const versionOf = (lastSeen: unknown) => operationOf(sentry, issueBody('resolved', { lastSeen })).version
    const version = 4 * Date.UTC(2026, 0, 31, 12) + 2
    const times = ['2026-01-31T12:00:00', '2026-01-31T13:00:00.000001+01:00', 1769860800]
    expect(times.map(versionOf)).toEqual([version, version, version])
    for (const lastSeen of [null, '', 'x', -1, 1e300, {}, '9999-99-99'])
      expect({ lastSeen, version: versionOf(lastSeen) }).toEqual({ lastSeen, version: undefined })
  })

  test('in a target that is a thread has no thread of its own', () => {
    const bodies = [issueBody('created'), alertBody(), metricBody('critical')]
    for (const operation of bodies.flatMap((body) => operationsOf(sentry, body, { groupID: undefined }))) {
      expect(operation).not.toHaveProperty('threadBy')
      expect(operation).not.toHaveProperty('threadClosed')
      expect(operation.uniqueBy).toMatch(/./)
    }
  })
})

describe('an issue alert', () => {
  test('writes a message for its event in the thread of the issue', () => {
    const [card, event] = operationsOf(sentry, alertBody())
    expect(card).toMatchObject({
      threadBy: `issue-${id}`,
      uniqueBy: `issue-${id}`,
      state: 'failed',
      notify: 'never',
    })
    expect(event).toMatchObject({ threadBy: `issue-${id}`, threadClosed: 'keep' })
    expect(event?.uniqueBy).toBe('event-e4874d664c3540c1a32eab185f12c5ab Checkout is broken')
    expect(event).not.toHaveProperty('state')
  })

  test('of the older plug-in does the same', () => {
    const [card, event] = operationsOf(sentry, pluginBody)
    expect(card).toMatchObject({ threadBy: 'issue-541485531', threadSubject: 'The card was refused' })
    expect(event?.uniqueBy).toBe('event-0476467adf8f499ea795a48fcc4bf290 New issues')
  })
})

describe('a call that is not shown', () => {
  test.each([
    ['error', { action: 'created', data: { error: { event_id: 'x', issue_id: '1' } } }],
    [
      'comment',
      { action: 'created', data: { comment: 'x', comment_id: '1', issue_id: '1', project_slug: 'x' } },
    ],
    ['installation', { action: 'created', data: { installation: { uuid: 'x', status: 'pending' } } }],
    ['seer', { action: 'root_cause_completed', data: { run_id: 1, group_id: 2 } }],
  ])('of the resource %s is skipped with a reason', async (resource, body) => {
    const world = await makeWorld(service)
    const answer = await post(world, body, { 'sentry-hook-resource': resource })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { skipped: `The call of Sentry is about "${resource}".` },
    ])
    expect((await post(world, body)).json().skipped).toMatch(/neither about an issue nor/)
    expect((await stateOf(world)).messages).toEqual([])
  })

  test('has no ID or an unknown action', () => {
    const bodies = [
      issueBody('created', { id: null }),
      alertBody({ issue_id: '' }),
      metricBody('critical', { id: {}, identifier: null }),
      metricBody('exploded'),
    ]
    for (const body of bodies) expect(sentry.read({ headers: {}, body, settings })).toHaveProperty('skip')
    for (const body of [null, [], 'x', {}, { data: [] }])
      expect(refusalOf(sentry, body).errors).toMatchObject([{ field: 'data' }])
  })
})

test('a text of a payload is no markup and mentions nobody', () => {
  const evil = `[Ann](skein:usr_0ujzPyRiIAffKhBux4PvQdDqMHY) **x** \`y\` <b>\n> z`
  const fields = { title: evil, culprit: evil, shortId: evil, level: evil, web_url: 'javascript:alert(1)' }
  const bodies = [
    issueBody('created', fields),
    alertBody({ ...fields, message: evil }, evil),
    metricBody('critical', { projects: [evil] }),
  ]
  for (const operation of bodies.flatMap((body) => operationsOf(sentry, body)))
    expect(faultsOf(operation, settings)).toEqual([])
})

describe('calls in any order, and twice', () => {
  const time = (minute: number) => `2026-01-31T12:${String(minute).padStart(2, '0')}:00.000000Z`
  const seen = (minute: number, more: object = {}) => ({
    lastSeen: time(minute),
    count: String(minute),
    ...more,
  })
  const event = (minute: number) => alertBody({ datetime: time(minute), event_id: `event${minute}` })
  const opening = issueBody('created', seen(0))
  const history = [
    event(1),
    issueBody('assigned', seen(2, { assignedTo: { name: 'Ada' } })),
    issueBody('resolved', seen(3, resolved)),
    event(5),
    issueBody('unresolved', seen(6, { substatus: 'regressed' })),
    event(8),
    issueBody('archived', seen(10, { status: 'ignored' })),
  ]

  test.each([
    ['that ends archived', history, { state: 'ok', isClosed: true }],
    ['that ends with a regression', history.slice(0, -1), { state: 'failed', isClosed: false }],
    ['that ends resolved', history.slice(0, 3), { state: 'ok', isClosed: true }],
  ])('of a history %s end with the same thread, messages and states', async (_what, calls, outcome) => {
    const inOrder = await makeWorld(service)
    for (const body of [opening, ...calls]) await post(inOrder, body)
    const expected = await stateOf(inOrder)
    expect(expected.threads).toMatchObject([outcome])
    for (let seed = 1; seed <= 3; seed += 1) {
      const random = randomNumbers(seed)
      const order = [...calls, ...calls, opening].map((body) => ({ body, at: random() }))
      const world = await makeWorld(service)
      await post(world, opening)
      for (const { body } of order.toSorted((one, other) => one.at - other.at))
        expect((await post(world, body)).statusCode).toBe(200)
      expect({ seed, ...(await stateOf(world)) }).toEqual({ seed, ...expected })
    }
  })

  test('of an incident end with its resolution, and a later incident has a thread of its own', async () => {
    const world = await makeWorld(service)
    const calls = [
      metricBody('critical'),
      metricBody('resolved'),
      metricBody('warning'),
      metricBody('critical'),
    ]
    for (const body of calls) await post(world, body)
    const closed = { subject: 'Too many errors', state: 'ok', isClosed: true }
    expect((await stateOf(world)).threads).toEqual([closed])
    await post(world, metricBody('critical', { id: '5', date_started: time(40) }))
    expect((await stateOf(world)).threads).toHaveLength(2)
  })

  test('an alert is not older than the resolution of its issue that Sentry sends with a time of before', async () => {
    const world = await makeWorld(service)
    await post(world, event(1))
    await post(world, issueBody('resolved', { ...resolved, lastSeen: '2026-01-31T12:00:30Z' }))
    expect((await stateOf(world)).threads).toMatchObject([{ state: 'ok', isClosed: true }])
  })
})

test('a call that opens a thread is answered within the second that Sentry waits', async () => {
  const world = await makeWorld(service)
  await post(world, issueBody('created', { id: '1' }))
  const start = process.cpuUsage()
  const answer = await post(world, alertBody({ issue_id: '2' }))
  const { user, system } = process.cpuUsage(start)
  expect(answer.json().messages).toMatchObject([{ threadCreated: true }, { threadCreated: false }])
  expect(user + system).toBeLessThan(1_000_000)
})
