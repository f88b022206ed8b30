import { describe, expect, test } from 'vitest'
import { github } from '../../../src/webhooks/formats/github.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { githubBody, githubNames } from './payloads/github-bodies.ts'
import { changedAtRandom } from './random-json.ts'
import { faultsOf, operationOf, refusalOf, settings, userID } from './read-format.ts'

const read = (name: string, changes: object = {}) => operationOf(github, githubBody(name, { ...changes }))
const skipped = (body: unknown) => github.read({ headers: {}, body, settings })

describe('a pull request', () => {
  test('has a card with its title, state, author, labels, draft and branches', () => {
    const changes = {
      draft: true,
      title: 'Use `x` [now] *really*',
      labels: [{ name: 'good_first_issue' }, { name: '*bug*' }],
      head: { label: 'monalisa:feat', repo: { id: 7 } },
    }
    expect(read('pull_request.opened', { pull_request: changes })).toEqual({
      threadBy: 'github-186853002#2',
      threadSubject: 'Hello-World#2 Use `x` [now] *really*',
      threadClosed: false,
      uniqueBy: 'card',
      version: 1557933633000002,
      senderName: 'Codertocat',
      text: [
        '**[Use \\`x\\` \\[now\\] \\*really\\*](https://github.com/Codertocat/Hello-World/pull/2)**',
        'Open · draft · by Codertocat · `monalisa:feat` → `master`',
        'Labels: good_first_issue, \\*bug\\*',
        '',
        'This is a pretty simple change that we need to pull into master.',
      ].join('\n'),
    })
  })

  test('that is merged closes its thread and is ok', () => {
    const merged = { merged: true, state: 'closed', merged_at: '2019-05-15T15:21:18Z' }
    expect(read('pull_request.closed', { pull_request: merged })).toMatchObject({
      threadClosed: true,
      state: 'ok',
      text: expect.stringContaining('\nMerged · by Codertocat'),
    })
  })

  test('keeps its thread if the repository is renamed or its title changes', () => {
    const renamed = read('pull_request.opened', {
      repository: { name: 'New', full_name: 'Codertocat/New' },
      pull_request: { title: 'New title' },
    })
    expect(renamed.threadBy).toBe(read('pull_request.opened').threadBy)
  })

  test('has keys with its number if the target is a thread, and does not close it', () => {
    const changes = { groupID: undefined }
    for (const name of [
      'pull_request.closed',
      'pull_request_review_comment.created',
      'check_suite.completed',
    ]) {
      const operation = operationOf(github, githubBody(name), changes)
      expect(operation).toMatchObject({
        threadState: 'keep',
        uniqueBy: expect.stringMatching(/^github-186853002#2 /),
      })
      expect(operation).not.toHaveProperty('threadBy')
      expect(operation).not.toHaveProperty('threadClosed')
    }
  })
})

describe('a review', () => {
  test.each([
    ['approved', 'ok', 'Approved'],
    ['changes_requested', 'failed', 'Requested changes'],
    ['dismissed', 'running', 'The review was dismissed'],
  ])('that says %s has the state %s', (state, expected, text) => {
    expect(read('pull_request_review.submitted', { review: { state } })).toMatchObject({
      uniqueBy: 'review-Codertocat',
      state: expected,
      threadState: 'keep',
      text: expect.stringMatching(new RegExp(`^\\[${text}\\]`)),
    })
  })

  test('that only comments leaves the verdict of the reviewer as it is', () => {
    const review = { state: 'commented', body: 'Nice' }
    const operation = read('pull_request_review.submitted', { review })
    expect(operation).toMatchObject({ uniqueBy: 'reviewed-237895671', text: expect.stringContaining('Nice') })
    expect(operation.state).toBeUndefined()
    expect(skipped(githubBody('pull_request_review.submitted'))).toEqual({
      skip: expect.stringContaining('Its comments have their own events.'),
    })
  })
})

describe('a check suite', () => {
  test.each([
    ['success', 'ok', 'never'],
    ['neutral', 'ok', 'never'],
    ['failure', 'failed', undefined],
    ['timed_out', 'failed', undefined],
    ['cancelled', 'failed', 'never'],
    ['a new conclusion', 'failed', 'never'],
  ])('with the conclusion %s is %s', (conclusion, state, notify) => {
    const operation = read('check_suite.completed', { check_suite: { conclusion } })
    expect(operation).toMatchObject({ state, onlyInThread: true, threadClosed: 'keep', threadState: 'keep' })
    expect(operation.notify).toBe(notify)
  })

  test('has a key with its commit and its app, and for GitHub Actions with its ID, because there are several', () => {
    const sha = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'
    const keyOf = (app: object) => read('check_suite.completed', { check_suite: { app } }).uniqueBy
    expect([keyOf({ slug: 'linter' }), keyOf({ slug: 'github-actions' })]).toEqual([
      `checks-${sha}-linter`,
      `checks-${sha}-github-actions-118578147`,
    ])
  })

  test('is written for each pull request, in the repository that the pull request is for', () => {
    const pulls = [{ number: 2 }, { number: 3, base: { repo: { id: 8 } } }]
    const reading = github.read({
      headers: {},
      body: githubBody('check_suite.completed', { check_suite: { pull_requests: pulls } }),
      settings,
    })
    expect(reading).toMatchObject({
      operations: [{ threadBy: 'github-186853002#2' }, { threadBy: 'github-8#3' }],
    })
    expect(
      skipped(githubBody('check_suite.completed', { check_suite: { pull_requests: [] } })),
    ).toHaveProperty('skip')
  })
})

test('a push shows its last commits', () => {
  const commits = Array.from({ length: 12 }, (_, index) => ({
    id: `${index}`.padStart(40, '0'),
    message: `Fix *${index}*\n\nBody`,
    url: `https://github.com/Codertocat/Hello-World/commit/${index}`,
    author: { username: 'monalisa' },
  }))
  const before = '6113728f27ae82c7b1a177c8d03f9e96e0adf246'
  const { text } = read('push', { commits, before, ref: 'refs/heads/a`b', forced: true })
  expect(text).toMatch(/^Force-pushed \[12 commits\]\(https.*\) to the branch ``a`b`` in \*\*\[Codertocat/)
  expect(text).toContain(
    '\n- [0000000](https://github.com/Codertocat/Hello-World/commit/11) Fix \\*11\\* (monalisa)\n',
  )
  expect(text.split('\n')).toHaveLength(12)
  expect(text).toMatch(/\n- and 2 more$/)
})

test.each([
  ['0'.repeat(40), 'abc', /^Created the branch `x` /],
  ['abc', '0'.repeat(40), /^Deleted the branch `x` /],
])('a push from %s to %s creates or deletes a branch', (before, after, text) => {
  expect(read('push', { before, after, ref: 'refs/heads/x', commits: [] }).text).toMatch(text)
})

describe('a body', () => {
  test('can be a form', () => {
    const body = { payload: JSON.stringify(githubBody('pull_request.opened')) }
    expect(operationOf(github, body)).toEqual(read('pull_request.opened'))
  })

  test.each([
    [{ payload: '{' }, 'payload'],
    [{ payload: '[]' }, 'body'],
    [[], 'body'],
    [null, 'body'],
  ])('that is no JSON object is refused: %j', (body, field) => {
    expect(refusalOf(github, body).errors).toMatchObject([{ field }])
  })

  test('of an event that is not known is skipped with a reason', () => {
    expect(skipped({ action: 'x', sender: {}, repository: {} })).toEqual({
      skip: 'An event with the action "x" that becomes no message.',
    })
    expect(skipped(githubBody('ping'))).toEqual({ skip: expect.stringContaining('works') })
  })

  test('is recognized', () => {
    expect(githubNames.filter((name) => !github.recognizes(githubBody(name)))).toEqual([])
    expect(github.recognizes({ text: 'x' })).toBe(false)
  })

  test('with anything in its fields is skipped, or becomes messages without faults', () => {
    const texts = [
      `[x](skein:${userID})`,
      'closed',
      'approved',
      'x'.repeat(400),
      '2026-01-31T12:00:00Z',
      '\0',
      '\ud800',
    ]
    for (let seed = 1; seed <= 1500; seed += 1) {
      const random = randomNumbers(seed)
      const name = githubNames[seed % githubNames.length] ?? ''
      const body = changedAtRandom(random, githubBody(name), texts)
      const limits = { textCharacters: 500, subjectCharacters: 30 }
      const reading = github.read({ headers: {}, body, settings: { ...settings, limits } })
      const operations = 'skip' in reading ? [] : reading.operations
      const faults = operations.flatMap((operation) => faultsOf(operation, { ...settings, limits }))
      expect({ seed, faults: faults.filter((fault) => fault !== 'markup') }).toEqual({ seed, faults: [] })
    }
  })
})
