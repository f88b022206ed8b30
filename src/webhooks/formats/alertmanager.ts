import { invalidField } from '../../errors.ts'
import {
  type Alert,
  alertText,
  type Fields,
  fieldsOf,
  linkTo,
  listText,
  oneLine,
  type Pairs,
  pairsOf,
  shorten,
  textOf,
} from './alert-text.ts'
import type { Format, Operation, Reading, Settings, State } from './format.ts'

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

const maxMessages = 25
const states: ReadonlyMap<string, State> = new Map([
  ['firing', 'failed'],
  ['alerting', 'failed'],
  ['resolved', 'ok'],
  ['ok', 'ok'],
])

/** Reads the body of a webhook of Alertmanager. */
export const alertmanager: Format = {
  name: 'alertmanager',
  recognizes: (body) => isAlertGroup(body) && !('orgId' in fieldsOf(body)),
  read: ({ body, settings }) => {
    const group = readAlertGroup(body, 'Alertmanager')
    const base = baseOf(group.fields.externalURL)
    const alerts = group.alerts.map((alert) => ({ ...alert, links: linksOf(alert.fields, base) }))
    return alertOperations({ ...group, alerts }, settings)
  },
  repeatsOnlyAfter503: true,
}

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
    key: textOf(fields.groupKey) || JSON.stringify([...groupLabels]),
    subject: subjectOf(groupLabels, commonLabels),
    state: states.get(textOf(fields.status)) ?? states.get(textOf(fields.state)),
    commonLabels,
    alerts: fields.alerts.map(fieldsOf).map(readAlert),
    truncated: Number(textOf(fields.truncatedAlerts)) || 0,
    link: linkTo(senderName, fields.externalURL),
    note: '',
    senderName,
  }
}

function readAlert(fields: Fields): Alert {
  const [labels, annotations] = [pairsOf(fields.labels), pairsOf(fields.annotations)]
  return { fields, state: states.get(textOf(fields.status)), labels, annotations, links: [], values: '' }
}

// A name that only the alerts of the first call have in common would be wrong for those that join the group later.
function subjectOf(groupLabels: Pairs, commonLabels: Pairs): string {
  const name = (groupLabels.size > 0 ? groupLabels : commonLabels).get('alertname') ?? 'Alerts'
  const others = [...groupLabels].filter(([label]) => label !== 'alertname').map((pair) => pair.join('='))
  return oneLine(others.length > 0 ? `${name} (${others.join(', ')})` : name)
}

// A longer address is not a link. The pattern takes quadratic time.
function baseOf(externalURL: unknown): string {
  return textOf(externalURL).slice(0, 2000).replace(/\/+$/, '')
}

function linksOf({ generatorURL, labels }: Fields, base: string): string[] {
  const matchers = Object.entries(fieldsOf(labels)).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const filter = encodeURIComponent(`{${matchers.join(', ')}}`.toWellFormed())
  // The web pages of Alertmanager read this filter.
  const silenceURL = `${base}/#/silences/new?filter=${filter}`
  return [linkTo('source', generatorURL), linkTo('silence', silenceURL)]
}

/** Writes a message for each alert, or one for all alerts of a large call, into the thread of the group. */
export function alertOperations(group: AlertGroup, settings: Settings): Reading {
  const { alerts, key, note, senderName } = group
  const { textCharacters, subjectCharacters } = settings.limits
  const isInGroup = settings.groupID !== undefined
  const outcome = outcomeOf(group)
  const write = (uniqueBy: string, state: State | undefined, text: string): Operation => ({
    ...(isInGroup && { threadBy: key, threadSubject: shorten(group.subject, subjectCharacters) }),
    senderName,
    uniqueBy,
    text,
    ...(state && { state }),
    ...(state === 'ok' && { notify: settings.notifiesResolved ? 'always' : 'never' }),
  })
  const messages = alerts.map((alert) =>
    write(keyOf(alert), alert.state, alertText(alert, alerts.length === 1 ? note : '', textCharacters)),
  )
  const list = () => write(`group ${key}`, outcome.threadState, listText(group, textCharacters))
  const isLarge = alerts.length > maxMessages
  // When alerts resolve, a group that was large can become small. Then its list is updated, too.
  const isListUpdated = !isLarge && alerts.some(({ state }) => state === 'ok')
  const operations = isLarge
    ? [...messages.map(onlyUpdates), list()]
    : messages.toSpliced(-1, 0, ...(isListUpdated ? [onlyUpdates(list())] : []))
  const [first, ...rest] = operations.map((operation, index) =>
    isInGroup && index === operations.length - 1 ? { ...operation, ...outcome } : operation,
  )
  return first ? { operations: [first, ...rest] } : { skip: 'The call contains no alerts.' }
}

function onlyUpdates(operation: Operation): Operation {
  return { ...operation, onlyUpdates: true }
}

function keyOf({ fields, labels }: Alert): string {
  return `${textOf(fields.fingerprint) || JSON.stringify([...labels])} ${textOf(fields.startsAt)}`
}

/** What a call does to the thread. */
type Outcome = Pick<Operation, 'threadState' | 'threadClosed'>

function outcomeOf({ state, alerts, truncated }: AlertGroup): Outcome {
  // A call that closed the thread does not name alerts that are silenced. If they are sent again, their messages stay
  // the same, which does not reopen a thread.
  if (state === 'failed' || alerts.some((alert) => alert.state === 'failed'))
    return { threadState: 'failed', threadClosed: false }
  if (state !== 'ok') return {}
  // The alerts that were left out may fire. Without a threadState, the messages would set the thread to ok.
  return truncated > 0 ? { threadState: 'failed' } : { threadState: 'ok', threadClosed: true }
}
