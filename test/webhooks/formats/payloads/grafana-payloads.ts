import { expect } from 'vitest'
import { grafanaBody, longQueue, nulls, resolved } from './alert-bodies.ts'
import type { Payload } from './payload.ts'

const subject = 'Queue is long (grafana_folder=Shop)'
const open = { subject, state: 'failed', isClosed: false }
const closed = { subject, state: 'ok', isClosed: true }
const fires = {
  text: expect.stringMatching(/^\*\*Queue is long\*\* \(warning\)\nMails wait\n/),
  state: 'failed',
}
const isResolved = {
  text: expect.stringMatching(/^\*\*Queue is long\*\* \(warning\), resolved\n/),
  state: 'ok',
}

/** The body that a press of the Test button sends. */
function testBody(time: number) {
  const labels = { alertname: 'TestAlert', instance: 'Grafana' }
  const alert = {
    status: 'firing',
    labels,
    annotations: { summary: 'Notification test' },
    startsAt: new Date(time * 1000).toISOString(),
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: '',
    fingerprint: '57c6d9296de2ad39',
    silenceURL: 'https://grafana.example.com/alerting/silence/new',
    dashboardURL: '',
    panelURL: '',
    values: null,
    valueString: "[ metric='foo' labels={instance=bar} value=10 ]",
  }
  const changes = { groupLabels: labels, commonLabels: labels, title: '[FIRING:1] TestAlert Grafana ' }
  return grafanaBody([alert], { ...changes, groupKey: `webhook-57c6d9296de2ad39-${time}` })
}

const noData = {
  ...longQueue,
  labels: {
    alertname: 'DatasourceNoData',
    datasource_uid: 'PBFA97CFB',
    grafana_folder: 'Shop',
    ref_id: 'A',
    rulename: 'Queue is long',
  },
  values: null,
  valueString: '',
}

/** Bodies of Grafana, with contents that are invented. */
export const grafanaPayloads: Payload[] = [
  {
    from: 'a rule that fires',
    bodies: [grafanaBody([longQueue])],
    written: { threads: [open], messages: [fires] },
  },
  {
    from: 'a rule that is sent again, with links that end at the present time',
    bodies: [
      grafanaBody([longQueue]),
      grafanaBody([{ ...longQueue, panelURL: longQueue.panelURL.replace('260123', '999999') }]),
    ],
    written: { threads: [open], messages: [fires] },
  },
  {
    from: 'a rule that is resolved',
    bodies: [grafanaBody([longQueue]), grafanaBody([resolved(longQueue)])],
    written: { threads: [closed], messages: [isResolved] },
  },
  {
    from: 'two presses of the Test button',
    bodies: [testBody(1_795_687_260), testBody(1_795_687_299)],
    written: {
      threads: [{ subject: 'Test of Grafana', state: null, isClosed: false }],
      messages: Array(2).fill({
        text: expect.stringMatching(/^\*\*TestAlert\*\*\nNotification/),
        state: null,
      }),
    },
  },
  {
    from: 'a rule without data',
    bodies: [grafanaBody([noData], { groupLabels: { alertname: 'DatasourceNoData' } })],
    written: {
      threads: [{ ...open, subject: 'DatasourceNoData' }],
      messages: [{ text: expect.stringContaining('rulename=Queue is long'), state: 'failed' }],
    },
  },
  {
    from: 'a contact point with a template for title and message',
    bodies: [grafanaBody([longQueue], { title: 'Shop is slow', message: 'Call *Ada*' })],
    written: {
      threads: [{ ...open, subject: 'Shop is slow' }],
      messages: [{ text: expect.stringContaining('\nCall \\*Ada\\*\n'), state: 'failed' }],
    },
  },
  {
    from: '100 alerts',
    bodies: [
      grafanaBody(Array.from({ length: 100 }, (_, index) => ({ ...longQueue, fingerprint: String(index) }))),
    ],
    written: {
      threads: [open],
      messages: [{ text: expect.stringMatching(/^\*\*100 alerts\*\*: 100 firing/), state: 'failed' }],
    },
  },
  {
    from: 'a group whose groupKey has 414 characters',
    bodies: [longQueue, resolved(longQueue)].map((alert) =>
      grafanaBody([alert], { groupKey: '{}:{x="'.padEnd(412, 'x').concat('"}') }),
    ),
    written: { threads: [closed], messages: [isResolved] },
  },
  {
    from: 'labels from right to left, and empty texts',
    bodies: [
      grafanaBody([{ ...longQueue, labels: { alertname: 'الطابور طويل' }, annotations: { summary: '' } }], {
        groupLabels: { alertname: 'الطابور طويل' },
        title: '',
        message: '',
      }),
    ],
    written: {
      threads: [{ ...open, subject: 'الطابور طويل' }],
      messages: [{ text: expect.stringMatching(/^\*\*الطابور طويل\*\*\nValues: /), state: 'failed' }],
    },
  },
  {
    from: 'nobody: every field is null',
    bodies: [{ ...nulls(grafanaBody([])), alerts: [nulls(longQueue)] }],
    written: {
      threads: [{ subject: 'Alerts', state: null, isClosed: false }],
      messages: [{ text: '**Alert**', state: null }],
    },
  },
]
