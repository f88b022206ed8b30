import { isBlankMarkdown } from '../../../src/text/markdown/plain-text.ts'
import { mentionedIDs, renderMarkdown } from '../../../src/text/markdown/render-markdown.ts'
import type { Format, Operation, Settings } from '../../../src/webhooks/formats/format.ts'
import type { Random } from '../../faults/random.ts'

export const settings: Settings = {
  groupID: 'grp_2Bo1m9Wc8Yy5YH1Yq6oTkzSGnCe',
  mentionScheme: 'skein',
  notifiesResolved: false,
  limits: { textCharacters: 40_000, subjectCharacters: 250 },
}

/** Reads a body that becomes operations. */
export function operationsOf(format: Format, body: unknown, changes: Partial<Settings> = {}): Operation[] {
  const reading = format.read({ headers: {}, body, settings: { ...settings, ...changes } })
  if ('skip' in reading) throw new Error(`The body was skipped: ${reading.skip}`)
  return reading.operations
}

/** Returns the HTML of a message. A mention would be a span. */
export function htmlOf({ text }: Operation): string {
  const names = new Map(mentionedIDs(text, ['skein']).map((id) => [id, 'somebody']))
  return renderMarkdown(text, { schemes: ['skein'], names })
}

/** Returns what the plain URL would refuse about an operation, and markup that a payload could have made. */
export function faultsOf(operation: Operation, { limits }: Settings): string[] {
  const { text, uniqueBy, threadBy, threadSubject } = operation
  const keys = [uniqueBy, threadBy, threadSubject].filter((key) => key !== undefined)
  const html = htmlOf(operation)
  const tags = new Set([...html.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag))
  const faults = {
    'long text': text.length > limits.textCharacters,
    'blank text': isBlankMarkdown(text),
    'long subject': (threadSubject ?? '').length > limits.subjectCharacters,
    'empty key': keys.includes(''),
    'text that PostgreSQL refuses': [text, ...keys].some(
      (value) => value.includes('\0') || !value.isWellFormed(),
    ),
    'a subject of several lines': /\n/.test(threadSubject ?? ''),
    mention: html.includes('mention'),
    markup: [...tags].some((tag) => !['p', 'br', 'strong', 'a', 'ul', 'li'].includes(tag ?? '')),
    'link that is not to the web': [...html.matchAll(/href="([^"]*)"/g)].some(
      ([, url]) => !/^https?:/.test(url ?? ''),
    ),
  }
  return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [fault] : []))
}

const mention = '[x](skein:usr_2Bo1m9Wc8Yy5YH1Yq6oTkzSGnCe)'
const strings = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u200b',
  'firing',
  'resolved',
  'TestAlert',
  'x'.repeat(500),
  '*a* _b_ `c` ~~d~~',
  '- a\n+ b\n1. c\n> d',
  '```\ncode',
  mention,
  `a\n${mention}`,
  '<b>',
  '\\',
  '](https://a.example)',
  '![x](https://a.example)',
  'https://a.example/(_)<>\\"*',
  'javascript:alert(1)',
  'מערכת\u202e',
  '2026-11-26T10:00:00Z',
  '0001-01-01T00:00:00Z',
  '{}:{}',
  'webhook-57c6d9296de2ad39-1634029863',
] as [string, ...string[]]
const names = [
  'status',
  'state',
  'alerts',
  'labels',
  'annotations',
  'groupLabels',
  'commonLabels',
  'groupKey',
  'externalURL',
  'generatorURL',
  'truncatedAlerts',
  'fingerprint',
  'startsAt',
  'title',
  'message',
  'orgId',
  'values',
  'dashboardURL',
  'silenceURL',
  'summary',
  'alertname',
  'severity',
  'runbook_url',
  '__proto__',
  'constructor',
  '',
] as [string, ...string[]]

/** Returns any JSON value. Its names and texts are often those of an alert. */
export function anyJSON(random: Random, depth = 4): unknown {
  const kind = random.below(depth > 0 ? 10 : 6)
  if (kind === 0) return random.pick([null, true, 0, -1, 1e300, 2 ** 53])
  if (kind < 6) return random.pick(strings)
  const length = random.below(5)
  if (kind === 6) return Array.from({ length }, () => anyJSON(random, depth - 1))
  return JSON.parse(
    `{${Array.from({ length }, () => `${JSON.stringify(random.pick([random.pick(names), random.pick(strings)]))}:${JSON.stringify(anyJSON(random, depth - 1))}`).join()}}`,
  )
}

/** Returns a body that has a list of alerts, and any JSON in all places. */
export function anyAlerts(random: Random): unknown {
  const fields = (chosen: readonly string[]) =>
    Object.fromEntries(chosen.filter(() => random.below(3) > 0).map((name) => [name, anyJSON(random, 2)]))
  const alerts = Array.from({ length: random.below(30) }, () =>
    random.below(9) ? fields(names) : anyJSON(random),
  )
  return { ...fields(names), alerts }
}
