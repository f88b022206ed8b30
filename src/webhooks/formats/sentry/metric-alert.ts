import { cleanText } from '../alerts/alert-text.ts'
import type { Reading, Settings } from '../format.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { plainMarkdown } from '../markdown.ts'
import { shorten } from '../shorten.ts'
import { senderName } from './issue-operations.ts'
import { millisecondsOf, versionOf } from './order.ts'
import { factsLine, lineOf, messageText, titleLine } from './texts.ts'

/** Updates the message about an incident, which an alert on a number of events has opened. */
export function metricReading(action: string, data: Fields, settings: Settings): Reading {
  const incident = fieldsOf(data.metric_alert)
  const id = lineOf(incident.id) || lineOf(incident.identifier)
  if (id === '') return { skip: 'The alert of Sentry has no ID of an incident.' }
  if (!['critical', 'warning', 'resolved'].includes(action))
    return { skip: `The alert of Sentry has the unknown action "${shorten(action, 50)}".` }
  const isClosed = action === 'resolved'
  const { groupID, limits, notifiesResolved } = settings
  const rule = lineOf(fieldsOf(incident.alert_rule).name) || lineOf(incident.title) || 'Metric alert'
  const began = millisecondsOf(incident.date_started) ?? millisecondsOf(incident.date_created)
  return {
    operations: [
      {
        senderName,
        uniqueBy: `metric_alert-${id}`,
        text: metricText(data, rule),
        state: isClosed ? 'ok' : 'failed',
        // An incident that is resolved does not begin again.
        ...versionOf(began, isClosed ? 'changes' : 'begins'),
        ...(isClosed && { notify: notifiesResolved ? 'always' : 'never' }),
        ...(groupID && {
          threadBy: `metric_alert-${id}`,
          threadSubject: shorten(rule, limits.subjectCharacters),
          threadClosed: isClosed,
        }),
      },
    ],
  }
}

function metricText(
  { metric_alert, description_title, description_text, web_url }: Fields,
  rule: string,
): string {
  const { projects, alert_rule } = fieldsOf(metric_alert)
  const { environment, query } = fieldsOf(alert_rule)
  const description = cleanText(description_text).replaceAll('\\n', '\n') // Sentry escapes line ends twice
  return messageText([
    titleLine(lineOf(description_title) || rule, web_url),
    plainMarkdown(shorten(description, 5000)),
    factsLine({
      Projects: Array.isArray(projects) ? projects.map(lineOf).filter(Boolean).join(', ') : '',
      Environment: environment,
      Query: query,
    }),
  ])
}
