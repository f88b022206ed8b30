import { invalidField } from '../../errors.ts'
import { cleanText } from './alerts/alert-text.ts'
import type { Format, Reading, Request } from './format.ts'
import { type Fields, fieldsOf, isObject } from './json-values.ts'
import { alertReading, issueReading } from './sentry/issue-operations.ts'
import { metricReading } from './sentry/metric-alert.ts'

/** The webhooks of Sentry's integrations, and those of its older plug-in. Each issue and each incident has a thread. */
export const sentry: Format = {
  name: 'sentry',
  recognizes: (body) => {
    const { action, data } = fieldsOf(body)
    const { issue, event, metric_alert } = fieldsOf(data)
    return isOfPlugin(body) || (typeof action === 'string' && [issue, event, metric_alert].some(isObject))
  },
  read: readCall,
}

// Only the body says what a call is about, because calls that the service sends again have no headers.
function readCall({ headers, body, settings }: Request): Reading {
  if (isOfPlugin(body)) return alertReading(pluginAlert(fieldsOf(body)), settings)
  const { action, data } = fieldsOf(body)
  if (!isObject(data)) throw invalidField('data', 'must be an object, as Sentry sends it')
  const { event, issue, metric_alert, triggered_rule } = data
  if (isObject(metric_alert)) return metricReading(cleanText(action), data, settings)
  if (isObject(event)) return alertReading({ event, rule: cleanText(triggered_rule) }, settings)
  if (isObject(issue)) return issueReading(cleanText(action), issue, settings)
  const resource = /^[\w.-]{1,50}$/.exec(cleanText(headers['sentry-hook-resource']))?.[0]
  return {
    skip: `The call of Sentry is ${resource ? `about "${resource}"` : 'neither about an issue nor about an alert'}.`,
  }
}

/** Whether a body is of the plug-in "WebHooks", which Sentry had before its integrations. */
function isOfPlugin(body: unknown): boolean {
  const { id, project, event, data } = fieldsOf(body)
  return data === undefined && isObject(event) && cleanText(id) !== '' && cleanText(project) !== ''
}

function pluginAlert({ id, project_name, culprit, level, message, url, triggering_rules, event }: Fields) {
  const own = { culprit, level, title: message, web_url: url, project_name, ...fieldsOf(event) }
  const [rule] = Array.isArray(triggering_rules) ? triggering_rules : []
  return { event: { ...own, issue_id: id }, rule: cleanText(rule) }
}
