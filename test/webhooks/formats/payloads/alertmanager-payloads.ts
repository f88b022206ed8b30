import { expect } from 'vitest'
import { alertmanagerBody, diskFull, manyAlerts, nulls, resolved } from './alert-bodies.ts'
import type { Payload } from './payload.ts'

const subject = 'DiskFull (cluster=prod)'
const open = { subject, state: 'failed', isClosed: false }
const closed = { subject, state: 'ok', isClosed: true }
const fires = { text: expect.stringMatching(/^\*\*DiskFull\*\* \(critical\)\nThe disk/), state: 'failed' }
const isResolved = { text: expect.stringMatching(/^\*\*DiskFull\*\* \(critical\), resolved\n/), state: 'ok' }
const once = [alertmanagerBody([diskFull])]
const labels = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`label_${index}`, `value-${'x'.repeat(15)}`]),
)
const longKey = `{}:{${Object.entries(labels).map(([name, value]) => `${name}="${value}"`)}}`.padEnd(414, 'x')

/** Bodies of Alertmanager, with contents that are invented. */
export const alertmanagerPayloads: Payload[] = [
  {
    from: 'a group that fires',
    bodies: once,
    written: { threads: [open], messages: [fires] },
  },
  {
    from: 'a group that fires, and is sent again every few hours',
    bodies: [...once, ...once, ...once],
    written: { threads: [open], messages: [fires] },
  },
  {
    from: 'a group that is resolved',
    bodies: [...once, alertmanagerBody([resolved(diskFull)])],
    written: { threads: [closed], messages: [isResolved] },
  },
  {
    from: 'an alert that timed out, and fires again with the same start',
    bodies: [...once, alertmanagerBody([resolved(diskFull)]), ...once],
    written: { threads: [open], messages: [fires] },
  },
  {
    from: 'an alert that fires again with a new start',
    bodies: [
      ...once,
      alertmanagerBody([resolved(diskFull)]),
      alertmanagerBody([{ ...diskFull, startsAt: '2026-11-27T08:00:00Z' }]),
    ],
    written: { threads: [open], messages: [isResolved, fires] },
  },
  {
    from: 'a group of two alerts, one of which is resolved',
    bodies: [
      alertmanagerBody([diskFull, ...manyAlerts(1)]),
      alertmanagerBody([resolved(diskFull), ...manyAlerts(1)]),
    ],
    written: { threads: [open], messages: [isResolved, fires] },
  },
  {
    from: 'max_alerts: the alerts that are sent are resolved, and another one fires',
    bodies: [...once, alertmanagerBody([resolved(diskFull)], { status: 'resolved', truncatedAlerts: 1 })],
    written: { threads: [open], messages: [isResolved] },
  },
  {
    from: '100 alerts, all of which are resolved later',
    bodies: [manyAlerts(100), manyAlerts(100).map(resolved)].map((alerts) => alertmanagerBody(alerts)),
    written: {
      threads: [closed],
      messages: [
        { text: expect.stringMatching(/^\*\*100 alerts\*\*: 0 firing, 100 resolved\n/), state: 'ok' },
      ],
    },
  },
  {
    from: "group_by: ['...'], with a groupKey of 414 characters",
    bodies: [diskFull, resolved(diskFull)].map((alert) =>
      alertmanagerBody([alert], { groupKey: longKey, groupLabels: labels }),
    ),
    written: {
      threads: [{ ...closed, subject: expect.stringMatching(/^Alerts \(label_0=.*…$/) }],
      messages: [isResolved],
    },
  },
  {
    from: 'labels from right to left',
    bodies: [
      alertmanagerBody([{ ...diskFull, labels: { alertname: 'הדיסק מלא' }, annotations: {} }], {
        groupLabels: { alertname: 'הדיסק מלא' },
      }),
    ],
    written: {
      threads: [{ ...open, subject: 'הדיסק מלא' }],
      messages: [{ text: expect.stringMatching(/^\*\*הדיסק מלא\*\*\n/), state: 'failed' }],
    },
  },
  {
    from: 'an alert with empty texts and no annotations',
    bodies: [
      alertmanagerBody([
        { ...diskFull, labels: { alertname: '' }, annotations: { summary: '' }, generatorURL: '' },
      ]),
    ],
    written: {
      threads: [open],
      messages: [{ text: expect.stringMatching(/^\*\*Alert\*\*\n\[silence\]/), state: 'failed' }],
    },
  },
  {
    from: 'nobody: every field is null',
    bodies: [{ ...nulls(alertmanagerBody([])), alerts: [nulls(diskFull)] }],
    written: {
      threads: [{ subject: 'Alerts', state: null, isClosed: false }],
      messages: [{ text: '**Alert**', state: null }],
    },
  },
  {
    from: 'a group without alerts',
    bodies: [alertmanagerBody([])],
    written: { threads: [], messages: [] },
  },
]
