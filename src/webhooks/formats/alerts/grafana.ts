import type { Format } from '../format.ts'
import { fieldsOf } from '../json-values.ts'
import { oneLine } from '../markdown.ts'
import { type AlertGroup, isAlertGroup, readAlertGroup } from './alert-group.ts'
import { alertOperations } from './alert-operations.ts'
import { type Alert, cleanText, pairsOf, webLink } from './alert-text.ts'

/** The key of a test: the name of the contact point, a fingerprint and a time. Other keys begin with a `{`. */
const testKey = /^[^{].*-[0-9a-f]{16}-\d{9,11}$/s
const defaultTitle = /^\[(?:FIRING|RESOLVED)/
const defaultMessage = /^\*\*(?:Firing|Resolved)\*\*/

/** Reads the webhook body of Grafana's alerting, which adds fields to that of Alertmanager. */
export const grafana: Format = {
  name: 'grafana',
  recognizes: (body) => isAlertGroup(body) && 'orgId' in fieldsOf(body),
  read: ({ body, settings }) => {
    const group = readAlertGroup(body, 'Grafana')
    const alerts = group.alerts.map(extendAlert)
    return alertOperations(extendGroup({ ...group, alerts }), settings)
  },
}

function extendGroup(group: AlertGroup): AlertGroup {
  const { fields, key } = group
  if (testKey.test(key)) {
    const alerts = group.alerts.map((alert) => ({ ...alert, state: undefined }))
    return { ...group, alerts, key: 'test', subject: 'Test of Grafana', state: undefined }
  }
  const [title, message] = [cleanText(fields.title), cleanText(fields.message)]
  // The default title contains counts, and the default message repeats the fields of the alerts.
  return {
    ...group,
    key: `${cleanText(fields.orgId)} ${key}`.trim(), // organizations have the same keys
    subject: defaultTitle.test(title) ? group.subject : oneLine(title) || group.subject,
    note: defaultMessage.test(message) ? '' : message,
  }
}

function extendAlert(alert: Alert): Alert {
  const { fields, state } = alert
  const values = [...pairsOf(fields.values)].map((pair) => pair.join(' = '))
  const atEnd = (url: unknown) => (state === 'failed' ? untilNow(cleanText(url)) : url)
  const links = [
    webLink('dashboard', atEnd(fields.dashboardURL)),
    webLink('panel', atEnd(fields.panelURL)),
    webLink('picture', fields.imageURL),
    webLink('source', fields.generatorURL),
    webLink('silence', fields.silenceURL),
  ]
  return { ...alert, values: values.join(', ') || cleanText(fields.valueString), links }
}

// Grafana writes the time of the call. With it, each repetition of a call would edit the message.
function untilNow(url: string): string {
  return url.replace(/([?&]to=)\d+/, '$1now')
}
