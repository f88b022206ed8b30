import type { InboxThread } from '../live/use-live-inbox.ts'

type Place = Pick<InboxThread, 'isPeristentChat' | 'recipients'>
type Message = Omit<NonNullable<InboxThread['lastMessage']>, ' $fragmentSpreads'>

/**
 * Returns whether a message is in a DM, or mentions the person or one of their groups. Returns false for a message by
 * the person, a system message, and an edited or deleted message.
 */
export function isPersonal(
  { isPeristentChat, recipients }: Place,
  message: Message,
  viewerID: string,
): boolean {
  if (message.event || message.editedAt || message.deletedAt || message.user.id === viewerID) return false
  const isDM = isPeristentChat && recipients?.nodes[0]?.__typename === 'User'
  return isDM || message.mentions.nodes.some(({ id, viewerRole }) => id === viewerID || viewerRole != null)
}
