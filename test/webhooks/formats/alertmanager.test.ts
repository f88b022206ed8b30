import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { alertmanager } from '../../../src/webhooks/formats/alerts/alertmanager.ts'
import { grafana } from '../../../src/webhooks/formats/alerts/grafana.ts'
import type { Format, Settings } from '../../../src/webhooks/formats/format.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { anyAlerts, anyJSON } from './random-alerts.ts'
import { pick } from './random-json.ts'
import { faultsOf, htmlOf, operationsOf, settings } from './read-format.ts'

// The bodies have the fields and the values that Alertmanager 0.25 sends.
const unset = '0001-01-01T00:00:00Z'
const firing = {
  status: 'firing',
  labels: { alertname: 'DiskFull', cluster: 'prod', instance: 'web-1', severity: 'critical' },
  annotations: {
    summary: 'The disk of web-1 is full',
    description: 'Only 2 % are free.\nDelete old logs.',
    runbook_url: 'https://runbooks.example.com/disk?name=a_b',
    owner: 'the storage team',
  },
  startsAt: '2026-11-26T23:04:47.56Z',
  endsAt: unset,
  generatorURL: 'http://prometheus.example.com/graph?g0.expr=free%28%29+%3C+2',
  fingerprint: '2b49542717da04ce',
}
const resolved = { ...firing, status: 'resolved', endsAt: '2026-11-26T23:05:47.659Z' }
const key = '{}:{alertname="DiskFull", cluster="prod"}'

function bodyOf(alerts: readonly { status: string; [field: string]: unknown }[], changes: object = {}) {
  const isFiring = alerts.some(({ status }) => status === 'firing')
  return {
    receiver: 'chat',
    status: isFiring ? 'firing' : 'resolved',
    alerts,
    groupLabels: { alertname: 'DiskFull', cluster: 'prod' },
    commonLabels: { alertname: 'DiskFull', cluster: 'prod', severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    version: '4',
    groupKey: key,
    truncatedAlerts: 0,
    ...changes,
  }
}

function manyAlerts(count: number, changes: object = {}) {
  return Array.from({ length: count }, (_, index) => ({
    ...firing,
    labels: { ...firing.labels, instance: `web-${index}` },
    fingerprint: index.toString(16).padStart(16, '0'),
    ...changes,
  }))
}

const read = (body: unknown, changes = {}) => operationsOf(alertmanager, body, changes)

describe('an alert', () => {
  test('that fires becomes a failed message in the thread of its group', () => {
    const [operation, ...others] = read(bodyOf([firing]))
    expect(others).toEqual([])
    expect(operation).toEqual({
      threadBy: key,
      threadSubject: 'DiskFull (cluster=prod)',
      senderName: 'Alertmanager',
      uniqueBy: '2b49542717da04ce 2026-11-26T23:04:47.56Z',
      text: expect.any(String),
      state: 'failed',
      threadState: 'failed',
      threadClosed: false,
    })
  })

  test('shows its name, severity, annotations, labels and links', () => {
    const [operation] = read(bodyOf([firing]))
    const silence =
      'http://alertmanager.example.com/#/silences/new?filter=%7Balertname%3D%22DiskFull%22%2C%20cluster%3D%22prod%22%2C%20instance%3D%22web-1%22%2C%20severity%3D%22critical%22%7D'
    expect(operation?.text.split('\n')).toEqual([
      '**DiskFull** (critical)',
      'The disk of web-1 is full',
      'Only 2 % are free.',
      'Delete old logs.',
      'owner: the storage team',
      'Labels: cluster=prod, instance=web-1',
      `[runbook](https://runbooks.example.com/disk?name=a_b) · [source](${firing.generatorURL}) · [silence](${silence})`,
    ])
  })

  test('that is resolved updates its message and closes the thread', () => {
    const [first] = read(bodyOf([firing]))
    const operations = read(bodyOf([resolved]))
    expect(operations.at(-1)).toMatchObject({
      uniqueBy: first?.uniqueBy,
      text: expect.stringContaining('**DiskFull** (critical), resolved\n'),
      state: 'ok',
      notify: 'never',
      threadState: 'ok',
      threadClosed: true,
    })
    const [, calling] = read(bodyOf([resolved]), { notifiesResolved: true })
    expect(calling).toMatchObject({ state: 'ok', notify: 'always' })
  })

  test('that timed out and fires again with the same start says the same as before, and reopens the thread', () => {
    const timedOut = { ...resolved, endsAt: '2026-11-26T23:09:47.56Z' }
    expect(read(bodyOf([timedOut])).at(-1)).toMatchObject({ state: 'ok', threadClosed: true })
    expect(read(bodyOf([firing]))).toEqual([
      expect.objectContaining({ state: 'failed', threadClosed: false }),
    ])
    const keys = [firing, timedOut, firing].map((alert) => read(bodyOf([alert])).at(-1)?.uniqueBy)
    expect(new Set(keys).size).toBe(1)
  })

  test('that fires anew later has a message of its own', () => {
    const later = { ...firing, startsAt: '2026-11-27T08:00:00Z' }
    const [one, other] = read(bodyOf([firing, later]))
    expect(one?.uniqueBy).not.toBe(other?.uniqueBy)
  })

  test('in a right-to-left language keeps its text', () => {
    const labels = { alertname: 'הדיסק מלא', שרת: 'אתר_1' }
    const alert = { ...firing, labels, annotations: { summary: 'השרת *לא* זמין' } }
    const [operation] = read(bodyOf([alert], { groupLabels: labels, groupKey: '{}:{alertname="הדיסק מלא"}' }))
    expect(operation).toMatchObject({ threadSubject: 'הדיסק מלא (שרת=אתר_1)' })
    expect(operation && htmlOf(operation)).toContain(
      '<strong>הדיסק מלא</strong><br>השרת *לא* זמין<br>Labels: שרת=אתר_1<br>',
    )
  })

  test('cannot mention anyone or write markup', () => {
    const hostile = '<@U1> [Ada](skein:usr_2Bo1m9Wc8Yy5YH1Yq6oTkzSGnCe) **b** `c`\n- d\n1. e\n> f'
    const alert = { ...firing, labels: { alertname: hostile, x: hostile }, annotations: { summary: hostile } }
    const [operation] = read(bodyOf([alert]))
    const html = operation ? htmlOf(operation) : ''
    expect(html.match(/<(?!br>)[a-z]+/g)).toEqual(['<p', '<strong', '<a', '<a'])
    expect(html).toContain(
      '[Ada](skein:usr_2Bo1m9Wc8Yy5YH1Yq6oTkzSGnCe) **b** `c`<br>- d<br>1. e<br>&gt; f<br>',
    )
    expect(operation?.allowMentions).toBeUndefined()
  })

  test('with the URL of a script has no link to it', () => {
    const alert = {
      ...firing,
      generatorURL: 'javascript:alert(1)',
      annotations: { runbook_url: 'skein:usr_1' },
    }
    const [operation] = read(bodyOf([alert], { externalURL: 'javascript:alert(1)' }))
    expect(operation?.text.split('\n')).toEqual([
      '**DiskFull** (critical)',
      'runbook_url: skein:usr_1',
      'Labels: cluster=prod, instance=web-1',
    ])
  })
})

describe('a group', () => {
  test('sets the state of the thread with its last message only', () => {
    const operations = read(bodyOf([...manyAlerts(2), resolved]))
    const outcomes = operations.map(({ threadState, threadClosed }) => [threadState, threadClosed])
    expect(outcomes).toEqual([...Array(3).fill([undefined, undefined]), ['failed', false]])
    expect(operations.at(-1)).toMatchObject({ state: 'ok', threadState: 'failed' })
  })

  test('with a key of 414 characters keeps the key, and its subject is shortened', () => {
    const labels = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`label_${index}`, `value-${'x'.repeat(15)}`]),
    )
    const groupKey = `{}:{${Object.entries(labels)
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}}`.padEnd(414, ' ')
    const [operation] = read(bodyOf([firing], { groupKey, groupLabels: labels }))
    expect(operation?.threadBy).toBe(groupKey.trim())
    expect(operation?.threadSubject).toMatch(/^Alerts \(label_0=value-x{15}, .*…$/)
    expect(operation?.threadSubject).toHaveLength(250)
  })

  test.each([
    [{ alertname: 'A', b: 'c' }, {}, 'A (b=c)'],
    [{ b: 'c' }, { alertname: 'A' }, 'Alerts (b=c)'],
    [{}, { alertname: 'A', b: 'c' }, 'A'],
    [{}, {}, 'Alerts'],
  ])('has a subject of its labels: %o and %o', (groupLabels, commonLabels, subject) => {
    expect(read(bodyOf([firing], { groupLabels, commonLabels }))[0]).toMatchObject({ threadSubject: subject })
  })

  test('that is truncated neither closes the thread nor sets it to ok', () => {
    const operations = read(bodyOf([resolved, { ...resolved, fingerprint: 'a' }], { truncatedAlerts: 1 }))
    expect(operations.at(-1)).toMatchObject({ state: 'ok', threadState: 'failed' })
    expect(operations.filter((operation) => 'threadClosed' in operation)).toEqual([])
    expect(read(bodyOf([firing], { truncatedAlerts: 1 })).at(-1)).toMatchObject({ threadClosed: false })
  })

  test('whose target is a thread does not close it', () => {
    const operations = read(bodyOf([resolved]), { groupID: undefined })
    for (const operation of operations) {
      expect(operation).toMatchObject({ state: 'ok' })
      expect(Object.keys(operation).filter((name) => name.startsWith('thread'))).toEqual([])
    }
  })
})

describe('a call with many alerts', () => {
  test('writes up to 25 messages', () => {
    const operations = read(bodyOf(manyAlerts(25)))
    expect(operations).toHaveLength(25)
    expect(operations.filter(({ onlyUpdates }) => onlyUpdates)).toEqual([])
  })

  test('writes one message with counts and a list if there are 100, and updates those that exist', () => {
    const alerts = [...manyAlerts(90), ...manyAlerts(10, { status: 'resolved' })]
    const operations = read(bodyOf(alerts, { truncatedAlerts: 3 }))
    expect(operations.slice(0, -1)).toHaveLength(100)
    expect(operations.slice(0, -1).every(({ onlyUpdates }) => onlyUpdates)).toBe(true)
    const { text = '', ...list } = operations.at(-1) ?? {}
    expect(list).toEqual({
      threadBy: key,
      threadSubject: 'DiskFull (cluster=prod)',
      senderName: 'Alertmanager',
      uniqueBy: `group ${key}`,
      state: 'failed',
      threadState: 'failed',
      threadClosed: false,
    })
    const lines = text.split('\n')
    expect(lines.slice(0, 3)).toEqual([
      '**100 alerts**: 90 firing, 10 resolved, 3 more left out by the sender',
      '[Alertmanager](http://alertmanager.example.com)',
      '- **DiskFull** (critical): instance=web-0: The disk of web-1 is full',
    ])
    expect(lines).toHaveLength(102)
    expect(lines.at(-1)).toContain('**DiskFull** (critical), resolved: instance=web-9')
  })

  test('names at most 100 of 500 alerts', () => {
    const operations = read(bodyOf(manyAlerts(500)))
    expect(operations).toHaveLength(501)
    expect(operations.at(-1)?.text.split('\n').at(-1)).toBe('- and 400 more')
  })

  test('is followed by calls that update its list, if alerts resolve', () => {
    const [message, list, ...others] = read(bodyOf([firing, ...manyAlerts(1, { status: 'resolved' })]))
    expect(list).toMatchObject({ uniqueBy: `group ${key}`, onlyUpdates: true, state: 'failed' })
    expect(list?.text).toContain('**2 alerts**: 1 firing, 1 resolved\n')
    expect([message, ...others]).toEqual(Array(2).fill(expect.not.objectContaining({ onlyUpdates: true })))
    expect(read(bodyOf([resolved]))[0]).toMatchObject({ onlyUpdates: true, state: 'ok', notify: 'never' })
  })
})

describe('another body', () => {
  test('with every field null becomes a message without a state', () => {
    const nulls = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
    const body = { ...nulls(bodyOf([])), alerts: [nulls(firing)] }
    expect(read(body)).toEqual([
      {
        threadBy: '[]',
        threadSubject: 'Alerts',
        senderName: 'Alertmanager',
        uniqueBy: '[] ',
        text: '**Alert**',
      },
    ])
  })

  test('without alerts is skipped', () => {
    expect(alertmanager.read({ headers: {}, body: bodyOf([]), settings })).toEqual({
      skip: 'The call contains no alerts.',
    })
  })

  test.each([
    undefined,
    null,
    1,
    'text',
    [],
    {},
    { alerts: {} },
    { text: 'hello' },
  ])('%o is refused', (body) => {
    expect(() => alertmanager.read({ headers: {}, body, settings })).toThrow(
      'alerts must be a list, as Alertmanager sends it',
    )
    expect(alertmanager.recognizes(body)).toBe(false)
  })

  test('of Alertmanager is recognized, and one of Grafana is not', () => {
    expect(alertmanager.recognizes(bodyOf([firing]))).toBe(true)
    expect(alertmanager.recognizes(bodyOf([firing], { orgId: 1 }))).toBe(false)
  })

  test('with very long texts is shortened to the limits', () => {
    const long = '_*x* '.repeat(50_000)
    const alert = {
      ...firing,
      labels: { alertname: long, other: long },
      annotations: { summary: long, x: long },
    }
    for (const limit of [40_000, 1000, 50, 1]) {
      const limits = { textCharacters: limit, subjectCharacters: limit }
      const operations = read(bodyOf([alert], { groupLabels: { alertname: long } }), { limits })
      expect(operations.flatMap((operation) => faultsOf(operation, { ...settings, limits }))).toEqual([])
    }
  })

  test.each([
    alertmanager,
    grafana,
  ])('that is any JSON becomes sound operations, a skip or a refusal: $name', (format) => {
    const random = randomNumbers(44)
    const outcomes = { operations: 0, skip: 0, refusal: 0 }
    for (let count = 0; count < 150; count += 1) {
      const body = count % 3 === 0 ? anyJSON(random) : anyAlerts(random)
      const limits = pick(random, [settings.limits, { textCharacters: 60, subjectCharacters: 10 }])
      const operations = operationsOrRefusal(format, body, limits)
      outcomes[operations === undefined ? 'refusal' : operations.length > 0 ? 'operations' : 'skip'] += 1
      const faults = (operations ?? []).flatMap((operation) => faultsOf(operation, { ...settings, limits }))
      expect({ faults, body: faults.length > 0 && body }).toEqual({ faults: [], body: false })
      const early = operations
        ?.slice(0, -1)
        .filter(({ threadState, threadClosed }) => threadState ?? threadClosed)
      expect(early ?? []).toEqual([])
    }
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0)
  })
})

function operationsOrRefusal(format: Format, body: unknown, limits: Settings['limits']) {
  try {
    const reading = format.read({ headers: {}, body, settings: { ...settings, limits } })
    return 'skip' in reading ? [] : reading.operations
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return undefined
    throw error
  }
}
