import { describe, expect, test } from 'vitest'
import { gitlab } from '../../../src/webhooks/formats/gitlab.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import * as bodies from './payloads/gitlab-bodies.ts'
import { changedAtRandom, pick } from './random-json.ts'
import { faultsOf, operationOf, operationsOf, refusalOf, settings, userID } from './read-format.ts'

const skipped = (body: unknown) => gitlab.read({ headers: {}, body, settings })
const time = '2026-01-31 12:00:00 UTC'
const microseconds = Date.UTC(2026, 0, 31, 12) * 1000

describe('a merge request', () => {
  test('has a card with its title, state, labels, draft and branches, in the name of its author', () => {
    expect(operationOf(gitlab, bodies.mergeRequest('open', time, { draft: true }))).toEqual({
      threadBy: 'gitlab-1!1',
      threadSubject: 'gitlab-test!1 MS-Viewport',
      threadClosed: false,
      uniqueBy: 'card',
      version: microseconds + 1,
      senderName: 'root',
      text: [
        '**[MS-Viewport](http://example.com/gitlabhq/gitlab-test/merge_requests/1)**',
        'Open · draft · `ms-viewport` → `master`',
        'Labels: API',
        '',
        'Scales the page on phones.',
      ].join('\n'),
    })
  })

  test('is in nobody’s name if the body does not name the author', () => {
    const operation = operationOf(gitlab, bodies.mergeRequest('update', time, { author_id: 99 }))
    expect(operation).not.toHaveProperty('senderName')
  })

  test.each([
    ['approved', 'ok'],
    ['approval', 'ok'],
    ['unapproved', 'running'],
    ['unapproval', 'running'],
  ])('with the action %s has a message of the approver', (action, state) => {
    const [card, review] = operationsOf(gitlab, bodies.mergeRequest(action, time))
    expect(card?.uniqueBy).toBe('card')
    expect(review).toMatchObject({
      uniqueBy: 'review-root',
      state,
      threadBy: 'gitlab-1!1',
      threadState: 'keep',
    })
  })

  test('and an issue with the same number have two threads', () => {
    const [one, other] = [bodies.mergeRequest('open', time), bodies.issue('open', time, { iid: 1 })]
    expect(operationOf(gitlab, one).threadBy).not.toBe(operationOf(gitlab, other).threadBy)
  })
})

test.each([
  ['2026-01-31T12:00:00Z', 0],
  ['2026-01-31 12:00:00 UTC', 0],
  ['2026-01-31 14:00:00 +0200', 0],
  ['2026-01-31T12:00:00.123456+00:00', 123_000],
])('the time %s is a version', (updatedAt, more) => {
  expect(operationOf(gitlab, bodies.note(1, updatedAt, 'x', bodies.onCommit)).version).toBe(
    microseconds + more,
  )
})

test.each(['', 'yesterday', null, 5, '2026-99-99T12:00:00Z'])('the time %j is no version', (updatedAt) => {
  const operation = operationOf(gitlab, bodies.issue('update', updatedAt as string))
  expect(operation).not.toHaveProperty('version')
})

describe('a pipeline', () => {
  test.each([
    ['pending', 'running', 'never'],
    ['manual', 'running', 'never'],
    ['success', 'ok', 'never'],
    ['skipped', 'ok', 'never'],
    ['failed', 'failed', undefined],
    ['canceled', 'failed', 'never'],
  ])('that is %s has the state %s', (status, state, notify) => {
    const operation = operationOf(gitlab, bodies.pipeline(status, time))
    expect(operation).toMatchObject({
      uniqueBy: 'pipeline-31',
      threadBy: 'gitlab-1!1',
      onlyInThread: true,
      state,
    })
    expect(operation.notify).toBe(notify)
  })

  test('names the jobs that failed, and calls for a success if the webhook is set so', () => {
    expect(operationOf(gitlab, bodies.pipeline('failed', time)).text).toMatch(/: failed\nFailed: test-build$/)
    const operation = operationOf(gitlab, bodies.pipeline('success', time), { notifiesResolved: true })
    expect(operation.notify).toBe('always')
  })

  test('without a merge request is a message of the group', () => {
    const operation = operationOf(gitlab, bodies.pipeline('success', time, { merge_request: null }))
    expect(operation).toMatchObject({ uniqueBy: 'pipeline-31' })
    expect(operation).not.toHaveProperty('threadBy')
  })
})

test.each([
  { object_kind: 'emoji' },
  { event_name: 'user_add_to_group' },
  { object_kind: 'note', object_attributes: { id: 1, system: true } },
  { object_kind: 'merge_request' },
  { object_kind: 5 },
  {},
])('an event that is not known is skipped, because GitLab disables a webhook that fails: %j', (body) => {
  expect(skipped(body)).toEqual({ skip: expect.stringMatching(/\.$/) })
})

test('a body that is no JSON object is refused', () => {
  expect(refusalOf(gitlab, []).errors).toMatchObject([{ field: 'body' }])
})

test('a body with anything in its fields is skipped, or becomes messages without faults', () => {
  const known: [unknown, ...unknown[]] = [
    bodies.note(1, time, 'x', bodies.onMergeRequest()),
    ...[bodies.push, bodies.release, bodies.deployment, bodies.build('failed')],
    ...[bodies.mergeRequest('approved', time), bodies.issue('close', time), bodies.pipeline('failed', time)],
  ]
  const texts = [`[x](skein:${userID})`, 'merged', 'failed', 'x'.repeat(400), time, '\0', '\ud800']
  for (let seed = 1; seed <= 1500; seed += 1) {
    const random = randomNumbers(seed)
    const body = changedAtRandom(random, pick(random, known), texts)
    const limits = { textCharacters: 500, subjectCharacters: 30 }
    const reading = gitlab.read({ headers: {}, body, settings: { ...settings, limits } })
    const operations = 'skip' in reading ? [] : reading.operations
    const faults = operations.flatMap((operation) => faultsOf(operation, { ...settings, limits }))
    expect({ seed, faults: faults.filter((fault) => fault !== 'markup') }).toEqual({ seed, faults: [] })
  }
})
