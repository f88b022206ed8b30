import { type Random, randomJSON } from './random-json.ts'
import { userID } from './read-format.ts'

const names = [
  ...['status', 'state', 'alerts', 'labels', 'annotations', 'groupLabels', 'commonLabels', 'groupKey'],
  ...[
    'externalURL',
    'generatorURL',
    'truncatedAlerts',
    'fingerprint',
    'startsAt',
    'title',
    'message',
    'orgId',
  ],
  ...['values', 'dashboardURL', 'silenceURL', 'summary', 'alertname', 'severity', 'runbook_url'],
  ...['__proto__', 'constructor', ''],
] as const
const mention = `[x](skein:${userID})`
const texts = [
  ...['firing', 'resolved', 'TestAlert', 'x'.repeat(500), '*a* _b_ `c` ~~d~~', '- a\n+ b\n1. c\n> d'],
  ...['```\ncode', mention, `a\n${mention}`, '<b>', '](https://a.example)', '![x](https://a.example)'],
  ...['https://a.example/(_)<>\\"*', 'javascript:alert(1)', '2026-11-26T10:00:00Z', '0001-01-01T00:00:00Z'],
  ...['{}:{}', 'webhook-57c6d9296de2ad39-1634029863'],
]
const shape = { names: ['', ...names] as const, texts }

/** Returns a JSON value. Its names and texts are often those of an alert. */
export function anyJSON(random: Random): unknown {
  return randomJSON(random, shape)
}

/** Returns a body that has a list of alerts, and any JSON in all places. */
export function anyAlerts(random: Random): unknown {
  const fields = () => {
    const chosen = names.filter(() => random() > 1 / 3)
    return Object.fromEntries(chosen.map((name) => [name, randomJSON(random, shape, 2)]))
  }
  const length = Math.floor(random() * 30)
  const alerts = Array.from({ length }, () => (random() > 1 / 9 ? fields() : anyJSON(random)))
  return { ...fields(), alerts }
}
