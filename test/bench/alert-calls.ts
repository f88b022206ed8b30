import { alertmanager } from '../../src/webhooks/formats/alerts/alertmanager.ts'
import { nextText, unexpected } from './calls.ts'
import type { Call } from './load.ts'
import type { World } from './worlds.ts'

/** Groups with so many alerts each. */
export type AlertGroups = { alerts: number; groups: number }

const perMessage = 25
const limits = { textCharacters: 40_000, subjectCharacters: 250 }

/** Returns how many messages a call with so many alerts writes. A large call also writes a list. */
export function messagesOf(alerts: number): number {
  return alerts > perMessage ? alerts + 1 : alerts
}

/** Returns the calls that create the messages of a group, at most 25 with a call, and the list if it is large. */
export function firstCalls(world: World, size: AlertGroups, group: number): Call[] {
  const all = alertsOf(size, size.alerts)
  const parts = all.flatMap((_, index) => (index % perMessage ? [] : [all.slice(index, index + perMessage)]))
  const bodies = [...parts, ...(parts.length > 1 ? [all] : [])]
  return bodies.map((part) =>
    alertCall(world, JSON.stringify(bodyOf(size, group, part)), messagesOf(part.length)),
  )
}

/** Returns posts to the plain URL that do the same as one call that updates all messages of a group. */
export function plainCalls(world: World, size: AlertGroups): Call[] {
  const body = bodyOf(size, Math.floor(Math.random() * size.groups), alertsOf(size, size.alerts))
  const settings = {
    groupID: world.groupID,
    mentionScheme: 'skein',
    notifiesResolved: false,
    templates: null,
    limits,
  }
  const reading = alertmanager.read({ headers: {}, body, settings })
  if ('skip' in reading) throw new Error(reading.skip)
  return reading.operations.map(({ onlyUpdates, ...message }) => ({
    method: 'POST',
    path: world.webhookPath,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target: world.groupID, allowMentions: false, ...message }),
    check: (answer) => {
      if ((answer as { created?: boolean }).created !== false) throw unexpected(answer)
      return 'answered'
    },
  }))
}

/** Returns a call of Alertmanager that updates so many messages. */
export function alertCall(world: World, body: string, messages: number): Call {
  return {
    method: 'POST',
    path: `${world.webhookPath}/alertmanager?target=${world.groupID}`,
    headers: { 'content-type': 'application/json' },
    body,
    check: (answer) => {
      if ((answer as { messages?: object[] }).messages?.length !== messages) throw unexpected(answer)
      return 'answered'
    },
  }
}

/** Returns alerts with the fields of Alertmanager. Each has a new text. */
export function alertsOf({ alerts }: AlertGroups, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    status: 'firing',
    labels: { alertname: 'DiskFull', cluster: 'production', instance: `web-${index}`, severity: 'critical' },
    annotations: { summary: nextText(), runbook_url: 'https://runbooks.example.com/disk' },
    startsAt: '2026-11-26T23:04:47.56Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example.com/graph?g0.expr=free%28%29+%3C+2&g0.tab=1',
    fingerprint: `${alerts}-${index}`,
  }))
}

/** Returns the body of a call about a group. */
export function bodyOf({ alerts }: AlertGroups, group: number, list: object[]): object {
  const groupLabels = { alertname: 'DiskFull', group: `${alerts}-${group}` }
  return {
    receiver: 'chat',
    status: 'firing',
    alerts: list,
    groupLabels,
    commonLabels: { ...groupLabels, severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    version: '4',
    groupKey: `{}:{alertname="DiskFull", group="${alerts}-${group}"}`,
    truncatedAlerts: 0,
  }
}
