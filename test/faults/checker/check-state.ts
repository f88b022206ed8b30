import type { Audience, ReadState, Search, StoredThread } from '../history.ts'
import { finalState } from './access.ts'
import type { Matches } from './match-events.ts'

/** Checks that a search finds exactly the messages that contain the word and are visible to the reader. */
export function checkSearch(
  { reader, workspaceID, access, word, foundIDs }: Search,
  threads: StoredThread[],
  matches: Matches,
): string[] {
  const audiences = new Map<string | null, Audience>()
  for (const [{ threadID }, { audience }] of matches) audiences.set(threadID, audience)
  const canSee = (thread: StoredThread) => {
    const audience = audiences.get(thread.id)
    return thread.workspaceID === workspaceID && audience !== undefined && finalState(access[audience])
  }
  const messages = threads.filter(canSee).flatMap((thread) => thread.messages)
  const expected = new Set(messages.filter(({ text }) => text.includes(word)).map(({ id }) => id))
  const found = new Set(foundIDs)
  return [
    ...[...expected]
      .filter((id) => !found.has(id))
      .map((id) => `lost: the search of ${reader} for “${word}” does not find ${id}`),
    ...[...found]
      .filter((id) => !expected.has(id))
      .map((id) => `leaked: the search of ${reader} for “${word}” finds ${id}`),
  ]
}

/**
 * Checks that the reader has read up to one of the marks, and at least up to each mark that was acknowledged. The
 * reader wrote no messages.
 */
export function checkReadState(
  { threadID, marks, readUpTo, unreadCount }: ReadState,
  threads: StoredThread[],
) {
  const messages = threads.find(({ id }) => id === threadID)?.messages ?? []
  const positions = new Map(messages.map(({ id, position }) => [id, position]))
  const positionsOf = (...outcomes: string[]) =>
    marks
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ messageID }) => positions.get(messageID) ?? 0)
  const least = Math.max(0, ...positionsOf('acknowledged'))
  const isMarked = [0, ...positionsOf('acknowledged', 'unknown')].includes(readUpTo)
  // A deleted message is never unread.
  const unread = messages.filter(
    ({ position, deletedAt }) => position > readUpTo && deletedAt === null,
  ).length
  return [
    ...(readUpTo < least
      ? [`lost: ${threadID} is read up to ${readUpTo}, and was marked up to ${least}`]
      : []),
    ...(isMarked ? [] : [`unexplained: ${threadID} is read up to ${readUpTo}, which nobody marked`]),
    ...(unreadCount === unread
      ? []
      : [`stale: ${threadID} has ${unread} unread messages, and counts ${unreadCount}`]),
  ]
}
