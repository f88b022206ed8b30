import type { Operation, Reading, Settings, State } from '../format.ts'
import { shorten } from '../shorten.ts'
import type { AlertGroup } from './alert-group.ts'
import { type Alert, alertText, cleanText, listText } from './alert-text.ts'

const maxMessages = 25
/** How many alerts of a large call are looked for, because each look-up takes time. */
const maxUpdated = 1000

/** Writes a message for each alert, or one for all alerts of a large call, into the thread of the group. */
export function alertOperations(group: AlertGroup, settings: Settings): Reading {
  const { alerts, key, note, senderName } = group
  const { textCharacters, subjectCharacters } = settings.limits
  const isInGroup = settings.groupID !== undefined
  const thread = isInGroup && { threadBy: key, threadSubject: shorten(group.subject, subjectCharacters) }
  const outcome = outcomeOf(group)
  const isLarge = alerts.length > maxMessages
  const write = (uniqueBy: string, state: State | undefined, text: string, isLast: boolean): Operation => ({
    senderName,
    uniqueBy,
    text,
    ...thread,
    ...(state && { state }),
    ...(state === 'ok' && { notify: settings.notifiesResolved ? 'always' : 'never' }),
    ...(isInGroup && isLast && outcome),
  })
  const messages = alerts.slice(0, maxUpdated).map((alert, index) => {
    const text = alertText(alert, alerts.length === 1 ? note : '', textCharacters)
    return write(keyOf(alert), alert.state, text, !isLarge && index === alerts.length - 1)
  })
  const list = () => write(`group ${key}`, outcome.threadState, listText(group, textCharacters), isLarge)
  // When alerts resolve, a group that was large can become small. Then its list is updated, too.
  const isListUpdated = !isLarge && alerts.some(({ state }) => state === 'ok')
  const [first, ...rest] = isLarge
    ? [...messages.map(onlyUpdates), list()]
    : messages.toSpliced(-1, 0, ...(isListUpdated ? [onlyUpdates(list())] : []))
  return first ? { operations: [first, ...rest] } : { skip: 'The call contains no alerts.' }
}

function onlyUpdates(operation: Operation): Operation {
  return { onlyUpdates: true, ...operation }
}

function keyOf({ fields, labels }: Alert): string {
  return `${cleanText(fields.fingerprint) || JSON.stringify([...labels])} ${cleanText(fields.startsAt)}`
}

/** What a call does to the thread. */
type Outcome = { threadState?: State; threadClosed?: boolean }

function outcomeOf({ state, alerts, truncated }: AlertGroup): Outcome {
  // A call that closed the thread does not name alerts that are silenced. If they are sent again, their messages stay
  // the same, which does not reopen a thread.
  if (state === 'failed' || alerts.some((alert) => alert.state === 'failed'))
    return { threadState: 'failed', threadClosed: false }
  if (state !== 'ok') return {}
  // The alerts that were left out may fire. Without a threadState, the messages would set the thread to ok.
  return truncated > 0 ? { threadState: 'failed' } : { threadState: 'ok', threadClosed: true }
}
