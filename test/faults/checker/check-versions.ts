import type { Hearer, History, OrderedCall, OrderedThread, SeenEvent, StoredThread } from '../history.ts'
import { outcomeText, possibleOutcomes } from './possible-outcomes.ts'

type Seen = Pick<SeenEvent, 'type' | 'objectID' | 'threadID' | 'message' | 'thread'>

/**
 * Checks that each message has its highest version, and that each thread has a state and a closing that its calls
 * explain, in the database and for everyone who can always hear the thread.
 */
export function checkVersions(history: History): string[] {
  return history.ordered.flatMap((ordered) => {
    const { key, calls } = ordered
    const [threadID, ...others] = new Set(calls.map((call) => call.threadID))
    const stored = history.threads.find(({ id }) => id === threadID)
    if (!stored || others.length > 0) return [`doubled: ${key} has the threads ${[threadID, ...others]}`]
    const highest = highestCalls(calls)
    return [
      ...problemsOfMessages(key, stored, highest),
      ...problemsOfThread(key, stored, calls),
      ...readersOf(history, ordered).flatMap(({ name, seen }) => {
        const own = seen.filter((event) => event.threadID === threadID)
        return problemsOfSeen(own, stored, highest).map((problem) => `stale: ${key} ${problem} (${name})`)
      }),
    ]
  })
}

/** Returns the call with the highest version for each message. */
function highestCalls(calls: OrderedCall[]): OrderedCall[] {
  const sorted = calls.toSorted((one, other) => one.version - other.version)
  return [...new Map(sorted.map((call) => [call.messageID, call])).values()]
}

function problemsOfMessages(key: string, { messages }: StoredThread, highest: OrderedCall[]): string[] {
  if (messages.length !== highest.length)
    return [`doubled: ${key} has ${messages.length} messages, and not ${highest.length}`]
  return highest.flatMap(({ messageID, text, state }) => {
    const found = messages.find(({ id }) => id === messageID)
    if (found?.text === text && found.state === state) return []
    return [`stale: ${messageID} is “${found?.text}” and ${found?.state}, and not “${text}” and ${state}`]
  })
}

function problemsOfThread(key: string, { state, closedAt }: StoredThread, calls: OrderedCall[]): string[] {
  const outcome = outcomeText(state, closedAt !== null)
  const possible = possibleOutcomes(calls)
  return possible.includes(outcome) ? [] : [`stale: ${key} is ${outcome}, and not ${possible.join(' or ')}`]
}

/** Returns what the readers and receivers who can always hear the thread have seen, in the order of the log. */
function readersOf({ logs, readers, receivers }: History, { workspaceID, audience, calls }: OrderedThread) {
  const hears = (one: Hearer) =>
    one.workspaceID === workspaceID &&
    one.access[audience] === true &&
    (one.threadID === undefined || one.threadID === calls[0]?.threadID)
  const events = logs.find((log) => log.workspaceID === workspaceID)?.events ?? []
  const seenBy = readers.filter(hears).map(({ name, observations }) => ({
    name,
    seen: observations.flatMap(({ event }): Seen[] => (event ? [event] : [])),
  }))
  const receivedBy = receivers.filter(hears).map(({ name, receipts }) => {
    const shown = new Map(receipts.map(({ eventID, message, thread }) => [eventID, { message, thread }]))
    const seen = events.flatMap((event): Seen[] => {
      const received = shown.get(event.id)
      return received ? [{ ...event, ...received }] : []
    })
    return { name: `${name} by webhook`, seen }
  })
  return [...seenBy, ...receivedBy]
}

/** Compares what the last events of a thread and of its messages showed with the end. */
function problemsOfSeen(seen: Seen[], { state, closedAt }: StoredThread, highest: OrderedCall[]): string[] {
  const thread = seen.at(-1)?.thread
  const isRight = thread?.state === state && (thread.closedAt === null) === (closedAt === null)
  const lastOf = (messageID: string) =>
    seen.findLast(({ type, objectID }) => type.startsWith('message') && objectID === messageID)?.message
  return [
    ...(isRight ? [] : [`was last seen as ${thread?.state}, ${thread?.closedAt ? 'closed' : 'open'}`]),
    ...highest.flatMap(({ messageID, text, state }) => {
      const message = lastOf(messageID)
      return message?.text === text && message.state === state
        ? []
        : [`was last seen with “${message?.text}” and ${message?.state}, and not “${text}” and ${state}`]
    }),
  ]
}
