import { beforeEach, expect, test, vi } from 'vitest'
import { alertmanager } from '../../../src/webhooks/formats/alerts/alertmanager.ts'
import { discord } from '../../../src/webhooks/formats/discord.ts'
import { github } from '../../../src/webhooks/formats/github.ts'
import { gitlab } from '../../../src/webhooks/formats/gitlab.ts'
import { markupMarkdown } from '../../../src/webhooks/formats/markup/markup.ts'
import { sentry } from '../../../src/webhooks/formats/sentry.ts'
import { shortenMarkdown } from '../../../src/webhooks/formats/shorten.ts'
import { slack } from '../../../src/webhooks/formats/slack.ts'
import { template } from '../../../src/webhooks/formats/template.ts'
import { githubBody } from './payloads/github-bodies.ts'
import { pipeline } from './payloads/gitlab-bodies.ts'
import { alertBody, issueBody } from './payloads/sentry-bodies.ts'
import { settings } from './read-format.ts'

const templates = { text: '{{ list | join }} {{ text }} {{ text | code }} {{ text | link: text }}' }
const bodyOfLabels = (n: number) =>
  githubBody('issues.opened', { issue: { labels: Array(n).fill({ name: 'a' }) } })
const alert = { status: 'firing', labels: { a: 'b' }, fingerprint: 'f' }

// The last stop of templates depends on the clock, and these tests on the time of the processor.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))

test.each([
  [
    'slashes in an address',
    alertmanager,
    (n: number) => ({ groupKey: 'k', alerts: [alert], externalURL: `${'/'.repeat(n)}x` }),
  ],
  ['spaces after a heading', discord, (n: number) => ({ content: `#${' '.repeat(n)}` })],
  ['ticks in Discord', discord, (n: number) => ({ content: '`` ` '.repeat(n / 5) })],
  ['marks of spoilers', discord, (n: number) => ({ content: '||<t:'.repeat(n / 5) })],
  ['brackets in Discord', discord, (n: number) => ({ embeds: [{ title: '[<https://a'.repeat(n / 11) }] })],
  ['embeds', discord, (n: number) => ({ embeds: Array.from({ length: n / 10 }, () => ({ title: 'x' })) })],
  [
    'empty embeds',
    discord,
    (n: number) => ({ content: 'x', embeds: Array.from({ length: n / 2 }, () => ({})) }),
  ],
  [
    'frames',
    sentry,
    (n: number) => alertBody({ exception: { values: [{ stacktrace: { frames: Array(n).fill({}) } }] } }),
  ],
  ['spaces in a title', sentry, (n: number) => issueBody('created', { title: `x${' '.repeat(n)}x` })],
  [
    'slashes in the address of an event',
    sentry,
    (n: number) => alertBody({ web_url: `https://a/${'/events/'.repeat(n / 8)}x` }),
  ],
  ['spaces in code', slack, (n: number) => ({ text: `\` ${'a'.repeat(n)}x\`` })],
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
  [
    'values in templates',
    template,
    (n: number) => ({ list: Array(n / 4).fill('[`*'), text: '](*_!'.repeat(n / 5) }),
  ],
])('%s cost time in proportion to their number', (_what, { read }, bodyOf) => {
  expectProportion(bodyOf, (body) => read({ headers: {}, body, settings: { ...settings, templates } }))
})

test.each(
  [
    ['|\n|-|\n', '|a|\n|-|\n', 'a\n|-|b\n', 'a\n===\n', '- a\n', '> ', '- - ', '1. a\n'],
    [
      '![a',
      '[a](',
      '](u)',
      '[![a](b)](c)',
      '`',
      '` `` ``` ',
      '**a *b ',
      '<!--',
      '<a ',
      '<img src=',
      '&amp;',
      '<a:',
    ],
  ].flat(),
)('%j costs time in proportion to its number in a text of GitHub', (piece) => {
  expectProportion(
    (count) => piece.repeat(count / 3),
    (text) => markupMarkdown(text, 1_000_000),
  )
})

function expectProportion<Value>(inputOf: (count: number) => Value, read: (value: Value) => unknown): void {
  const costOf = (count: number) => {
    const value = inputOf(count)
    const start = process.cpuUsage()
    read(value)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  costOf(1000)
  // Quadratic time would be 400 times as much, or more than five seconds.
  expect(costOf(60_000)).toBeLessThan(60 * costOf(3000) + 500_000)
}

test('backslashes cost time in proportion to their number when a text is shortened', () => {
  const start = process.cpuUsage()
  // Quadratic time would be more than ten seconds.
  shortenMarkdown(`${'\\'.repeat(200_000)}${'x'.repeat(300_000)}`, 400_000)
  const { user, system } = process.cpuUsage(start)
  expect(user + system).toBeLessThan(3_000_000)
})
