import type { InboxThread } from '../live/use-live-inbox.ts'

type Place = Pick<InboxThread, 'isPeristentChat' | 'recipients'>
type Message = Omit<NonNullable<InboxThread['lastMessage']>, ' $fragmentSpreads'>

/**
 * Returns whether a message is by somebody else, and is for the person: in a DM, or with a mention of the person or of
 * one of their groups.
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
