import { describe, expect, test } from 'vitest'
import { grafana } from '../../../src/webhooks/formats/alerts/grafana.ts'
import { faultsOf, htmlOf, operationsOf, settings } from './read-format.ts'

// The bodies have the fields that Grafana documents and that its alerting module writes.
const root = 'https://grafana.example.com'
const firing = {
  status: 'firing',
  labels: { alertname: 'Queue is long', grafana_folder: 'Shop', severity: 'warning', queue: 'mails' },
  annotations: { summary: 'Mails wait', runbook_url: 'https://runbooks.example.com/queue' },
  startsAt: '2026-11-26T10:20:00+01:00',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: `${root}/alerting/grafana/cdeqmlhvflz40f/view?orgId=1`,
  fingerprint: 'c6eadffa33fcdf37',
  silenceURL: `${root}/alerting/silence/new?alertmanager=grafana&matcher=queue%3Dmails&orgId=1`,
  dashboardURL: `${root}/d/shop?from=1795680000000&orgId=1&to=1795687260123`,
  panelURL: `${root}/d/shop?from=1795680000000&orgId=1&to=1795687260123&viewPanel=4`,
  imageURL: `${root}/public/img/attachments/2DxRbH.png`,
  values: { A: 1204.5, C: 1 },
  valueString: "[ var='A' labels={queue=mails} value=1204.5 ], [ var='C' labels={queue=mails} value=1 ]",
}
const resolved = { ...firing, status: 'resolved', endsAt: '2026-11-26T10:35:00+01:00' }
const groupKey = '{}/{team="shop"}:{alertname="Queue is long", grafana_folder="Shop"}'

type Alert = { status: string | null; [field: string]: unknown }

function bodyOf(alerts: readonly Alert[], changes: object = {}) {
  const isFiring = alerts.some(({ status }) => status === 'firing')
  return {
    receiver: 'chat',
    status: isFiring ? 'firing' : 'resolved',
    alerts,
    groupLabels: { alertname: 'Queue is long', grafana_folder: 'Shop' },
    commonLabels: firing.labels,
    commonAnnotations: firing.annotations,
    externalURL: `${root}/`,
    version: '1',
    groupKey,
    truncatedAlerts: 0,
    orgId: 1,
    title: `[${isFiring ? 'FIRING:1' : 'RESOLVED'}] Queue is long Shop (mails warning)`,
    state: isFiring ? 'alerting' : 'ok',
    message: `**${isFiring ? 'Firing' : 'Resolved'}**\n\nValue: A=1204.5, C=1\nLabels:\n - alertname = Queue is long\n`,
    ...changes,
  }
}

/** The body that a press of the Test button sends. */
function testBody(time: number) {
  const labels = { alertname: 'TestAlert', instance: 'Grafana' }
  const alert = {
    ...firing,
    labels,
    annotations: { summary: 'Notification test' },
    startsAt: new Date(time * 1000).toISOString(),
    fingerprint: '57c6d9296de2ad39',
    generatorURL: '',
    dashboardURL: '',
    panelURL: '',
    imageURL: undefined,
    values: null,
    valueString: "[ metric='foo' labels={instance=bar} value=10 ]",
  }
  return bodyOf([alert], {
    groupKey: `webhook-57c6d9296de2ad39-${time}`,
    groupLabels: labels,
    commonLabels: labels,
    title: '[FIRING:1] TestAlert Grafana ',
  })
}

const read = (body: unknown, changes = {}) => operationsOf(grafana, body, changes)

describe('an alert', () => {
  test('that fires becomes a failed message in the thread of its group', () => {
    expect(read(bodyOf([firing]))).toEqual([
      {
        threadBy: `1 ${groupKey}`,
        threadSubject: 'Queue is long (grafana_folder=Shop)',
        senderName: 'Grafana',
        uniqueBy: 'c6eadffa33fcdf37 2026-11-26T10:20:00+01:00',
        text: expect.any(String),
        state: 'failed',
        threadState: 'failed',
        threadClosed: false,
      },
    ])
  })

  test('shows its values, and links to dashboard, panel and picture', () => {
    const [operation] = read(bodyOf([resolved])).slice(-1)
    const links = [
      '[runbook](https://runbooks.example.com/queue)',
      `[dashboard](${firing.dashboardURL})`,
      `[panel](${firing.panelURL})`,
      `[picture](${firing.imageURL})`,
      `[source](${firing.generatorURL})`,
      `[silence](${firing.silenceURL})`,
    ]
    expect(operation?.text.split('\n')).toEqual([
      '**Queue is long** (warning), resolved',
      'Mails wait',
      'Values: A = 1204.5, C = 1',
      'Labels: grafana_folder=Shop, queue=mails',
      links.join(' · '),
    ])
  })

  test('without values shows the text of its values', () => {
    const [operation] = read(bodyOf([{ ...firing, values: null }]))
    expect(operation && htmlOf(operation)).toContain(
      'Values: [ var=&#39;A&#39; labels={queue=mails} value=1204.5 ]',
    )
  })

  test('that is sent again has the same text, although its dashboard shows the time of the call', () => {
    const again = { ...firing, dashboardURL: firing.dashboardURL.replace('1795687260123', '1795701660321') }
    expect(read(bodyOf([again]))).toEqual(read(bodyOf([firing])))
    expect(read(bodyOf([again]))[0]?.text).toContain('from=1795680000000&orgId=1&to=now)')
  })

  test('that is resolved updates its message and closes the thread', () => {
    const [first] = read(bodyOf([firing]))
    const outcome = { state: 'ok', notify: 'never', threadState: 'ok', threadClosed: true }
    expect(read(bodyOf([resolved])).at(-1)).toMatchObject({ uniqueBy: first?.uniqueBy, ...outcome })
    expect(read(bodyOf([resolved]), { notifiesResolved: true }).at(-1)).toMatchObject({ notify: 'always' })
  })

  test('that had no data and fires again with the same start says the same as before', () => {
    const missing = {
      ...resolved,
      annotations: { ...firing.annotations, grafana_state_reason: 'MissingSeries' },
    }
    const [before, ended, after] = [firing, missing, firing].map((alert) => read(bodyOf([alert])).at(-1))
    expect(ended?.text).toContain('grafana_state_reason: MissingSeries')
    expect(after).toEqual(before)
  })

  test('in a right-to-left language keeps its text', () => {
    const labels = { alertname: 'الطابور طويل', grafana_folder: 'متجر' }
    const [operation] = read(bodyOf([{ ...firing, labels }], { groupLabels: labels }))
    expect(operation).toMatchObject({ threadSubject: 'الطابور طويل (grafana_folder=متجر)' })
    expect(operation && htmlOf(operation)).toContain('<strong>الطابور طويل</strong><br>')
  })
})

describe('a group', () => {
  test('of 100 alerts becomes one message, and updates those that exist', () => {
    const alerts = Array.from({ length: 100 }, (_, index) => ({ ...firing, fingerprint: String(index) }))
    const operations = read(bodyOf(alerts))
    expect(operations.filter(({ onlyUpdates }) => onlyUpdates)).toHaveLength(100)
    expect(operations.at(-1)).toMatchObject({ uniqueBy: `group 1 ${groupKey}`, threadState: 'failed' })
    expect(operations.at(-1)?.text).toContain(
      `**100 alerts**: 100 firing, 0 resolved\n[Grafana](${root}/)\n- **Queue`,
    )
  })

  test('that is truncated neither closes the thread nor sets it to ok', () => {
    const last = read(bodyOf([resolved], { truncatedAlerts: 2 })).at(-1)
    expect(last).toMatchObject({ state: 'ok', threadState: 'failed' })
    expect(last).not.toHaveProperty('threadClosed')
  })

  test('with a key of 414 characters keeps it', () => {
    const long = `{}:{${'x'.repeat(409)}}`
    expect(read(bodyOf([firing], { groupKey: long }))[0]?.threadBy).toBe(`1 ${long}`)
  })

  test('has a thread of its own in each organization', () => {
    const keys = [1, 2].map((orgId) => read(bodyOf([firing], { orgId }))[0]?.threadBy)
    expect(keys).toEqual([`1 ${groupKey}`, `2 ${groupKey}`])
  })

  test('without a status has the older state', () => {
    const alert = { ...firing, status: null }
    expect(read(bodyOf([alert], { status: null, state: 'alerting' }))[0]).toMatchObject({
      threadState: 'failed',
    })
    expect(read(bodyOf([alert], { status: null, state: 'ok' }))[0]).toMatchObject({ threadClosed: true })
  })
})

describe('templates', () => {
  test('for the title become the subject, and for the message a part of the text', () => {
    const [operation] = read(bodyOf([firing], { title: 'The shop\nis slow', message: '**Call** Ada' }))
    expect(operation).toMatchObject({ threadSubject: 'The shop is slow' })
    expect(operation && htmlOf(operation)).toContain('(warning)<br>**Call** Ada<br>Mails wait<br>')
  })

  test('for the message are not shown if the call has a message for each of several alerts', () => {
    const operations = read(bodyOf([firing, { ...firing, fingerprint: 'a' }], { message: 'Call Ada' }))
    expect(operations.filter(({ text }) => text.includes('Call Ada'))).toEqual([])
  })

  test('of Grafana itself are not shown', () => {
    const [operation] = read(bodyOf([firing]))
    expect(operation?.text).not.toContain('Value:')
    expect(operation?.threadSubject).not.toContain('FIRING')
  })
})

describe('presses of the Test button', () => {
  test('share one thread, each with a message that has no state', () => {
    const [one, other] = [1795687260, 1795687299].flatMap((time) => read(testBody(time)))
    expect(one).toEqual({
      threadBy: 'test',
      threadSubject: 'Test of Grafana',
      senderName: 'Grafana',
      uniqueBy: '57c6d9296de2ad39 2026-11-26T10:01:00.000Z',
      text: expect.stringContaining('**TestAlert**\nNotification test\nValues: '),
    })
    expect(other).toMatchObject({ threadBy: 'test', uniqueBy: expect.stringMatching(/10:01:39/) })
  })

  test('are told from an alert that has the name of a test', () => {
    const [operation] = read({
      ...testBody(1795687260),
      groupKey: '{}:{alertname="TestAlert", instance="Grafana"}',
    })
    expect(operation).toMatchObject({ state: 'failed', threadSubject: 'TestAlert (instance=Grafana)' })
  })
})

describe('another body', () => {
  test('with every field null becomes a message without a state', () => {
    const nulls = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
    const operations = read({ ...nulls(bodyOf([])), alerts: [nulls(firing)] })
    expect(operations).toEqual([
      { threadBy: '[]', threadSubject: 'Alerts', senderName: 'Grafana', uniqueBy: '[] ', text: '**Alert**' },
    ])
    expect(operations.flatMap((operation) => faultsOf(operation, settings))).toEqual([])
  })

  test.each([undefined, null, [], { title: 'x', message: 'y' }])('%o is refused', (body) => {
    expect(() => grafana.read({ headers: {}, body, settings })).toThrow(
      'alerts must be a list, as Grafana sends it',
    )
    expect(grafana.recognizes(body)).toBe(false)
  })

  test('of Grafana is recognized, and one of Alertmanager is not', () => {
    const { orgId, ...body } = bodyOf([firing])
    expect([grafana.recognizes({ ...body, orgId }), grafana.recognizes(body)]).toEqual([true, false])
  })
})
