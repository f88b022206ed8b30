import { type Alert, fieldsOf, linkTo, oneLine, pairsOf, textOf } from './alert-text.ts'
import { type AlertGroup, alertOperations, isAlertGroup, readAlertGroup } from './alertmanager.ts'
import type { Format } from './format.ts'

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
  const [title, message] = [textOf(fields.title), textOf(fields.message)]
  // The default title contains counts, and the default message repeats the fields of the alerts.
  return {
    ...group,
    key: `${textOf(fields.orgId)} ${key}`.trim(), // organizations have the same keys
    subject: defaultTitle.test(title) ? group.subject : oneLine(title) || group.subject,
    note: defaultMessage.test(message) ? '' : message,
  }
}

function extendAlert(alert: Alert): Alert {
  const { fields, state } = alert
  const values = [...pairsOf(fields.values)].map((pair) => pair.join(' = '))
  const atEnd = (url: unknown) => (state === 'failed' ? untilNow(textOf(url)) : url)
  const links = [
    linkTo('dashboard', atEnd(fields.dashboardURL)),
    linkTo('panel', atEnd(fields.panelURL)),
    linkTo('picture', fields.imageURL),
    linkTo('source', fields.generatorURL),
    linkTo('silence', fields.silenceURL),
  ]
  return { ...alert, values: values.join(', ') || textOf(fields.valueString), links }
}

// Grafana writes the time of the call. With it, each repetition of a call would edit the message.
function untilNow(url: string): string {
  return url.replace(/([?&]to=)\d+/, '$1now')
}
