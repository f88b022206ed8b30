import type { Change, Log, SeenEvent, StoredThread } from '../history.ts'

/** Checks that the log has the messages of each thread in the order of their positions. */
export function checkPositions(logs: Log[], threads: StoredThread[]): string[] {
  const added = logs.flatMap(({ events }) => events).filter(addsMessage)
  return threads.flatMap(({ id, messages }) => {
    const gap = messages.findIndex(({ position }, index) => position !== index + 1)
    if (gap !== -1) return [`gap: ${id} has no message at position ${gap + 1}`]
    const logged = added.filter(({ threadID }) => threadID === id).map(({ objectID }) => objectID)
    // The first messages can be older than the log.
    const stored = messages.slice(messages.length - logged.length).map((message) => message.id)
    const place = logged.findIndex((messageID, index) => messageID !== stored[index])
    return place === -1
      ? []
      : [`reordered: the log has ${logged[place]} of ${id} instead of ${stored[place]}`]
  })
}

// A call that closes or reopens a thread adds no message, and no writer changes a thread in another way.
function addsMessage({ type }: SeenEvent): boolean {
  return type === 'messageCreated' || type.startsWith('recipients')
}

/** Checks that each message has the text of its last change, and that deleted messages have no text. */
export function checkTexts(changes: Change[], threads: StoredThread[]): string[] {
  const written = changes.filter(({ type, isOrdered }) => type.startsWith('message') && !isOrdered)
  return threads.flatMap(({ messages }) =>
    messages.flatMap(({ id, text, deletedAt }) => {
      const own = written.filter(({ objectID }) => objectID === id)
      const possible = own.filter((change) => !isReplaced(change, own)).map(({ text = '' }) => text)
      const isPossible =
        own.length === 0 || (possible.includes(text) && (text === '') === (deletedAt !== null))
      return isPossible ? [] : [`stale: ${id} has the text “${text}”, and not “${possible.join('” or “')}”`]
    }),
  )
}

function isReplaced({ endedAt }: Change, changes: Change[]): boolean {
  return changes.some(({ outcome, startedAt }) => outcome === 'acknowledged' && startedAt > endedAt)
}
