import { invalidField } from '../../../errors.ts'
import type { State } from '../format.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { oneLine } from '../markdown.ts'
import { type Alert, cleanText, type Pairs, pairsOf, webLink } from './alert-text.ts'

/** The alerts of a call. Those with the same `key` share a thread. The sender left out `truncated` more. */
export type AlertGroup = {
  fields: Fields
  key: string
  subject: string
  state: State | undefined
  commonLabels: Pairs
  alerts: readonly Alert[]
  truncated: number
  link: string
  note: string
  senderName: string
}

const states: ReadonlyMap<string, State> = new Map([
  ['firing', 'failed'],
  ['alerting', 'failed'],
  ['resolved', 'ok'],
  ['ok', 'ok'],
])

export function isAlertGroup(body: unknown): boolean {
  const { alerts, groupKey } = fieldsOf(body)
  return Array.isArray(alerts) && typeof groupKey === 'string'
}

/** Reads what the bodies of Alertmanager and Grafana have in common. */
export function readAlertGroup(body: unknown, senderName: string): AlertGroup {
  const fields = fieldsOf(body)
  if (!Array.isArray(fields.alerts)) throw invalidField('alerts', `must be a list, as ${senderName} sends it`)
  const [groupLabels, commonLabels] = [pairsOf(fields.groupLabels), pairsOf(fields.commonLabels)]
  return {
    fields,
    key: cleanText(fields.groupKey) || JSON.stringify([...groupLabels]),
    subject: subjectOf(groupLabels, commonLabels),
    state: states.get(cleanText(fields.status)) ?? states.get(cleanText(fields.state)),
    commonLabels,
    alerts: fields.alerts.map(fieldsOf).map(readAlert),
    truncated: Number(cleanText(fields.truncatedAlerts)) || 0,
    link: webLink(senderName, fields.externalURL),
    note: '',
    senderName,
  }
}

function readAlert(fields: Fields): Alert {
  const [labels, annotations] = [pairsOf(fields.labels), pairsOf(fields.annotations)]
  return { fields, state: states.get(cleanText(fields.status)), labels, annotations, links: [], values: '' }
}

// A name that only the alerts of the first call have in common would be wrong for those that join the group later.
function subjectOf(groupLabels: Pairs, commonLabels: Pairs): string {
  const name = (groupLabels.size > 0 ? groupLabels : commonLabels).get('alertname') ?? 'Alerts'
  const others = [...groupLabels].filter(([label]) => label !== 'alertname').map((pair) => pair.join('='))
  return oneLine(others.length > 0 ? `${name} (${others.join(', ')})` : name)
}
