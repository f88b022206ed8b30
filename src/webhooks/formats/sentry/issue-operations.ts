import { cleanText } from '../alerts/alert-text.ts'
import type { Operation, Reading, Settings } from '../format.ts'
import { type Fields, fieldsOf, listOf, timeOf } from '../json-values.ts'
import { plainMarkdown } from '../markdown.ts'
import { shorten } from '../shorten.ts'
import { millisecondsOf, versionOf } from './order.ts'
import { factsLine, lineOf, messageText, titleLine } from './texts.ts'

export const senderName = 'Sentry'

// Sentry stores the time at which an issue was last seen with a delay. Until then, a call about the issue has an earlier
// time than the alert about its event.
const alertsCountEarlierMs = 60_000
const closedStatuses = ['resolved', 'ignored']
const closingActions = ['resolved', 'archived', 'ignored']

/** Updates the first message in the thread of an issue, and the state of the thread. */
export function issueReading(action: string, issue: Fields, settings: Settings): Reading {
  const id = lineOf(issue.id)
  if (id === '') return { skip: 'The call of Sentry has no ID of an issue.' }
  const status = cleanText(issue.status)
  const isClosed = status === '' ? closingActions.includes(action) : closedStatuses.includes(status)
  const isNew = action === 'created'
  const version = versionOf(millisecondsOf(issue.lastSeen), isNew ? 'begins' : 'changes')
  const notify = isClosed && settings.notifiesResolved ? 'always' : 'never'
  return {
    operations: [
      {
        ...cardOf({ id, title: titleOf(issue), text: issueText(action, issue), isClosed }, settings),
        ...version,
        // An update that makes the issue failed calls by itself.
        ...((isClosed || action === 'assigned') && { notify }),
      },
    ],
  }
}

/** Writes a message for an event that triggered an alert. The first message of the thread shows that the issue goes on. */
export function alertReading({ event, rule }: { event: Fields; rule: string }, settings: Settings): Reading {
  const id = lineOf(event.issue_id)
  if (id === '') return { skip: 'The alert of Sentry has no ID of an issue.' }
  const title = titleOf(event)
  const time = timeOfEvent(event)
  const card = cardOf({ id, title, text: eventCard(title, event), isClosed: false }, settings)
  const version = versionOf(time && Math.max(0, time - alertsCountEarlierMs), 'event')
  return {
    operations: [
      { ...card, ...version, notify: 'never' },
      {
        ...threadOf(id, title, settings),
        senderName,
        uniqueBy: `event-${lineOf(event.event_id) || time} ${rule}`.trim(),
        text: eventText(title, event, rule),
        ...(settings.groupID && { threadClosed: 'keep' }),
      },
    ],
  }
}

function threadOf(id: string, title: string, { groupID, limits }: Settings) {
  return groupID && { threadBy: `issue-${id}`, threadSubject: shorten(title, limits.subjectCharacters) }
}

type Card = { id: string; title: string; text: string; isClosed: boolean }

// Only this message has a state, because its version orders the calls.
function cardOf({ id, title, text, isClosed }: Card, settings: Settings): Operation {
  return {
    ...threadOf(id, title, settings),
    senderName,
    uniqueBy: `issue-${id}`,
    text,
    state: isClosed ? 'ok' : 'failed',
    ...(settings.groupID && { threadClosed: isClosed }),
  }
}

function titleOf({ title, metadata, message, culprit }: Fields): string {
  const { type, value } = fieldsOf(metadata)
  const ofMetadata = [type, value].map(lineOf).filter(Boolean).join(': ')
  return lineOf(title) || ofMetadata || lineOf(message) || lineOf(culprit) || 'Issue'
}

function issueText(action: string, issue: Fields): string {
  const { web_url, permalink, level, culprit, project, shortId, count, userCount, assignedTo } = issue
  const { name, email } = fieldsOf(assignedTo)
  return messageText([
    titleLine(titleOf(issue), web_url ?? permalink, lineOf(level)),
    plainMarkdown(lineOf(culprit)),
    factsLine({
      Project: fieldsOf(project).slug ?? fieldsOf(project).name,
      Issue: shortId,
      Events: count,
      Users: userCount,
      'Assigned to': lineOf(name) || email,
    }),
    plainMarkdown(statusText(action, issue)),
  ])
}

function statusText(action: string, { status, substatus }: Fields): string {
  const main = cleanText(status)
  if (main === 'ignored') return 'Archived'
  if (main === 'resolved' || (main === '' && action === 'resolved')) return 'Resolved'
  const more = lineOf(substatus).replaceAll('_', ' ')
  return more && more !== 'new' ? more[0]?.toUpperCase() + more.slice(1) : ''
}

function timeOfEvent({ datetime, timestamp }: Fields): number | undefined {
  return millisecondsOf(datetime) ?? millisecondsOf(timestamp)
}

function eventCard(title: string, event: Fields): string {
  const url = cleanText(event.web_url).replace(/\/events\/[^/]*\/?$/, '/')
  return messageText([
    titleLine(title, url, lineOf(event.level)),
    plainMarkdown(lineOf(event.culprit)),
    factsLine({ Project: event.project_name }),
  ])
}

function eventText(title: string, event: Fields, rule: string): string {
  const { web_url, message, environment, release } = event
  const time = timeOfEvent(event)
  const own = lineOf(message)
  return messageText([
    titleLine(title, web_url),
    own === title ? '' : plainMarkdown(own),
    plainMarkdown(placeOf(event)),
    factsLine({ Alert: rule, Environment: environment, Release: release, Time: time && timeOf(time / 1000) }),
  ])
}

/** Returns the place in the code where the last exception was raised. Sentry sends the oldest frame first. */
function placeOf({ exception }: Fields): string {
  const { stacktrace } = fieldsOf(listOf(fieldsOf(exception).values).at(-1))
  const frames = listOf(fieldsOf(stacktrace).frames)
  const own = frames.findLast((frame) => fieldsOf(frame).in_app === true) ?? frames.at(-1)
  const { filename, lineno, function: name } = fieldsOf(own)
  const place = [lineOf(filename), lineOf(lineno)].filter(Boolean).join(':')
  return place && `${place}${lineOf(name) && ` in ${lineOf(name)}`}`
}
