import { expect, test } from 'vitest'
import { alertmanager } from '../../../src/webhooks/formats/alerts/alertmanager.ts'
import { github } from '../../../src/webhooks/formats/github.ts'
import { gitlab } from '../../../src/webhooks/formats/gitlab.ts'
import { shortenMarkdown } from '../../../src/webhooks/formats/shorten.ts'
import { slack } from '../../../src/webhooks/formats/slack.ts'
import { githubBody } from './payloads/github-bodies.ts'
import { pipeline } from './payloads/gitlab-bodies.ts'
import { settings } from './read-format.ts'

const bodyOfComment = (body: string) => githubBody('issue_comment.created', { comment: { body } })
const bodyOfLabels = (n: number) =>
  githubBody('issues.opened', { issue: { labels: Array(n).fill({ name: 'a' }) } })
const alert = { status: 'firing', labels: { a: 'b' }, fingerprint: 'f' }

test.each([
  [
    'slashes in an address',
    alertmanager,
    (n: number) => ({ groupKey: 'k', alerts: [alert], externalURL: `${'/'.repeat(n)}x` }),
  ],
  ['spaces in code', slack, (n: number) => ({ text: `\` ${'a'.repeat(n)}x\`` })],
  ['tables that are none', github, (n: number) => bodyOfComment('|\n|-|\n'.repeat(n / 6))],
  ['brackets', github, (n: number) => bodyOfComment('![a'.repeat(n / 3))],
  ['quotes', github, (n: number) => bodyOfComment('> '.repeat(n / 2))],
  ['labels', github, (n: number) => bodyOfLabels(n)],
  [
    'commits',
    github,
    (n: number) => ({ ref: 'x', before: 'a', after: 'b', commits: Array(n).fill({ id: 'c' }) }),
  ],
  [
    'jobs',
    gitlab,
    (n: number) => pipeline('failed', '', { builds: Array(n).fill({ status: 'failed', name: 'x' }) }),
  ],
])('%s cost time in proportion to their number', (_what, { read }, bodyOf) => {
  const costOf = (count: number) => {
    const body = bodyOf(count)
    const start = process.cpuUsage()
    read({ headers: {}, body, settings })
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  costOf(1000)
  // Quadratic time would be 400 times as much, or more than five seconds.
  expect(costOf(60_000)).toBeLessThan(60 * costOf(3000) + 500_000)
})

test('backslashes cost time in proportion to their number when a text is shortened', () => {
  const start = process.cpuUsage()
  // Quadratic time would be more than ten seconds.
  shortenMarkdown(`${'\\'.repeat(200_000)}${'x'.repeat(300_000)}`, 400_000)
  const { user, system } = process.cpuUsage(start)
  expect(user + system).toBeLessThan(3_000_000)
})
